/** Hints during a game, in three stages: the kind of action, its place, the action with its reasons. */
import * as m from '../../messages';
import { ApiError } from '../api/http';
import type { Translate } from '../board/describe';
import type { MatchBackend } from './backend';
import type { ActionView } from '../api/view';
import type { Hint, HintReason, Problem, Snapshot } from '../api/types';

/** The action with its reasons is the last stage. */
const LAST = 3;

export class Hints {
  /** 0: no hint is shown. */
  stage = $state(0);
  busy = $state(false);
  problem: Problem | null = $state.raw(null);
  private found: { hint: Hint; action: ActionView } | null = $state.raw(null);

  constructor(private readonly backend: Pick<MatchBackend, 'hint'>) {}

  /** Whether the match allows hints: no other person plays, and it is not rated. */
  static allowed(now: Snapshot): boolean {
    return Hints.alone(now) && now.status === 'playing' && now.view.actions.length > 0;
  }

  /** Whether no other person plays, and the match is not rated. */
  static alone(now: Snapshot): boolean {
    return !now.rated && now.seats.every(({ kind, yours, open }) => kind === 'engine' || (yours && !open));
  }

  readonly isLast = $derived(this.stage === LAST);

  /** The cells to mark on the board. */
  readonly cells = $derived(this.stage > 1 ? (this.found?.action.touches ?? []) : []);

  /** Goes on to the next stage of the hint for this position. */
  async next(now: Snapshot): Promise<void> {
    if (this.busy || this.isLast) return;
    this.busy = true;
    this.problem = null;
    try {
      const hint = this.found?.hint ?? (await this.backend.hint());
      const action = now.view.actions.find(({ token }) => token === hint.token);
      // The answer belongs to another position.
      if (hint.seq !== now.seq || !action) return;
      this.found = { hint, action };
      // A button has no place.
      this.stage += this.stage === 1 && action.touches.length === 0 ? 2 : 1;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.problem = error.problem;
    } finally {
      this.busy = false;
    }
  }

  reset(): void {
    this.stage = 0;
    this.found = null;
    this.problem = null;
  }

  /** The hint in words, one sentence each. `places`: the marked cells in words, for those who do not see them. */
  words(t: Translate, places = ''): string[] {
    if (!this.found || this.stage === 0) return [];
    const { hint, action } = this.found;
    if (this.stage === 1) return [m.hint_kind({ kind: t({ key: `kind.${action.kind}` }) })];
    if (this.stage === 2) return [places ? m.hint_place_named({ places }) : m.hint_place()];
    return [t(action.label), ...hint.reasons.map((reason) => describeReason(reason, t))];
  }
}

function describeReason({ code, n, count, label }: HintReason, t: Translate): string {
  switch (code) {
    case 'wins':
      return n === null ? m.hint_wins() : m.hint_wins_within({ n });
    case 'prevents':
      return m.hint_prevents({ n: n ?? 0, count: count ?? 0 });
    case 'threatens':
      return m.hint_threatens({ n: n ?? 0, count: count ?? 0 });
    case 'gains':
      return m.hint_gains({ what: label ? t(label) : '', n: n ?? 0 });
    case 'chances':
      return m.hint_chances({ n: n ?? 0 });
  }
}
