/** A board to play on: the frame on screen, and the player's selection. A match and a lesson are such boards. */
import { m } from '../../messages';
import { ApiError } from '../api/http';
import { errorMessage } from '../api/errors';
import { framesBetween, PAUSE_BETWEEN, type Frame } from '../board/frame';
import { translator } from '../i18n/catalogue.svelte';
import { still, stretch } from '../platform/settings.svelte';
import { Announcer } from './announcer.svelte';
import { playEventSounds } from './eventSounds';
import { Prospects } from './prospects.svelte';
import { Replay, type Update } from './replay';
import type { Tip } from './tips.svelte';
import type { WhyNot } from './whyNot.svelte';
import { nearestRotation, offer, press, rotations, touch, type Answer, type Rejection } from './selection';
import type { ActionView, Prospect, Refusal } from '../api/view';
import type { GameInfo, LogEntry, Problem } from '../api/types';
import type { MarkedAction } from '../review/review.svelte';

export abstract class Interaction {
  frame: Frame | null = $state.raw(null);
  selected: string[] = $state.raw([]);
  /** The rotation of the selected piece, clockwise in degrees; the next piece keeps it. */
  wantedRotation = $state(0);
  /** Actions to choose from by name, or the one whose warning needs an answer. */
  choices: ActionView[] | null = $state.raw(null);
  rejection: Rejection | null = $state.raw(null);
  /** A tip for the decision, after a mistake or on demand. */
  tip: Tip | null = $state.raw(null);
  /** The action that the server has not answered yet. */
  pending: ActionView | null = $state.raw(null);
  problem: Problem | null = $state.raw(null);
  /** The cells of an action that the player looks at, in order; null: none. `hint`: the place or the way of a hint. */
  pointed: { seat: number; cells: readonly string[]; hint?: 'place' | 'way' } | null = $state.raw(null);
  /** The cells with a fault of the position, where it is set up. */
  declare readonly faulty?: ReadonlySet<string>;
  /** "Why not this?"; null where it cannot be asked. */
  readonly whyNot: WhyNot | null = null;
  /** The action under the keyboard focus: its prospect is announced. */
  focusedAction: ActionView | null = null;

  /** Whether the game has ended on screen: its end has a flourish, once. */
  justEnded = $state(false);
  /** Whether the event that ends a game has a sound. */
  protected readonly soundsAtEnd: boolean = true;

  readonly announcer: Announcer;
  protected readonly replay = new Replay({
    begin: (update, skipped) => this.begin(update, skipped),
    show: (frame) => this.show(frame),
    pauseBefore: ({ snapshot, played }) =>
      this.isMine((played[0] ?? snapshot.log.at(-1))?.seat) ? 0 : PAUSE_BETWEEN,
  });

  constructor(readonly game: GameInfo) {
    this.announcer = new Announcer(game);
  }

  /** Marks the cells of a past action; null: none. */
  point(entry: Pick<LogEntry, 'seat' | 'move'> | null): void {
    this.pointed = entry?.move ? { seat: entry.seat, cells: entry.move.cells } : null;
  }

  /** The actions that can be selected now. */
  abstract readonly actions: ActionView[];
  /** Actions that are pointed out on the board. */
  abstract readonly suggested: readonly MarkedAction[];
  /** The token of the one that the player looks at; null: none. */
  abstract readonly selectedSuggestion: string | null;
  /** The position that questions to the server refer to; the same object while it stays the same. */
  protected abstract readonly context: unknown;

  /** Plays an action. */
  protected abstract do(what: 'play', action: ActionView): void;
  /** Why nothing can be selected now. */
  protected abstract noActionReason(): string;
  /** Whether the seat is played here. */
  protected abstract isMine(seat: number | undefined): boolean;
  /** Whether the animation shows the last action of a player here, who knows the position. */
  protected abstract knowsPosition(): boolean;
  /** Asks the server why a selection leads to no action. */
  protected abstract askReason(
    tried: string[],
    rotation: number | null,
  ): Promise<{ refusal: Refusal | null }>;
  /** Asks the server for the prospect of an action; null if it is unavailable. */
  protected abstract askProspect(token: string): Promise<Prospect | null>;
  /** The player tried something that is not allowed. */
  protected onMistake(): void {
    // No tips.
  }

  /** Announces the changes of an update. */
  protected abstract announce(update: Update, skipped: boolean): void;

  readonly animating = $derived((this.frame?.duration ?? 0) > 0);

  /** The possible rotations of the selected piece. */
  readonly rotations = $derived.by(() => rotations(this.actions, this.selected));
  /** Its rotation; null if that makes no difference. */
  readonly rotation = $derived(nearestRotation(this.rotations, this.wantedRotation));

  readonly options = $derived.by(() => offer(this.actions, this.selected, this.rotation));

  /** The one action that waits for a confirmation. */
  readonly toConfirm = $derived(this.choices?.length === 1 ? (this.choices[0] ?? null) : null);

