/** An analysis on the board: any action can be played, undone and varied. The core in the browser knows the rules. */
import { m } from '../../messages';
import { downloadText } from '../platform/download';
import { ApiError } from '../api/http';
import { translator } from '../i18n/catalogue.svelte';
import { Interaction } from '../match/interaction.svelte';
import { localSnapshot } from '../match/localSnapshot';
import { WHY_NOT_LIMITS, WhyNot } from '../match/whyNot.svelte';
import { offerUndo } from '../platform/notices.svelte';
import { settings } from '../platform/settings.svelte';
import { nodeAt, pathOf, placeOf, recordOf } from './tree.svelte';
import { saveAnalysis, type SavedAnalysis } from './savedAnalyses';
import type { CoreClient } from '../core/client';
import type { CoreWords } from '../core/types';
import type { Update } from '../match/replay';
import type { Engine } from './engine.svelte';
import type { AnalysisTree, Mark, Shown, TreeNode } from './tree.svelte';
import type { MarkedAction } from '../review/review.svelte';
import type { ActionView, Prospect, Refusal, Text } from '../api/view';
import type { GameInfo, Snapshot } from '../api/types';

/** The size of the cache of positions. */
const KEPT = 64;

/** Delay before the tree is stored, in milliseconds. */
const PAUSE = 200;

