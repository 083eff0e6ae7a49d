/** HTTP endpoints of games and matches. */
import { ApiError, callApi } from './http';
import type { View } from './view';
import type {
  FairnessRecord,
  GameInfo,
  GameSummary,
  Language,
  CreatedMatch,
  MatchRequest,
  Options,
  RuleBook,
  Snapshot,
  MatchSummary,
} from './types';

const part = encodeURIComponent;

/** Fetches the games; `index.html` preloads the answer. */
export const listGames = () => callApi<GameSummary[]>('/games', null);

/** Fetches a game with what its board needs. */
export const fetchGame = (game: string) => callApi<GameInfo>(`/games/${part(game)}`, null);

/** Names of the agents that the host added. */
export const listAgents = (language: Language) => callApi<string[]>('/agents', language);

export const fetchPreview = (game: string, options: Options) =>
  callApi<{ view: View }>(
    `/games/${part(game)}/preview?${new URLSearchParams(Object.entries(options).map(([name, value]) => [name, String(value)]))}`,
    null,
  );

/** A position from the middle of a game. */
export const fetchCover = (game: string) => callApi<{ view: View }>(`/games/${part(game)}/cover`, null);

export const fetchRules = (game: string, language: Language) =>
  callApi<RuleBook>(`/games/${part(game)}/rules/${language}`, language);

export const createMatch = (request: MatchRequest, language: Language) =>
  callApi<CreatedMatch>('/matches', language, { body: { ...request, contribute: true } });

export const fetchSnapshot = (match: string, tokens: string[], language: Language) =>
  callApi<Snapshot>(`/matches/${part(match)}`, language, { tokens });

/** Takes the seat of an invitation, or without one a seat listed in the lobby. */
export const takeSeat = (
  match: string,
  taking: { token: string; invitation: string | null; name: string },
  language: Language,
) => callApi<{ seat: number }>(`/matches/${part(match)}/seats`, language, { body: taking });

export const fetchSummary = (match: string, tokens: string[], language: Language) =>
  callApi<MatchSummary>(`/matches/${part(match)}/standing`, language, { tokens });

/** Removes a match from the lobby. */
export const removeFromLobby = (match: string, tokens: string[], language: Language) =>
  callApi<null>(`/lobby/${part(match)}`, language, { tokens, method: 'DELETE' });

/** Fetches the data that verifies the random draws of a finished match. */
export const fetchDraws = (match: string, language: Language) =>
  callApi<FairnessRecord>(`/matches/${part(match)}/draws`, language);

export async function fetchRecord(match: string): Promise<string> {
  const response = await fetch(`/api/matches/${part(match)}/record`);
  if (!response.ok) throw new ApiError({ code: 'internal', params: {}, message: '' }, response.status);
  return response.text();
}
