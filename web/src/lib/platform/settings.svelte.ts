/** How this person likes it: remembered in the browser. */
import { overwriteGetLocale } from '../../paraglide/runtime';
import { save, load } from './storage';
import type { Language } from '../api/types';

export interface Settings {
  language: Language;
  theme: 'auto' | 'light' | 'dark';
  sound: boolean;
  /** Whether the browser notifies when it is one's turn and the page is not seen. */
  notify: boolean;
  motion: 'auto' | 'none';
  /** What others see; empty: nothing. */
  name: string;
  /** Whether new matches ask to confirm a turn. */
  confirm: boolean;
  /** Whether numbers stand on the cells. */
  values: boolean;
  /** Whether a kind of decision is explained when it comes for the first time. */
  explain: boolean;
  /** Whether it is said what is certain of a position. */
  proofs: boolean;
}

const KEY = 'tavola.settings';

const spoken = (): Language =>
  navigator.languages.map((tag) => tag.slice(0, 2)).find((tag) => tag === 'ja' || tag === 'en') === 'ja'
    ? 'ja'
    : 'en';

const phone = () => matchMedia('(pointer: coarse) and (max-width: 50rem)').matches;

const initial: Settings = {
  language: spoken(),
  theme: 'auto',
  sound: !phone(),
  notify: false,
  motion: 'auto',
  name: '',
  confirm: true,
  values: false,
  explain: true,
  proofs: false,
};

export const settings: Settings = $state({ ...initial, ...load<Partial<Settings>>(KEY, {}) });

// Messages ask for the language each time they are said: what is on the page changes with it.
overwriteGetLocale(() => settings.language);

/** Keeps the settings and shows them on the page, from now on. */
export function followSettings(): void {
  $effect(() => save(KEY, $state.snapshot(settings)));
  $effect(() => {
    const { documentElement } = document;
    documentElement.lang = settings.language;
    documentElement.dataset['theme'] = settings.theme;
  });
}

export const still = () =>
  settings.motion === 'none' || matchMedia('(prefers-reduced-motion: reduce)').matches;
