/** HTTP endpoints of games and matches. */
import { ApiError, callApi } from './http';
import type { Prospect, Refusal, View } from './view';
import type {
  ProofResult,
  FairnessRecord,
  GameInfo,
  GameSummary,
  Hint,
  Language,
  CreatedMatch,
  MatchRequest,
  Options,
  PositionRef,
  PlannedLines,
  RuleBook,
  Snapshot,
  MatchSummary,
} from './types';
import type { WhyNotAnswer } from './whyNot';

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

const tried = (line: readonly string[]) => line.map((token) => ['line', token]);

/** Fetches the match after a number of actions followed by the variation `line`. */
export const fetchPosition = (
  match: string,
  { ply, line }: PositionRef,
  tokens: string[],
  language: Language,
) => {
  const asked = line.length > 0 ? `?${new URLSearchParams(tried(line))}` : '';
  return callApi<Snapshot>(`/matches/${part(match)}/positions/${ply}${asked}`, language, { tokens });
};

/** Query parameters `asked` for the current position, or for the position `at`. */
const asking = (asked: string[][], at: PositionRef | null) =>
  new URLSearchParams(at ? [...asked, ['ply', String(at.ply)], ...tried(at.line)] : asked);

/** Fetches the conditional moves of a seat. */
export const fetchPlan = (match: string, seat: number, tokens: string[], language: Language) =>
  callApi<PlannedLines>(`/matches/${part(match)}/conditional-moves?seat=${seat}`, language, { tokens });

/** Saves conditional moves over `version`. */
export const savePlan = (
  match: string,
  body: { seat: number; seq: number; version: string; lines: string[][] },
  tokens: string[],
  language: Language,
) => callApi<PlannedLines>(`/matches/${part(match)}/conditional-moves`, language, { tokens, body });

/** `turn`: the rotation of the selected piece in degrees. */
export const explainRejection = (
  match: string,
  touched: string[],
  turn: number | null,
  at: PositionRef | null,
  tokens: string[],
  language: Language,
) => {
  const asked = touched.map((cell) => ['touched', cell]);
  if (turn !== null) asked.push(['turn', String(turn)]);
  const path = `/matches/${part(match)}/explain?${asking(asked, at)}`;
  return callApi<{ refusal: Refusal | null }>(path, language, { tokens });
};

export const fetchProspect = (
  match: string,
  seq: number,
  token: string,
  at: PositionRef | null,
  tokens: string[],
  language: Language,
) => {
  const asked = [
    ['seq', String(seq)],
    ['token', token],
  ];
  return callApi<Prospect>(`/matches/${part(match)}/prospect?${asking(asked, at)}`, language, { tokens });
};

export const fetchProof = (match: string, language: Language) =>
  callApi<ProofResult>(`/matches/${part(match)}/proof`, language);

/** Fetches the action that a short search prefers, with its reasons. */
export const fetchHint = (match: string, tokens: string[], language: Language) =>
  callApi<Hint>(`/matches/${part(match)}/hint`, language, { tokens });

/** Explains an own action after `ply` actions. */
export const fetchWhyNot = (
  match: string,
  ply: number,
  token: string,
  tokens: string[],
  language: Language,
) =>
  callApi<WhyNotAnswer>(
    `/matches/${part(match)}/why-not?${new URLSearchParams({ ply: String(ply), token })}`,
    language,
    { tokens },
  );

/** Fetches the data that verifies the random draws of a finished match. */
export const fetchDraws = (match: string, language: Language) =>
  callApi<FairnessRecord>(`/matches/${part(match)}/draws`, language);

export async function fetchRecord(match: string): Promise<string> {
  const response = await fetch(`/api/matches/${part(match)}/record`);
  if (!response.ok) throw new ApiError({ code: 'internal', params: {}, message: '' }, response.status);
  return response.text();
}
