/** The lessons of the server, and which of them this browser has completed. */
import { listLessons } from '../api/lessons';
import { isMapOf, isNumber } from '../platform/checks';
import { load, save } from '../platform/storage';
import { settings } from '../platform/settings.svelte';
import type { GameLessons, LessonInfo } from '../api/types';

const KEY = 'tavola.lessons';

export const lessons: { known: GameLessons[] | null } = $state({ known: null });

let asked: Promise<void> | null = null;

/** Fetches the lessons once; again after a failure. */
export function loadLessons(): Promise<void> {
  asked ??= listLessons(settings.language).then(
    (known) => {
      lessons.known = known;
    },
    (error: unknown) => {
      asked = null;
      throw error;
    },
  );
  return asked;
}

export const lessonsOf = (game: string): LessonInfo[] =>
  lessons.known?.find((known) => known.game === game)?.lessons ?? [];

/** The number of completed steps by `GAME/LESSON`. */
let completed: Record<string, number> = $state.raw(load(KEY, {}, isMapOf(isNumber)));

const keyOf = (game: string, lesson: string) => `${game}/${lesson}`;

export const stepsDone = (game: string, { id, steps }: LessonInfo): number =>
  Math.min(completed[keyOf(game, id)] ?? 0, steps.length);

export const isDone = (game: string, lesson: LessonInfo): boolean =>
  stepsDone(game, lesson) === lesson.steps.length;

/** Whether this browser has completed no step of any lesson of the game. */
export const isNewTo = (game: string): boolean => lessonsOf(game).every((one) => stepsDone(game, one) === 0);

/** The lesson to continue with: the first that is not complete. */
export const nextLesson = (game: string): LessonInfo | undefined =>
  lessonsOf(game).find((one) => !isDone(game, one));

export function markStep(game: string, lesson: string, count: number): void {
  const key = keyOf(game, lesson);
  if ((completed[key] ?? 0) >= count) return;
  completed = { ...completed, [key]: count };
  save(KEY, completed);
}
