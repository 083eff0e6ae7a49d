/** Hints during a game, in three stages: the kind of action, its place, the action with its reasons. */
import { m } from '../../messages';
import { ApiError } from '../api/http';
import type { Translate } from '../board/describe';
import type { MatchBackend } from './backend';
import { wayOf } from '../board/way';
import type { ActionView, Piece } from '../api/view';
import type { Hint, HintReason, Problem, Snapshot } from '../api/types';

/** The action with its reasons is the last stage. */
const LAST = 3;

/** Whether the actions differ in this. */
const distinguishes = (actions: readonly ActionView[], by: (action: ActionView) => string): boolean =>
  new Set(actions.map(by)).size > 1;

export class Hints {
  /** 0: no hint is shown. */
  stage = $state(0);
  busy = $state(false);
  problem: Problem | null = $state.raw(null);
  private found: { hint: Hint; action: ActionView; pieces: readonly Piece[] } | null = $state.raw(null);

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

  /** The cells to mark on the board: the place first, then the way of the action. */
  readonly cells = $derived.by(() => {
    if (!this.found || this.stage < 2) return [];
    const { action, pieces } = this.found;
    return this.isLast ? wayOf(action, pieces) : action.touches;
  });

  /** The action in words, in the last stage. */
  readonly action = $derived(
    this.found && this.isLast ? { label: this.found.action.label, move: this.found.hint.move } : null,
  );

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
      this.found = { hint, action, pieces: now.view.pieces };
      this.stage += 1;
      // A stage that rules nothing out is skipped.
      if (this.stage === 1 && !distinguishes(now.view.actions, ({ kind }) => kind)) this.stage = 2;
      const alike = now.view.actions.filter(({ kind }) => kind === action.kind);
      if (this.stage === 2 && !distinguishes(alike, ({ touches }) => touches.join(' '))) this.stage = LAST;
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

  /** The hint in words beside its action, one sentence each. `places`: the marked cells in words, for those who do not see them. */
  words(t: Translate, places = ''): string[] {
    if (!this.found || this.stage === 0) return [];
    const { hint, action } = this.found;
    if (this.stage === 1) return [m.hint_kind({ kind: t({ key: `kind.${action.kind}` }) })];
    if (this.stage === 2) return [places ? m.hint_place_named({ places }) : m.hint_place()];
    return hint.reasons.map((reason) => describeReason(reason, t));
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
