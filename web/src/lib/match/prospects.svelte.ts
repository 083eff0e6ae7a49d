/** Prospects: what the action under the pointer would do, fetched while the player looks at it. */
import type { ActionView, Prospect } from '../api/view';

/** A pointer that only passes over a cell asks nothing. */
const PAUSE = 70;

/** `Context`: identifies the position; the same object while it stays the same. */
export class Prospects<Context> {
  /** The prospect of the action, once known. */
  shown: Prospect | null = $state.raw(null);

  private context: Context | null = null;
  private token: string | null = null;
  private readonly known = new Map<string, Prospect>();
  /** Kinds of action without a prospect. */
  private readonly silent = new Set<string>();
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly ask: (context: Context, token: string) => Promise<Prospect | null>,
    /** Called when the prospect of the current action arrives. */
    private readonly onProspect: (action: ActionView, prospect: Prospect) => void,
  ) {}

  /** The player looks at an action, or at none. */
  look(action: ActionView | null, context: Context): void {
    if (context !== this.context) this.known.clear();
    else if (action?.token === this.token) return;
    this.context = context;
    this.token = action?.token ?? null;
    clearTimeout(this.timer);
    this.shown = action ? (this.known.get(action.token) ?? null) : null;
    if (!action) return;
    if (this.shown) this.onProspect(action, this.shown);
    else if (!this.silent.has(action.kind))
      this.timer = setTimeout(() => void this.fetch(action, context), PAUSE);
  }

  /** The prospect of an action of the latest context, if known. */
  of(action: ActionView): Prospect | null {
    return this.known.get(action.token) ?? null;
  }

  private async fetch(action: ActionView, context: Context): Promise<void> {
    const prospect = await this.ask(context, action.token);
    if (!prospect || context !== this.context) return;
    this.known.set(action.token, prospect);
    const { pieces, lines, texts, numbers = [] } = prospect;
    if (pieces.length + lines.length + texts.length + numbers.length === 0) {
      this.silent.add(action.kind);
    }
    if (action.token !== this.token) return;
    this.shown = prospect;
    this.onProspect(action, prospect);
  }
}
