/** What the action that a person considers would bring: asked for while they look at it. */
import type { ActionView, Prospect } from '../api/view';

/** Who only passes over a cell on the way to another does not look at it. */
const PAUSE = 70;

/** `Picture`: what the action is looked at in, the same while it is the same. */
export class Prospects<Picture> {
  /** Of the action that is looked at, as soon as it is known. */
  shown: Prospect | null = $state.raw(null);

  private picture: Picture | null = null;
  private token: string | null = null;
  private readonly known = new Map<string, Prospect>();
  /** Kinds of action of which the game has nothing to say. */
  private readonly silent = new Set<string>();
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly ask: (picture: Picture, token: string) => Promise<Prospect | null>,
    /** Told of what has come for the action that is looked at. */
    private readonly told: (action: ActionView, prospect: Prospect) => void,
  ) {}

  /** The person looks at an action in the picture, or at none. */
  look(action: ActionView | null, picture: Picture): void {
    if (picture !== this.picture) this.known.clear();
    else if (action?.token === this.token) return;
    this.picture = picture;
    this.token = action?.token ?? null;
    clearTimeout(this.timer);
    this.shown = action ? (this.known.get(action.token) ?? null) : null;
    if (!action) return;
    if (this.shown) this.told(action, this.shown);
    else if (!this.silent.has(action.kind))
      this.timer = setTimeout(() => void this.fetch(action, picture), PAUSE);
  }

  /** What is known of an action of the picture that was looked at last. */
  of(action: ActionView): Prospect | null {
    return this.known.get(action.token) ?? null;
  }

  private async fetch(action: ActionView, picture: Picture): Promise<void> {
    const prospect = await this.ask(picture, action.token);
    if (!prospect || picture !== this.picture) return;
    this.known.set(action.token, prospect);
    if (prospect.pieces.length + prospect.lines.length + prospect.texts.length === 0) {
      this.silent.add(action.kind);
    }
    if (action.token !== this.token) return;
    this.shown = prospect;
    this.told(action, prospect);
  }
}
