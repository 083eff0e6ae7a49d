/** What is asked over HTTP. */
import type { Prospect, Refusal, View } from './view';
import type {
  Certainty,
  Draws,
  GameInfo,
  Language,
  MatchMade,
  MatchRequest,
  Options,
  Place,
  Planned,
  Problem,
  RuleBook,
  Snapshot,
  Standing,
} from './types';

/** The server's refusal, or `code: "offline"` if it does not answer. */
export class Refused extends Error {
  constructor(
    readonly problem: Problem,
    readonly status: number,
  ) {
    super(problem.message || problem.code);
  }
}

export async function ask<Answer>(
  path: string,
  language: Language,
  { tokens = [], body, method }: { tokens?: string[]; body?: unknown; method?: 'DELETE' } = {},
): Promise<Answer> {
  const headers: Record<string, string> = { 'Accept-Language': language };
  if (tokens.length > 0) headers['Authorization'] = `Bearer ${tokens.join(',')}`;
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  let response: Response;
  try {
    response = await fetch(
      `/api${path}`,
      body === undefined
        ? { headers, ...(method && { method }) }
        : { headers, method: 'POST', body: JSON.stringify(body) },
    );
  } catch {
    throw new Refused({ code: 'offline', params: {}, message: '' }, 0);
  }
  const text = await response.text();
  if (response.ok) return (text === '' ? null : JSON.parse(text)) as Answer;
  let problem: Problem;
  try {
    problem = JSON.parse(text) as Problem;
  } catch {
    problem = { code: 'internal', params: {}, message: `${response.status} ${response.statusText}` };
  }
  throw new Refused(problem, response.status);
}

const part = encodeURIComponent;

export const games = (language: Language) => ask<GameInfo[]>('/games', language);

export const preview = (game: string, options: Options, language: Language) =>
  ask<{ view: View }>(
    `/games/${part(game)}/preview?${new URLSearchParams(Object.entries(options).map(([name, value]) => [name, String(value)]))}`,
    language,
  );

export const rules = (game: string, language: Language) =>
  ask<RuleBook>(`/games/${part(game)}/rules/${language}`, language);

export const make = (request: MatchRequest, language: Language) =>
  ask<MatchMade>('/matches', language, { body: { ...request, contribute: true } });

export const snapshot = (match: string, tokens: string[], language: Language) =>
  ask<Snapshot>(`/matches/${part(match)}`, language, { tokens });

/** Takes a seat: the link's, or without an invitation one that is offered in the lobby. */
export const takeSeat = (
  match: string,
  taking: { token: string; invitation: string | null; name: string },
  language: Language,
) => ask<{ seat: number }>(`/matches/${part(match)}/seats`, language, { body: taking });

export const standing = (match: string, tokens: string[], language: Language) =>
  ask<Standing>(`/matches/${part(match)}/standing`, language, { tokens });

/** Offers a match in the lobby no longer. */
export const withdraw = (match: string, tokens: string[], language: Language) =>
  ask<null>(`/lobby/${part(match)}`, language, { tokens, method: 'DELETE' });

const tried = (line: readonly string[]) => line.map((token) => ['line', token]);

/** A match after so many of its actions, and after `line`, which was not played. */
export const along = (match: string, { place, line }: Place, tokens: string[], language: Language) => {
  const asked = line.length > 0 ? `?${new URLSearchParams(tried(line))}` : '';
  return ask<Snapshot>(`/matches/${part(match)}/positions/${place}${asked}`, language, { tokens });
};

/** `asked`, of the position now or of another. */
const asking = (asked: string[][], at: Place | null) =>
  new URLSearchParams(at ? [...asked, ['place', String(at.place)], ...tried(at.line)] : asked);

/** What is left of a seat's plan. */
export const plan = (match: string, seat: number, tokens: string[], language: Language) =>
  ask<Planned>(`/matches/${part(match)}/plan?seat=${seat}`, language, { tokens });

/** Plans instead of what was planned as `version`. */
export const makePlan = (
  match: string,
  body: { seat: number; seq: number; version: string; lines: string[][] },
  tokens: string[],
  language: Language,
) => ask<Planned>(`/matches/${part(match)}/plan`, language, { tokens, body });

/** `turn`: how the piece in hand is held. */
export const explain = (
  match: string,
  touched: string[],
  turn: number | null,
  at: Place | null,
  tokens: string[],
  language: Language,
) => {
  const asked = touched.map((cell) => ['touched', cell]);
  if (turn !== null) asked.push(['turn', String(turn)]);
  const path = `/matches/${part(match)}/explain?${asking(asked, at)}`;
  return ask<{ refusal: Refusal | null }>(path, language, { tokens });
};

export const prospect = (
  match: string,
  seq: number,
  token: string,
  at: Place | null,
  tokens: string[],
  language: Language,
) => {
  const asked = [
    ['seq', String(seq)],
    ['token', token],
  ];
  return ask<Prospect>(`/matches/${part(match)}/prospect?${asking(asked, at)}`, language, { tokens });
};

export const proof = (match: string, language: Language) =>
  ask<Certainty>(`/matches/${part(match)}/proof`, language);

/** All that is needed to check the draws of a finished match. */
export const draws = (match: string, language: Language) =>
  ask<Draws>(`/matches/${part(match)}/draws`, language);

export async function record(match: string): Promise<string> {
  const response = await fetch(`/api/matches/${part(match)}/record`);
  if (!response.ok) throw new Refused({ code: 'internal', params: {}, message: '' }, response.status);
  return response.text();
}
