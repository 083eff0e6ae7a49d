/** Sounds of the events of a game. */
import type { Result } from '../api/types';
import type { Event } from '../api/view';
import { settings } from '../platform/settings.svelte';
import { play } from '../platform/sound';

/** Plays every kind of sound among the events once, if sound is on; `ending`: whether also that of the end. */
export function playEventSounds(events: readonly Event[], ending: boolean): void {
  if (!settings.sound) return;
  for (const sound of new Set(events.map((event) => event.sound)))
    if (sound && (ending || sound !== 'end')) play(sound);
}

/** Plays the end of a game for its players here; without one, for a spectator. */
export function playEnding(
  { winners, reason }: Pick<Result, 'winners' | 'reason'>,
  own: readonly number[],
): void {
  if (!settings.sound || reason === 'aborted') return;
  if (winners.length === 0) play('draw');
  else if (own.length === 0) play('end');
  else play(own.some((seat) => winners.includes(seat)) ? 'win' : 'loss');
}
