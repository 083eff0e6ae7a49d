/** What is asked of the person now, in a heading and a sentence. */
import * as m from '../../paraglide/messages';
import { together } from '../i18n/catalogue.svelte';
import { told } from './result';
import type { Match } from './match.svelte';
import type { Say } from '../board/describe';
import type { View } from '../api/view';
import type { Snapshot } from '../api/types';

interface Question {
  heading: string;
  sentence: string;
}

export function nameOf(view: View, seat: number, say: Say): string {
  const known = view.seats[seat];
  return known ? say(known.name) : String(seat + 1);
}

/** `awaited`: the others for whom chance waits. */
export function ofMatch(match: Match, now: Snapshot, awaited: string[], say: Say): Question {
  const { acting, view } = now;
  if (now.paused) {
    const whose = acting === null ? '' : m.turn_of({ seat: nameOf(view, acting, say) });
    return { heading: m.paused_heading(), sentence: whose };
  }
  return { heading: heading(match, now, awaited, say), sentence: sentence(match, now, awaited, say) };
}

/** Of what is tried out and not played. */
export function ofTrial(match: Match, now: Snapshot, say: Say): Question {
  const { acting, view, result } = now;
  const { plan } = match;
  const chosen = choosing(match);
  if (match.asked) return { heading: say(match.asked.label), sentence: '' };
  if (acting === null)
    return {
      heading: m.trial_over(),
      sentence: result ? told(result, say, (seat) => nameOf(view, seat, say)) : '',
    };
  const seat = nameOf(view, acting, say);
  const whose = !plan.on ? m.turn_of({ seat }) : acting === plan.seat ? m.plan_then() : m.plan_if({ seat });
  return { heading: whose, sentence: chosen ?? (plan.complete ? m.plan_complete() : say(view.prompt)) };
}

function heading(
  match: Match,
  { acting, result, seats, status, view }: Snapshot,
  awaited: string[],
  say: Say,
) {
  const here = seats.filter(({ yours }) => yours);
  if (result) {
    const [winner] = result.winners;
    if (winner === undefined) return result.reason === 'aborted' ? m.result_none() : m.result_draw();
    return here.length === 1 && here[0]?.seat === winner
      ? m.result_you_win()
      : m.result_win({ seat: nameOf(view, winner, say) });
  }
  if (awaited.length > 0) return m.awaited({ seats: together(awaited) });
  if (acting === null) return m.chance_acts();
  if (status === 'confirming' && match.mine) return m.confirming();
  if (match.asked) return say(match.asked.label);
  const seat = nameOf(view, acting, say);
  if (match.mine) return here.length === 1 ? m.your_turn() : m.turn_of({ seat });
  if (seats[acting]?.kind !== 'engine') return m.waiting({ seat });
  return match.company.waits ? m.engine_waits({ seat }) : m.thinking({ seat });
}

function sentence(match: Match, { result, seats, status, view }: Snapshot, awaited: string[], say: Say) {
  if (result) return told(result, say, (seat) => nameOf(view, seat, say));
  if (status === 'confirming' && match.mine) return m.confirming_hint();
  if (match.asked) return '';
  const chosen = choosing(match);
  if (chosen !== null) return chosen;
  if (awaited.length > 0) return m.awaited_why();
  if (!match.mine) return seats.some(({ yours }) => yours) ? '' : m.watching();
  return say(view.prompt);
}

/** In the middle of choosing an action; null: nothing has been touched. */
function choosing(match: Match): string | null {
  if (match.asking) return m.choose_action();
  return match.touched.length > 0 ? m.then_touch() : null;
}
