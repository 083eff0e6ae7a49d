/** HTTP endpoints of tournaments. */
import { callApi } from './http';
import type { NewTournament, TournamentCreated, TournamentList, TournamentState, WallView } from './server';
import type { Language } from './types';

const path = (tournament: string) => `/tournaments/${encodeURIComponent(tournament)}`;

export type TournamentAction =
  | { do: 'join'; token?: string | null; name?: string }
  | { do: 'leave' | 'return'; player?: number }
  | { do: 'engine'; level: number }
  | { do: 'turn'; to: 'started' | 'round' | 'paused' | 'resumed' | 'finished' }
  | { do: 'correct'; round: number; board: number; places: number[] };

export const listTournaments = (language: Language) => callApi<TournamentList>('/tournaments', language);

export const createTournament = (body: NewTournament, language: Language) =>
  callApi<TournamentCreated>('/tournaments', language, { body });

/** Fetches a tournament; without a view if `after` is its version. */
export const fetchTournament = (tournament: string, after: number, tokens: string[], language: Language) =>
  callApi<TournamentState>(`${path(tournament)}?after=${after}`, language, { tokens });

export const actInTournament = (
  tournament: string,
  body: TournamentAction,
  tokens: string[],
  language: Language,
) => callApi<TournamentState>(`${path(tournament)}/actions`, language, { tokens, body });

export const fetchWall = (tournament: string, language: Language) =>
  callApi<WallView>(`${path(tournament)}/wall`, language);
