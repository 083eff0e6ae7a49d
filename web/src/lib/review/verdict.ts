/** Judgements and forced results in words. */
import { m } from '../../messages';
import { grammar } from '../i18n/catalogue.svelte';
import { percent } from './review.svelte';
import type { ForcedResult, JudgedAction } from '../api/types';

const GRADES = {
  best: m.grade_best,
  good: m.grade_good,
  mistake: m.grade_mistake,
  blunder: m.grade_blunder,
};

/** An action's grade and cost, or the luck of a random event; `name`: of a seat. */
export function verdict({ grade, cost, effect }: JudgedAction, name: (seat: number) => string): string {
  if (grade === null) {
    const gained = effect.map((part, seat) => ({ seat, whole: percent(part) }));
    const lucky = gained.filter(({ whole }) => whole !== 0);
    if (lucky.length === 0) return '';
    const parts = lucky.map(({ seat, whole }) => `${name(seat)} ${whole > 0 ? '+' : '−'}${Math.abs(whole)}%`);
    return m.labelled({ label: m.luck(), what: grammar.list(parts) });
  }
  const lost = percent(cost);
  return lost > 0 ? `${GRADES[grade]()} (${m.cost({ cost: lost })})` : GRADES[grade]();
}

/** A forced result; empty where no sentence fits. */
export function forcedResult(certain: ForcedResult, name: (seat: number) => string): string {
  const [winner] = certain.winners;
  if (winner === undefined) return m.evaluation_draw();
  if (certain.winners.length > 1) return '';
  if (certain.actions === null) return m.evaluation_win({ seat: name(winner) });
  if (certain.actions === 1) return m.forced_win_next({ seat: name(winner) });
  return m.evaluation_win_within({ seat: name(winner), n: certain.actions });
}
