/** Sounds of the events of a game. */
import type { Event } from '../api/view';
import { settings } from '../platform/settings.svelte';
import { play } from '../platform/sound';

/** Plays every kind of sound among the events once, if sound is on. */
export function playEventSounds(events: readonly Event[]): void {
  if (!settings.sound) return;
  for (const sound of new Set(events.map((event) => event.sound))) if (sound) play(sound);
}
