/** HTTP endpoints of accounts and ratings. */
import { callApi } from './http';
import type { Progress } from '../learn/progress';
import type { Language, MatchSummary } from './types';

/** Matches of two seats are rated apart from those of more. */
export const RATING_GROUPS = ['two', 'several'] as const;

export interface Rating {
  game: string;
  field: (typeof RATING_GROUPS)[number];
  rating: number;
  deviation: number;
  matches: number;
}

export interface AccountInfo {
  name: string;
  /** Creation time in ISO format. */
  created: string;
  ratings: Rating[];
}

export interface SessionInfo {
  id: string;
  /** The user agent string of the browser. */
  agent: string;
  created: string;
  last_seen: string;
  current: boolean;
}

/** An entry of a ranking: an account by name, or an engine by level. */
export interface RankingEntry {
  rating: number;
  deviation: number;
  matches: number;
  /** Whether the rating is certain enough for a rank. */
  established: boolean;
  name?: string;
  level?: number;
  yours?: boolean;
}

export type Ranking = Record<(typeof RATING_GROUPS)[number], RankingEntry[]>;

export interface RatingChange {
  seat: number;
  before: number;
  after: number;
}

export const fetchAccount = (language: Language) =>
  callApi<{ account: AccountInfo | null }>('/account', language);

export interface Credentials {
  name: string;
  password: string;
}

export const signUp = (credentials: Credentials, language: Language) =>
  callApi<{ account: AccountInfo }>('/account', language, { body: credentials });

export const signIn = (credentials: Credentials, language: Language) =>
  callApi<{ account: AccountInfo }>('/account/sign-in', language, { body: credentials });

export const signOut = (language: Language) => callApi<null>('/account/sign-out', language, { body: {} });

export const changePassword = (change: { old: string; new: string }, language: Language) =>
  callApi<null>('/account/password', language, { body: change });

export const fetchSessions = (language: Language) => callApi<SessionInfo[]>('/account/sessions', language);

export const endSession = (session: string, language: Language) =>
  callApi<null>(`/account/sessions/${encodeURIComponent(session)}`, language, { method: 'DELETE' });

/** `after`: cursor from the previous answer. */
export const fetchOwnMatches = (after: string | null, language: Language) =>
  callApi<{ matches: MatchSummary[]; more: string | null }>(
    `/account/matches${after === null ? '' : `?${new URLSearchParams({ after })}`}`,
    language,
  );

/** Adds seats that were taken without the account to it. */
export const claimSeats = (match: string, tokens: string[], language: Language) =>
  callApi<null>('/account/seats', language, { body: { match, tokens } });

export const fetchPuzzleProgress = (language: Language) => callApi<Progress>('/account/puzzles', language);

/** Merges progress into that of the account, and returns all of it. */
export const addPuzzleProgress = (progress: Progress, language: Language) =>
  callApi<Progress>('/account/puzzles', language, { body: progress });

/** URL of the download of all the account's data. */
export const EXPORT_URL = '/api/account/export';

export const deleteAccount = (password: string, language: Language) =>
  callApi<null>('/account/delete', language, { body: { password } });

export const fetchRanking = (game: string, language: Language) =>
  callApi<Ranking>(`/games/${encodeURIComponent(game)}/ratings`, language);

export const fetchRatingChanges = (match: string, language: Language) =>
  callApi<{ changes: RatingChange[] }>(`/matches/${encodeURIComponent(match)}/ratings`, language);
