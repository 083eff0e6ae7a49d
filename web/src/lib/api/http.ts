/** Requests to the HTTP API. */
import type { Language, Problem } from './types';

/** An error response of the server, or `code: "offline"` without a response. */
export class ApiError extends Error {
  constructor(
    readonly problem: Problem,
    readonly status: number,
  ) {
    super(problem.message || problem.code);
  }
}

/** `language`: of error messages; null: any, so that the answer to a preload fits. */
export async function callApi<Answer>(
  path: string,
  language: Language | null,
  { tokens = [], body, method }: { tokens?: string[]; body?: unknown; method?: 'DELETE' } = {},
): Promise<Answer> {
  const headers: Record<string, string> = language === null ? {} : { 'Accept-Language': language };
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
    throw new ApiError({ code: 'offline', params: {}, message: '' }, 0);
  }
  const text = await response.text();
  if (response.ok) return (text === '' ? null : JSON.parse(text)) as Answer;
  let problem: Problem;
  try {
    problem = JSON.parse(text) as Problem;
  } catch {
    problem = { code: 'internal', params: {}, message: `${response.status} ${response.statusText}` };
  }
  throw new ApiError(problem, response.status);
}
