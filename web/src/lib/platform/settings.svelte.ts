/** Settings of the user, stored in the browser. */
import { LANGUAGES, followLanguage, loadLanguage, negotiate, propertyOf } from '../i18n/languages';
import { type Check, hasFields, isFlag, isOneOf, isText, withoutMalformed } from './checks';
import { save, load } from './storage';
import type { GameSummary, Language } from '../api/types';

export interface Settings {
  language: Language;
  theme: 'auto' | 'light' | 'dark';
  /** Boards as their games draw them, or flat in high contrast; the same for pieces. */
  board: 'drawn' | 'flat';
  pieces: 'drawn' | 'flat';
  sound: boolean;
  volume: 'low' | 'medium' | 'high';
  /** Whether the browser notifies when it is the user's turn and the page is hidden. */
  notify: boolean;
  motion: 'auto' | 'none';
  /** How fast pieces move. */
  pace: 'slow' | 'normal' | 'fast';
  /** Whether a game shows the board, the clocks and the prompt alone. */
  zen: boolean;
  /** Whether the chat is beside the board on wide screens. */
  chat: boolean;
  /** The name that other players see; empty: none. */
  name: string;
  /** Whether new matches ask to confirm each turn. */
  confirm: boolean;
  /** The same in games where a turn is one action. */
  confirmSingle: boolean;
  /** Whether replies to another person can be planned in every game, not only with days per turn. */
  premoves: boolean;
  /** Whether coordinates are shown. */
  values: boolean;
  /** Whether a tip follows the first mistake at a kind of decision. */
  explain: boolean;
  /** Whether forced wins are shown. */
  proofs: boolean;
}

const KEY = 'tavola.settings';

const phone = () => matchMedia('(pointer: coarse) and (max-width: 50rem)').matches;

const initial: Settings = {
  language: negotiate(navigator.languages),
  theme: 'auto',
  board: 'drawn',
  pieces: 'drawn',
  sound: !phone(),
  volume: 'medium',
  notify: false,
  motion: 'auto',
  pace: 'normal',
  zen: false,
  chat: true,
  name: '',
  confirm: true,
  confirmSingle: false,
  premoves: false,
  values: false,
  explain: true,
  proofs: false,
};

const CHECKS: Record<keyof Settings, Check> = {
  language: isOneOf(...LANGUAGES),
  theme: isOneOf('auto', 'light', 'dark'),
  board: isOneOf('drawn', 'flat'),
  pieces: isOneOf('drawn', 'flat'),
  sound: isFlag,
  volume: isOneOf('low', 'medium', 'high'),
  notify: isFlag,
  motion: isOneOf('auto', 'none'),
  pace: isOneOf('slow', 'normal', 'fast'),
  zen: isFlag,
  chat: isFlag,
  name: isText,
  confirm: isFlag,
  confirmSingle: isFlag,
  premoves: isFlag,
  values: isFlag,
  explain: isFlag,
  proofs: isFlag,
};

/** Settings as stored. Earlier versions had one `look` for board and pieces. */
function stored(): Partial<Settings> {
  const { look, ...now } = load<Partial<Settings> & { look?: Settings['board'] }>(KEY, {}, hasFields({}));
  return withoutMalformed(look ? { board: look, pieces: look, ...now } : now, CHECKS);
}

export const settings: Settings = $state({ ...initial, ...stored() });

followLanguage(() => settings.language);

/** The setting that says whether new matches of a game ask to confirm turns. */
export const confirmKey = ({ single }: Pick<GameSummary, 'single'>): 'confirm' | 'confirmSingle' =>
  single ? 'confirmSingle' : 'confirm';

/** Changes the language of the page as soon as its messages are there. */
export async function chooseLanguage(language: Language): Promise<void> {
  await loadLanguage(language);
  settings.language = language;
}

/** Stores the settings and applies them to the page, from now on. */
export function followSettings(): void {
  let before = JSON.stringify(settings);
  $effect(() => {
    const now = JSON.stringify(settings);
    if (now !== before) save(KEY, $state.snapshot(settings));
    before = now;
  });
  $effect(() => {
    const { documentElement } = document;
    const { language } = settings;
    documentElement.lang = language;
    documentElement.dir = propertyOf(language, 'direction');
    documentElement.style.setProperty('--t-fonts', propertyOf(language, 'fonts'));
    documentElement.style.setProperty('--t-comment', propertyOf(language, 'comment'));
    documentElement.dataset['theme'] = settings.theme;
  });
}

export const still = () =>
  settings.motion === 'none' || matchMedia('(prefers-reduced-motion: reduce)').matches;

/** By this factor an animation lasts longer than at the normal pace. */
export const stretch = () => ({ slow: 1.8, normal: 1, fast: 0.5 })[settings.pace];
