/** The engine levels in words: how strong they are, and what they overlook. */
import { m } from '../../messages';
import type { GameSummary } from '../api/types';
import { LEVELS } from './createMatch';

export const nameLevel = (level: number): string =>
  level === LEVELS[0]
    ? m.engine_beginner({ level })
    : level === LEVELS.at(-1)
      ? m.engine_strongest({ level })
      : m.engine_level({ level });

/** From this look-ahead on, an engine follows this turn and the next to their ends. */
const WHOLE_TURNS = 5;
/** Blunder rates from which an engine errs often and sometimes. */
const [OFTEN, SOMETIMES] = [0.3, 0.1];

/** The sight of a level, and how often it plays a weaker action on purpose. */
export function describeLevel({ levels }: GameSummary, level: number): string {
  const known = levels[level - 1];
  if (!known) return '';
  const { lookahead, blunders } = known;
  const sees =
    lookahead === 0
      ? m.level_sees_nothing()
      : lookahead === 1
        ? m.level_sees_one()
        : lookahead < WHOLE_TURNS
          ? m.level_sees({ n: lookahead })
          : lookahead === WHOLE_TURNS
            ? m.level_sees_turns()
            : m.level_sees_far();
  const errs =
    blunders >= OFTEN
      ? m.level_errs_often()
      : blunders >= SOMETIMES
        ? m.level_errs_sometimes()
        : m.level_errs_never();
  return m.level_words({ sees, errs });
}