export class AnalysisBoard extends Interaction {
  node: TreeNode = $state.raw() as TreeNode;
  /** The position on screen; null until the core has answered. */
  shown: Shown | null = $state.raw(null);
  /** Whether random events follow actions by themselves. */
  draws = $state(true);
  /** Whether they are being drawn now. */
  drawing = $state(false);
  private readonly known = new Map<TreeNode, Shown>();
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    game: GameInfo,
    readonly tree: AnalysisTree,
    private readonly core: CoreClient,
    readonly engine: Engine,
    private readonly saved: Pick<SavedAnalysis, 'id' | 'match'>,
  ) {
    super(game);
    this.node = tree.root;
  }

  readonly acting = $derived.by((): number | null => {
    const seat = this.shown?.position.to_act ?? null;
    return seat !== null && seat >= 0 ? seat : null;
  });

  /** The outcomes of chance with their weights; empty where a seat acts. */
  readonly outcomes = $derived(this.shown?.position.chance ?? []);

  readonly actions = $derived.by((): ActionView[] => {
    if (this.animating || this.pending || this.acting === null) return [];
    const view = this.frame?.snapshot.view;
    // While earlier positions are still shown, there is nothing to select.
    return this.shown?.node === this.node && this.shown.position.view === view ? view.actions : [];
  });

  /** The node of the last action of a seat on the way here. */
  private readonly lastPlayed = $derived.by(
    () => this.node.path.findLast(({ entry }) => (entry?.seat ?? -1) >= 0) ?? null,
  );

  readonly lastOwn = $derived(this.lastPlayed?.entry ?? null);

  override readonly whyNot = new WhyNot((token) => {
    const { parent, entry } = this.lastPlayed ?? {};
    const node = token === null ? (parent ?? this.node) : this.node;
    const asked = token ?? entry?.token ?? '';
    return this.core.ask('why-not', { ...placeOf(this.tree, node), token: asked, ...WHY_NOT_LIMITS });
  });

  /** The action of the explorer that the user looks at, with its place in the list; null: none. */
  explored: { token: string; rank: number } | null = $state.raw(null);

  readonly suggested = $derived.by((): readonly MarkedAction[] => {
    const { explored } = this;
    if (!explored) return this.engine.marked;
    const action = this.actions.find(({ token }) => token === explored.token);
    return action ? [{ rank: explored.rank, action }] : [];
  });
  readonly selectedSuggestion = $derived.by(() => this.explored?.token ?? this.engine.selectedAction);

  protected readonly context = $derived(this.shown);

  /** Shows the position of a path, and draws the random events before the first decision. */
  async open(path: readonly number[]): Promise<void> {
    await this.go(nodeAt(this.tree, path));
    const fresh = this.tree.root.children.length === 0;
    if (fresh && this.outcomes.length > 0) await this.draw(false);
  }

  close(): void {
    this.replay.stop();
    this.store();
  }

  /** Whether the game has a position editor. */
  async canEdit(): Promise<boolean> {
    const place = { ...placeOf(this.tree, this.tree.root), tool: null, edit: null };
    return (await this.core.ask('sketch', { ...place, language: settings.language })) !== null;
  }

  /** Moves to a position; `step`: with the animation of the action before it. */
  async go(node: TreeNode, step = false): Promise<void> {
    const forward = step && node.parent === this.node;
    this.node = node;
    this.explored = null;
    this.rejection = null;
    this.problem = null;
    this.deselect();
    const shown = await this.ask(() => this.at(node));
    // The user moved on meanwhile.
    if (!shown || node !== this.node) return;
    this.shown = shown;
    const snapshot = this.snapshotOf(shown);
    if (forward && node.entry) this.replay.add({ snapshot, played: [node.entry] });
    else {
      this.replay.jump(snapshot);
      this.say(node.entry ? this.label(node.entry.label) : m.review_start());
    }
    this.saveSoon();
  }

  back(): void {
    if (this.node.parent) void this.go(this.node.parent);
  }

  forward(): void {
    const [next] = this.node.children;
    if (this.replay.running) this.replay.skip();
    if (next) void this.go(next, true);
  }

  first(): void {
    void this.go(this.tree.root);
  }

  last(): void {
    void this.go(this.node.rest.at(-1) ?? this.node);
  }

  /** Moves to the previous or next alternative to the action of this position. */
  sibling(by: 1 | -1): void {
    const others = this.node.parent?.children ?? [];
    const other = others[others.indexOf(this.node) + by];
    if (other) void this.go(other);
  }

  undo(): void {
    this.back();
  }

  /** Plays an action or an outcome of chance, as a variation where another one follows already. */
  async play(token: string, animated = true): Promise<void> {
    const { node } = this;
    const known = node.child(token);
    if (known) {
      await this.go(known, animated);
      return;
    }
    const place = placeOf(this.tree, node);
    const entry = await this.ask(() => this.core.ask('entry', { ...place, line: [...place.line, token] }));
    this.pending = null;
    if (!entry || node !== this.node) return;
    const next = node.child(token) ?? node.add(entry);
    await this.go(next, animated);
    if (this.draws && animated) await this.draw(true);
  }

  /** Draws random events until a seat acts. */
  async draw(animated: boolean): Promise<void> {
    this.drawing = true;
    while (this.shown?.node === this.node && this.outcomes.length > 0) {
      const { node } = this;
      const next = await this.ask(() => this.drawAt(node));
      if (!next || node !== this.node) break;
      await this.go(next, animated);
    }
    this.drawing = false;
  }

  /** The position after a random outcome. */
  private async drawAt(node: TreeNode): Promise<TreeNode> {
    const place = placeOf(this.tree, node);
    const [seed = 0] = crypto.getRandomValues(new Uint32Array(1));
    const { token } = await this.core.ask('chance', { ...place, seed });
    const entry = await this.core.ask('entry', { ...place, line: [...place.line, token] });
    return node.child(token) ?? node.add(entry);
  }

  /** A possible action at a node in words; null: unavailable. */
  async describe(node: TreeNode, token: string): Promise<CoreWords | null> {
    const words = await this.ask(() =>
      this.core.ask('words', { ...placeOf(this.tree, node), tokens: [token] }),
    );
    return words?.[0] ?? null;
  }

  /** The labels of the outcomes of chance, in their order. */
  outcomeLabels(): Promise<(Text | null)[] | null> {
    const { shown } = this;
    return shown ? this.ask(() => this.core.ask('outcomes', shown.place)) : Promise.resolve([]);
  }

  /** Deletes an action with everything after it. */
  async remove(node: TreeNode): Promise<void> {
    const { parent } = node;
    if (!parent) return;
    const within = this.node.path.includes(node);
    const restore = node.remove();
    this.saveSoon();
    offerUndo(m.analysis_removed, () => {
      restore();
      this.saveSoon();
      void this.go(node);
    });
    if (within) await this.go(parent);
  }

  promote(node: TreeNode): void {
    node.promote();
    this.saveSoon();
    this.say(m.analysis_promoted());
  }

  comment(text: string): void {
    this.node.setComment(text);
    this.saveSoon();
  }

  mark(mark: Mark): void {
    this.node.mark = this.node.mark === mark ? '' : mark;
    this.saveSoon();
  }

  /** The tree as the text of a record. */
  record(): Promise<string> {
    return this.core.ask('write-record', { record: recordOf(this.tree, String(this.game.rules_version)) });
  }

  /** Saves the tree as a file. */
  async download(): Promise<void> {
    downloadText(`${this.game.name}.txt`, await this.record());
  }

  /** Stores the tree in the browser now. */
  store(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    saveAnalysis({
      ...this.saved,
      game: this.game.name,
      record: recordOf(this.tree, String(this.game.rules_version)),
      path: pathOf(this.node),
      length: this.tree.root.rest.length,
      at: Date.now(),
    });
  }

  private saveSoon(): void {
    this.timer ??= setTimeout(() => this.store(), PAUSE);
  }

  protected do(_: 'play', action: ActionView): void {
    this.pending = action;
    void this.play(action.token);
  }

  /** The position of a node. */
  private async at(node: TreeNode): Promise<Shown> {
    const known = this.known.get(node);
    if (known) return known;
    const place = placeOf(this.tree, node);
    const position = await this.core.ask('position', place);
    const shown = { node, place, position };
    this.known.set(node, shown);
    const [oldest] = this.known.keys();
    if (this.known.size > KEPT && oldest) this.known.delete(oldest);
    return shown;
  }

  /** Awaits the core; shows its error and returns null. */
  private async ask<Answer>(question: () => Promise<Answer>): Promise<Answer | null> {
    try {
      return await question();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.pending = null;
      this.problem = error.problem;
      return null;
    }
  }

  private snapshotOf({ node, position }: Shown): Snapshot {
    const seat = position.to_act;
    const acting = seat !== null && seat >= 0 ? seat : null;
    return localSnapshot(this.game, { view: position.view, log: node.log, acting });
  }

  private label(text: Text): string {
    return translator(this.game)(text);
  }

  protected noActionReason(): string {
    if (this.outcomes.length > 0) return m.analysis_choose_outcome();
    return this.shown?.position.to_act === null ? m.error_over() : m.rejection_nothing();
  }

  protected isMine(): boolean {
    return true;
  }

  protected knowsPosition(): boolean {
    return this.replay.waiting.length === 0;
  }

  protected async askReason(tried: string[], rotation: number | null): Promise<{ refusal: Refusal | null }> {
    const { shown } = this;
    if (!shown) return { refusal: null };
    return { refusal: await this.core.ask('explain', { ...shown.place, touched: tried, turn: rotation }) };
  }

  protected askProspect(token: string): Promise<Prospect | null> {
    const { shown } = this;
    if (!shown) return Promise.resolve(null);
    // Without a prospect the action can still be played.
    return this.core.ask('prospect', { ...shown.place, token }).catch((error: unknown) => {
      if (!(error instanceof ApiError)) throw error;
      return null;
    });
  }

  protected announce({ snapshot, played }: Update): void {
    this.announcer.announceChanges(this.frame?.snapshot, snapshot, played, false);
  }
}
