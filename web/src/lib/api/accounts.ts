/** What is asked over HTTP of accounts and ratings. */
import { ask } from './matches';
import type { Language, Standing } from './types';

/** Matches of two seats are rated apart from those of more. */
export const FIELDS = ['two', 'several'] as const;

export interface Rated {
  game: string;
  field: (typeof FIELDS)[number];
  rating: number;
  deviation: number;
  matches: number;
}

export interface Me {
  name: string;
  /** When it was made, in ISO format. */
  created: string;
  ratings: Rated[];
}

export interface SessionInfo {
  id: string;
  /** What the browser calls itself. */
  agent: string;
  created: string;
  seen: string;
  current: boolean;
}

/** A line of a ranking list: an account by its name, or an engine by its level. */
export interface Ranked {
  rating: number;
  deviation: number;
  matches: number;
  /** Whether so much is known that the place means something. */
  sure: boolean;
  name?: string;
  level?: number;
  yours?: boolean;
}

export type Ranking = Record<(typeof FIELDS)[number], Ranked[]>;

export interface RatingChange {
  seat: number;
  before: number;
  after: number;
}

export const whoAmI = (language: Language) => ask<{ account: Me | null }>('/account', language);

export interface Credentials {
  name: string;
  password: string;
}

export const signUp = (credentials: Credentials, language: Language) =>
  ask<{ account: Me }>('/account', language, { body: credentials });

export const signIn = (credentials: Credentials, language: Language) =>
  ask<{ account: Me }>('/account/sign-in', language, { body: credentials });

export const signOut = (language: Language) => ask<null>('/account/sign-out', language, { body: {} });

export const changePassword = (change: { old: string; new: string }, language: Language) =>
  ask<null>('/account/password', language, { body: change });

export const sessions = (language: Language) => ask<SessionInfo[]>('/account/sessions', language);

export const endSession = (session: string, language: Language) =>
  ask<null>(`/account/sessions/${encodeURIComponent(session)}`, language, { method: 'DELETE' });

/** `after`: where the last answer ended. */
export const ownMatches = (after: string | null, language: Language) =>
  ask<{ matches: Standing[]; more: string | null }>(
    `/account/matches${after === null ? '' : `?${new URLSearchParams({ after })}`}`,
    language,
  );

/** Makes seats that were taken without the account the account's. */
export const claim = (match: string, tokens: string[], language: Language) =>
  ask<null>('/account/seats', language, { body: { match, tokens } });

/** Where all that is stored of the account is downloaded. */
export const EXPORT = '/api/account/export';

export const deleteAccount = (password: string, language: Language) =>
  ask<null>('/account/delete', language, { body: { password } });

export const ranking = (game: string, language: Language) =>
  ask<Ranking>(`/games/${encodeURIComponent(game)}/ratings`, language);

export const ratingChanges = (match: string, language: Language) =>
  ask<{ changes: RatingChange[] }>(`/matches/${encodeURIComponent(match)}/ratings`, language);