  readonly prospects = new Prospects<unknown>(
    (_, token) => this.askProspect(token),
    (action, { texts }) => {
      if (action === this.toConfirm || action === this.focusedAction) this.announcer.sayTexts(texts);
    },
  );

  select(cell: string): void {
    this.dismiss();
    this.problem = null;
    if (this.replay.running) {
      // A click during another's animation only skips it: the player has not seen the position yet.
      const own = this.knowsPosition();
      this.replay.skip();
      if (!own) return;
    }
    if (this.pending) return;
    if (this.actions.length === 0) {
      this.reject(cell, this.noActionReason(), null);
      return;
    }
    if (this.choices) this.selectWhileChoosing(cell);
    else this.applySelection(touch(this.actions, this.selected, cell, this.wantedRotation), cell);
  }

  /** Rotates the selected piece, clockwise or back. Returns false if it cannot be rotated. */
  rotate(by: 1 | -1): boolean {
    const known = this.rotations;
    if (known.length < 2 || this.rotation === null) return false;
    this.wantedRotation = known[(known.indexOf(this.rotation) + by + known.length) % known.length] ?? 0;
    this.dismiss();
    if (this.toConfirm) {
      const count = this.selected.length;
      this.choices = this.options.actions.filter(({ touches }) => touches.length === count);
    } else this.say(m.announce_rotated({ degrees: this.wantedRotation }));
    return true;
  }

  /** The player pressed the button of an action. */
  pressButton(action: ActionView): void {
    this.applySelection(press(action, this.selected), null);
  }

  /** The player chose an action from the menu, or confirmed its warning. */
  choose(action: ActionView): void {
    this.choices = null;
    this.selected = [];
    this.act(action);
  }

  /** Plays an action, or asks about it. */
  private act(action: ActionView): void {
    if (this.whyNot?.open) void this.whyNot.ask(action.token);
    else this.do('play', action);
  }

  /** Cancels the last selection or the open question. Returns whether there was one. */
  cancel(): boolean {
    const answered = this.rejection !== null || this.tip !== null;
    const had = this.choices !== null || answered || this.selected.length > 0 || this.replay.running;
    if (this.replay.running) this.replay.skip();
    else if (this.choices) {
      this.choices = null;
      this.selected = this.selected.slice(0, -1);
    } else if (answered) this.dismiss();
    else this.selected = this.selected.slice(0, -1);
    return had;
  }

  /** Closes the reason of a rejection and the tip. */
  dismiss(): void {
    this.rejection = null;
    this.tip = null;
  }

  /** The player looks at an action, or at none. */
  considerAction(action: ActionView | null): void {
    this.prospects.look(action, this.context);
  }

  say(text: string): void {
    this.announcer.say(text);
  }

  private begin(update: Update, skipped: boolean): Frame[] {
    this.deselect();
    this.dismiss();
    this.pending = null;
    const before = this.frame?.snapshot;
    this.announce(update, skipped);
    if (skipped || still() || document.hidden || !before) {
      if (!skipped)
        playEventSounds(
          update.played.flatMap(({ events }) => events),
          this.soundsAtEnd,
        );
      return [];
    }
    const frames = framesBetween(before, update.snapshot, update.played, this.game.theme);
    return frames.map((frame) => ({ ...frame, duration: frame.duration * stretch() }));
  }

  protected show(frame: Frame): void {
    this.frame = frame;
    if (frame.duration > 0 || frame.events.length > 0) playEventSounds(frame.events, this.soundsAtEnd);
  }

  protected deselect(): void {
    this.selected = [];
    this.choices = null;
  }

  /** A selection while a question is open: rotates the piece in place, or moves it elsewhere. */
  private selectWhileChoosing(cell: string): void {
    const here = this.selected.at(-1);
    if (cell === here) {
      if (!this.toConfirm || !this.rotate(1)) this.cancel();
      return;
    }
    const before = this.toConfirm?.touches.length === 0 ? this.selected : this.selected.slice(0, -1);
    this.applySelection(touch(this.actions, before, cell, this.wantedRotation), cell);
  }

  private applySelection(answer: Answer, cell: string | null): void {
    this.choices = null;
    switch (answer.kind) {
      case 'more':
      case 'back':
        this.selected = answer.touched;
        break;
      case 'play':
        this.selected = [];
        this.act(answer.action);
        break;
      case 'ask':
        this.selected = answer.touched;
        this.choices = answer.actions;
        break;
      case 'refused':
        this.selected = answer.touched;
        if (cell !== null) void this.explain(cell, answer.tried, answer.rotation);
        break;
    }
  }

  protected async explain(cell: string, tried: string[], rotation: number | null): Promise<void> {
    const { context } = this;
    try {
      const { refusal } = await this.askReason(tried, rotation);
      if (context !== this.context) return;
      this.reject(cell, refusal ? translator(this.game)(refusal.text) : m.rejection_nothing(), refusal);
      this.onMistake();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.reject(cell, errorMessage(error.problem), null);
    }
  }

  private reject(cell: string, text: string, refusal: Refusal | null): void {
    this.rejection = { cell, text, refusal };
    this.say(text);
  }
}
