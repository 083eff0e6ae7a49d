/** A position being set up: pieces from a tray, fields and a text. The core in the browser knows what goes where. */
import { m } from '../../messages';
import { ApiError } from '../api/http';
import { translator } from '../i18n/catalogue.svelte';
import { Interaction } from '../match/interaction.svelte';
import { localSnapshot } from '../match/localSnapshot';
import { replaceAddress } from '../platform/route.svelte';
import { settings } from '../platform/settings.svelte';
import { editorAt } from '../analysis/links';
import type { CoreClient } from '../core/client';
import type { CoreEdit, CoreSketch, PositionFault, Place, SketchView } from '../core/types';
import type { ActionView, Prospect, Refusal } from '../api/view';
import type { GameInfo } from '../api/types';

/** A text that was typed or pasted, on one line. */
const clean = (text: string): string => text.trim().replace(/\s+/g, ' ');

export class PositionEditor extends Interaction {
  /** The text in the field, which may not be drawable. */
  text = $state('');
  faults: readonly PositionFault[] = $state.raw([]);
  /** The tray and the fields of the last text that could be drawn. */
  shown: SketchView | null = $state.raw(null);
  /** The tool in hand. */
  tool: string | null = $state(null);
  /** Whether an answer of the core is awaited. */
  busy = $state(false);
  /** The texts before each edit. */
  private before: readonly string[] = $state.raw([]);
  /** The text that the board shows. */
  private drawn = '';
  private asked = 0;
  /** The cell selected while an answer was awaited: it counts as soon as the answer is there. */
  private early: string | null = null;

  readonly suggested = [];
  readonly selectedSuggestion = null;
  protected override readonly soundsAtEnd = false;

  constructor(
    game: GameInfo,
    private readonly core: CoreClient,
    private readonly place: Omit<Place, 'line'>,
  ) {
    super(game);
  }

  readonly actions = $derived.by((): ActionView[] => this.frame?.snapshot.view.actions ?? []);
  readonly canUndo = $derived(this.before.length > 0);
  /** Whether the text is a position without faults. */
  readonly complete = $derived(!this.busy && this.shown !== null && this.faults.length === 0);

  override readonly faulty = $derived.by(() => new Set(this.faults.flatMap(({ cells }) => cells)));

  protected readonly context = $derived(this.shown);

  /** Draws the first text. */
  async open(): Promise<void> {
    const first = await this.ask(null, this.place.position);
    if (!first || 'refusal' in first) return;
    this.tool = first.shown?.tools[0]?.id ?? null;
    await this.change(null, first.text);
  }

  /** Takes a tool of the tray in hand. */
  async hold(tool: string): Promise<void> {
    if (tool === this.tool) return;
    this.tool = tool;
    this.rejection = null;
    this.deselect();
    await this.change(null, clean(this.text), true);
  }

  async set(field: string, value: number): Promise<void> {
    await this.edit({ what: 'set', field, value });
  }

  async clear(): Promise<void> {
    await this.edit({ what: 'clear' });
  }

  /** Takes over a text that the user wrote. */
  async write(text: string): Promise<void> {
    this.remember();
    this.text = text;
    await this.change(null, clean(text), true);
  }

  async undo(): Promise<void> {
    const text = this.before.at(-1);
    if (text === undefined) return;
    this.before = this.before.slice(0, -1);
    await this.change(null, text);
    this.say(m.announce_undone());
  }

  private async edit(edit: CoreEdit): Promise<void> {
    const { text, drawn } = this;
    this.before = [...this.before, text];
    await this.change(edit, drawn);
    if (this.text === text) this.before = this.before.slice(0, -1);
  }

  private remember(): void {
    if (this.before.at(-1) !== this.drawn) this.before = [...this.before, this.drawn];
  }

  /** Shows a text after an edit; `typed`: the field keeps what the user wrote. */
  private async change(edit: CoreEdit | null, from: string, typed = false): Promise<void> {
    this.asked += 1;
    const { asked } = this;
    this.busy = true;
    const answer = await this.ask(edit, from);
    // A newer question follows.
    if (asked !== this.asked) return;
    this.busy = false;
    this.pending = null;
    const { early } = this;
    this.early = null;
    if (!answer) return;
    if ('refusal' in answer) {
      this.say(translator(this.game)(answer.refusal));
      return;
    }
    this.rejection = null;
    this.faults = answer.faults;
    if (!typed) this.text = answer.text;
    replaceAddress(editorAt({ ...this.place, position: answer.text }));
    if (!answer.shown) return;
    this.drawn = answer.text;
    this.shown = answer.shown;
    const { view } = answer.shown;
    const acting = view.to_act !== null && view.to_act >= 0 ? view.to_act : null;
    this.deselect();
    this.replay.jump(localSnapshot(this.game, { view, log: [], acting }));
    if (early !== null) this.select(early);
  }

  private async ask(edit: CoreEdit | null, position: string | null): Promise<CoreSketch | null> {
    this.problem = null;
    const { place, tool } = this;
    try {
      const language = settings.language;
      return await this.core.ask('sketch', { ...place, position, line: [], tool, edit, language });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.problem = error.problem;
      return null;
    }
  }

  close(): void {
    this.replay.stop();
  }

  override select(cell: string): void {
    // A piece that fits nowhere is explained, too.
    if (this.busy) this.early = cell;
    else if (this.tool !== null && this.actions.length === 0) void this.explain(cell, [cell], null);
    else super.select(cell);
  }

  protected do(_: 'play', { touches, turn }: ActionView): void {
    const { tool } = this;
    if (tool !== null) void this.put(tool, touches, turn ?? null);
  }

  private async put(tool: string, cells: readonly string[], turn: number | null): Promise<void> {
    const { drawn } = this;
    const chosen = this.shown?.tools.find(({ id }) => id === tool);
    await this.edit({ what: 'put', tool, cells, turn });
    if (this.drawn === drawn || !chosen) return;
    const t = translator(this.game);
    const there = this.shown?.view.areas.flatMap((area) => area.cells) ?? [];
    const where = there.find(({ id }) => id === cells[0]);
    if (where) this.say(m.labelled({ label: t(where.label), what: t(chosen.label) }));
  }

  protected noActionReason(): string {
    return this.tool === null ? m.editor_choose() : m.rejection_nothing();
  }

  protected isMine(): boolean {
    return true;
  }

  protected knowsPosition(): boolean {
    return true;
  }

  protected async askReason(cells: string[], rotation: number | null): Promise<{ refusal: Refusal | null }> {
    const { tool } = this;
    if (tool === null) return { refusal: null };
    const answer = await this.ask({ what: 'put', tool, cells, turn: rotation }, this.drawn);
    return { refusal: answer && 'refusal' in answer ? { text: answer.refusal, clause: '' } : null };
  }

  protected askProspect(): Promise<Prospect | null> {
    return Promise.resolve(null);
  }

  protected announce(): void {
    // The list of faults is a live region, and the text is beside the board.
  }
}
