/** HTTP endpoints of lessons and puzzles. */
import { callApi } from './http';
import { ofLine, ofSelection, type Query, withQuery } from './query';
import type { LessonData } from '../core/types';
import type { Prospect, Refusal } from './view';
import type { GameLessons, GamePuzzles, Language, LessonInfo, LessonPosition } from './types';

/** A step of a lesson after the player's actions. */
export interface LessonRef {
  game: string;
  lesson: string;
  step: number;
  line: readonly string[];
}

const path = ({ game, lesson, step, line }: LessonRef, rest: string, asked: Query = []) =>
  withQuery(`/games/${encodeURIComponent(game)}/lessons/${encodeURIComponent(lesson)}/${step}${rest}`, [
    ...asked,
    ...ofLine(line),
  ]);

export const listLessons = (language: Language) => callApi<GameLessons[]>('/lessons', language);

export const listPuzzles = (language: Language) => callApi<GamePuzzles[]>('/puzzles', language);

/** The lessons of a game with their solutions. */
export const listGameLessons = (game: string, language: Language) =>
  callApi<LessonData[]>(`/games/${encodeURIComponent(game)}/lessons`, language);

/** The puzzles of a game with their solutions, in the form of lessons. */
export const listGamePuzzles = (game: string, language: Language) =>
  callApi<LessonData[]>(`/games/${encodeURIComponent(game)}/puzzles`, language);

/** A puzzle in the form of a lesson. */
export const fetchPuzzle = (game: string, puzzle: string, language: Language) =>
  callApi<LessonInfo>(`/games/${encodeURIComponent(game)}/puzzles/${encodeURIComponent(puzzle)}`, language);

export const fetchLessonPosition = (at: LessonRef, language: Language) =>
  callApi<LessonPosition>(path(at, ''), language);

export const explainInLesson = (
  at: LessonRef,
  touched: readonly string[],
  rotation: number | null,
  language: Language,
) => callApi<{ refusal: Refusal | null }>(path(at, '/explain', ofSelection(touched, rotation)), language);

export const fetchLessonProspect = (at: LessonRef, token: string, language: Language) =>
  callApi<Prospect>(path(at, '/prospect', [['token', token]]), language);
