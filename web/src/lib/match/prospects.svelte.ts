/** What the action that a person considers would bring: asked for while they look at it. */
import type { ActionView, Prospect } from '../api/view';

/** Who only passes over a cell on the way to another does not look at it. */
const PAUSE = 70;

/** `Context`: what the action is looked at in, the same while it is the same. */
export class Prospects<Context> {
  /** Of the action that is looked at, as soon as it is known. */
  shown: Prospect | null = $state.raw(null);

  private context: Context | null = null;
  private token: string | null = null;
  private readonly known = new Map<string, Prospect>();
  /** Kinds of action of which the game has nothing to say. */
  private readonly silent = new Set<string>();
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly ask: (context: Context, token: string) => Promise<Prospect | null>,
    /** Told of what has come for the action that is looked at. */
    private readonly told: (action: ActionView, prospect: Prospect) => void,
  ) {}

  /** The person looks at an action in the context, or at none. */
  look(action: ActionView | null, context: Context): void {
    if (context !== this.context) this.known.clear();
    else if (action?.token === this.token) return;
    this.context = context;
    this.token = action?.token ?? null;
    clearTimeout(this.timer);
    this.shown = action ? (this.known.get(action.token) ?? null) : null;
    if (!action) return;
    if (this.shown) this.told(action, this.shown);
    else if (!this.silent.has(action.kind))
      this.timer = setTimeout(() => void this.fetch(action, context), PAUSE);
  }

  /** What is known of an action of the context that was looked at last. */
  of(action: ActionView): Prospect | null {
    return this.known.get(action.token) ?? null;
  }

  private async fetch(action: ActionView, context: Context): Promise<void> {
    const prospect = await this.ask(context, action.token);
    if (!prospect || context !== this.context) return;
    this.known.set(action.token, prospect);
    if (prospect.pieces.length + prospect.lines.length + prospect.texts.length === 0) {
      this.silent.add(action.kind);
    }
    if (action.token !== this.token) return;
    this.shown = prospect;
    this.told(action, prospect);
  }
}
