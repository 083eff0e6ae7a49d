/** "Why not this?": an action, what it costs, and the reply that refutes it. */
import { m } from '../../messages';
import { ApiError } from '../api/http';
import { percent } from '../review/review.svelte';
import type { Translate } from '../board/describe';
import type { Problem } from '../api/types';
import type { ReplyReason, WhyNotAnswer } from '../api/whyNot';

/** The limits of each search of the core in the browser. */
export const WHY_NOT_LIMITS = { nodes: 8000, seconds: 0.6 };

export class WhyNot {
  /** Whether a chosen action is asked about, and not played. */
  open = $state(false);
  busy = $state(false);
  problem: Problem | null = $state.raw(null);
  answer: WhyNotAnswer | null = $state.raw(null);
  private asked = 0;

  constructor(
    /** Explains a legal action of the position; null: the last own action. */
    private readonly find: (token: string | null) => Promise<WhyNotAnswer>,
  ) {}

  async ask(token: string | null): Promise<void> {
    this.asked += 1;
    const { asked } = this;
    this.busy = true;
    this.problem = null;
    this.answer = null;
    try {
      const answer = await this.find(token);
      // The position changed meanwhile.
      if (asked === this.asked) this.answer = answer;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (asked === this.asked) this.problem = error.problem;
    } finally {
      if (asked === this.asked) this.busy = false;
    }
  }

  /** Opens or closes the question. */
  toggle(): void {
    const { open } = this;
    this.reset();
    this.open = !open;
  }

  reset(): void {
    this.asked += 1;
    this.open = false;
    this.busy = false;
    this.problem = null;
    this.answer = null;
  }
}

/** The cost of an action in words. */
export function describeCost({ good, loses, best, share }: WhyNotAnswer): string {
  if (good) return m.why_not_good();
  if (loses) return m.why_not_loses();
  return m.why_not_costs({ n: Math.max(percent(best - share), 1) });
}

/** The reasons for the reply, in words. `name`: the name of a seat. */
export function describeReasons(
  { seat, good, line, reasons, end }: WhyNotAnswer,
  name: (seat: number) => string,
  t: Translate,
): string[] {
  const ends = end ? [t(end)] : [];
  const reply = line.at(-1);
  if (good || !reply || reply.seat < 0 || reply.seat === seat) return ends;
  const [other, own] = [name(reply.seat), name(seat)];
  const sentences = reasons.map((reason) => describeReason(reason, other, own, t));
  return sentences.length + ends.length > 0 ? [...sentences, ...ends] : [m.why_not_better({ seat: other })];
}

function describeReason(
  { code, n, count, label }: ReplyReason,
  other: string,
  own: string,
  t: Translate,
): string {
  const counted = { n: n ?? 0, count: count ?? 0 };
  const what = label ? t(label) : '';
  switch (code) {
    case 'wins':
      return m.why_not_wins({ seat: other });
    case 'prevents':
      return m.why_not_prevents({ seat: own, ...counted });
    case 'threatens':
      return m.why_not_threatens({ seat: other, ...counted });
    case 'gains':
      return m.why_not_gains({ seat: other, what, n: n ?? 0 });
    case 'takes':
      return m.why_not_takes({ seat: own, what, n: n ?? 0 });
  }
}
