/** HTTP endpoints of accounts and ratings. */
import { callApi } from './http';
import type { Progress } from '../learn/progress';
import type {
  AccountInfo,
  ApiToken,
  ApiTokenCreated,
  Credentials,
  CurrentAccount,
  Leaderboards,
  NewApiToken,
  RatingChange,
  SessionInfo,
} from './server';
import type { Language, MatchSummary } from './types';

/** Matches of two seats are rated apart from those of more. */
export const RATING_GROUPS = ['two', 'several'] as const;

export type {
  AccountInfo,
  AccountRating as Rating,
  ApiToken,
  Credentials,
  LeaderboardRow as RankingEntry,
  Leaderboards as Ranking,
  RatingChange,
  SessionInfo,
} from './server';

export const fetchAccount = (language: Language) => callApi<CurrentAccount>('/account', language);

export const signUp = (credentials: Credentials, language: Language) =>
  callApi<{ account: AccountInfo }>('/account', language, { body: credentials });

export const signIn = (credentials: Credentials, language: Language) =>
  callApi<{ account: AccountInfo }>('/account/sign-in', language, { body: credentials });

export const signOut = (language: Language) => callApi<null>('/account/sign-out', language, { body: {} });

export const changePassword = (change: { old: string; new: string }, language: Language) =>
  callApi<null>('/account/password', language, { body: change });

/** Sends a link that sets a new password to a confirmed address, if it is one. */
export const requestRecovery = (address: string, language: Language) =>
  callApi<null>('/account/recovery', language, { body: { address } });

/** Sets a new password by such a link, and signs in. */
export const recoverPassword = (recovered: { link: string; password: string }, language: Language) =>
  callApi<{ account: AccountInfo }>('/account/recovery/password', language, { body: recovered });

export const fetchSessions = (language: Language) => callApi<SessionInfo[]>('/account/sessions', language);

export const endSession = (session: string, language: Language) =>
  callApi<null>(`/account/sessions/${encodeURIComponent(session)}`, language, { method: 'DELETE' });

export const fetchTokens = (language: Language) => callApi<ApiToken[]>('/account/tokens', language);

export const createToken = (wanted: NewApiToken, language: Language) =>
  callApi<ApiTokenCreated>('/account/tokens', language, { body: wanted });

export const revokeToken = (token: string, language: Language) =>
  callApi<null>(`/account/tokens/${encodeURIComponent(token)}`, language, { method: 'DELETE' });

/** Makes an account without games a bot, for good. */
export const becomeBot = (language: Language) => callApi<null>('/account/bot', language, { body: {} });

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
  callApi<Leaderboards>(`/games/${encodeURIComponent(game)}/ratings`, language);

export const fetchRatingChanges = (match: string, language: Language) =>
  callApi<{ changes: RatingChange[] }>(`/matches/${encodeURIComponent(match)}/ratings`, language);
