/** The heading and the sentence of the prompt. */
import { m } from '../../messages';
import { formatList } from '../i18n/formats';
import { declinedText } from './requests';
import { resultHeading, resultReason } from './result';
import type { Match } from './match.svelte';
import type { Translate } from '../board/describe';
import type { View } from '../api/view';
import type { Snapshot } from '../api/types';

interface Question {
  heading: string;
  sentence: string;
}

export function nameOf(view: View, seat: number, t: Translate): string {
  const known = view.seats[seat];
  return known ? t(known.name) : String(seat + 1);
}

/** `awaited`: other seats that have not joined yet. */
export function ofMatch(match: Match, now: Snapshot, awaited: string[], t: Translate): Question {
  const { acting, view } = now;
  if (now.paused) {
    const whose = acting === null ? '' : m.turn_of({ seat: nameOf(view, acting, t) });
    return { heading: m.paused_heading(), sentence: whose };
  }
  return { heading: heading(match, now, awaited, t), sentence: sentence(match, now, awaited, t) };
}

/** The last event in one line; the log announces it, so it is only visible. `plain`: without coordinates. */
export function newsOf(match: Match, now: Snapshot, t: Translate, plain: Translate): string {
  const refusal = match.serverState?.declined;
  if (refusal) return declinedText(refusal, (seat) => nameOf(now.view, seat, t));
  if (now.result && !match.variation.on) return '';
  const late = now.log.findLast(({ seat }) => seat >= 0)?.late ?? false;
  return [...(late ? [m.announce_late()] : []), ...(match.frame?.texts ?? []).map(plain)].join(
    m.news_between(),
  );
}

/** The prompt in a variation. */
export function ofTrial(match: Match, now: Snapshot, t: Translate): Question {
  const { acting, view, result } = now;
  const { conditionalMoves } = match;
  const chosen = choosing(match);
  if (match.toConfirm) return { heading: t(match.toConfirm.label), sentence: '' };
  if (acting === null)
    return {
      heading: m.variation_over(),
      sentence: result ? resultReason(result, t, (seat) => nameOf(view, seat, t)) : '',
    };
  const seat = nameOf(view, acting, t);
  const whose = !conditionalMoves.editing
    ? m.turn_of({ seat })
    : acting === conditionalMoves.seat
      ? m.conditional_then()
      : m.conditional_if({ seat });
  return {
    heading: whose,
    sentence: chosen ?? (conditionalMoves.complete ? m.conditional_complete() : t(view.prompt)),
  };
}

function heading(
  match: Match,
  { acting, result, seats, status, view }: Snapshot,
  awaited: string[],
  t: Translate,
) {
  const here = seats.filter(({ yours }) => yours);
  if (result) {
    const own = here.length === 1 ? here[0]?.seat : null;
    return resultHeading(result, (seat) => nameOf(view, seat, t), own);
  }
  if (awaited.length > 0) return m.waiting_to_join({ seats: formatList(awaited) });
  if (acting === null) return m.drawing();
  if (status === 'confirming' && match.isMyTurn) return m.confirming();
  if (match.toConfirm) return t(match.toConfirm.label);
  const seat = nameOf(view, acting, t);
  if (match.isMyTurn) return here.length === 1 ? m.your_turn() : m.turn_of({ seat });
  if (seats[acting]?.kind !== 'engine') return m.waiting({ seat });
  if (match.presence.engineFailure?.seat === acting) return m.engine_failed({ seat });
  return match.presence.engineQueued ? m.engine_queued({ seat }) : m.thinking({ seat });
}

function sentence(match: Match, { result, seats, status, view }: Snapshot, awaited: string[], t: Translate) {
  if (result) return resultReason(result, t, (seat) => nameOf(view, seat, t));
  if (status === 'confirming' && match.isMyTurn) return m.confirming_hint();
  if (match.toConfirm) return '';
  const chosen = choosing(match);
  if (chosen !== null) return chosen;
  if (awaited.length > 0) return m.waiting_to_join_hint();
  if (!match.isMyTurn) return seats.some(({ yours }) => yours) ? '' : m.spectating();
  return t(view.prompt);
}

/** The hint during a selection; null: nothing is selected. */
function choosing(match: Match): string | null {
  if (match.choices) return m.choose_action();
  return match.selected.length > 0 ? m.select_space() : null;
}
