/** The review of the main line: the core evaluates every position and judges every action, as on the server. */
import { ApiError } from '../api/http';
import { placeOf, type AnalysisTree, type TreeNode } from './tree.svelte';
import type { CoreClient } from '../core/client';
import type { CoreValue } from '../core/types';
import { MomentPuzzle } from '../review/momentPuzzle.svelte';
import { type Proven, withProofs } from '../review/proof';
import type { JudgedAction, Problem, ReviewPart } from '../api/types';

/** The time for each position in seconds, and the same again for a better action: that of the server's reviews. */
const SECONDS = 0.3;

/** The size of the cache. */
const KEPT = 1_000;

/** A position of the line, with the action before it. */
interface StudiedPosition {
  value: CoreValue;
  action: JudgedAction | null;
}

/** The steps known so far, by place: a review that is opened again continues. */
const known = new Map<string, StudiedPosition>();

export class LineStudy {
  private estimated: ReviewPart | null = $state.raw(null);
  /** Proofs of longer searches, by position. */
  private proofs: ReadonlyMap<TreeNode, Proven> = $state.raw(new Map());
  running = $state(false);
  /** A decisive moment that the player tries to improve. */
  readonly puzzle = new MomentPuzzle();
  problem: Problem | null = $state.raw(null);
  /** The positions of the line that it evaluates. */
  private line: TreeNode[] = $state.raw([]);
  private client: CoreClient | null = null;

  constructor(private readonly start: () => CoreClient) {}

  /** The positions and actions evaluated so far; null: none. Proofs take the place of estimates. */
  readonly part: ReviewPart | null = $derived(
    this.estimated &&
      withProofs(
        this.estimated,
        [...this.proofs].map(([node, proof]) => [this.line.indexOf(node), proof]),
      ),
  );

  /** Whether all of the line is evaluated. */
  readonly complete = $derived(this.part !== null && this.part.actions.length === this.part.length);

  /** Whether the main line is still the evaluated one. */
  current({ root }: AnalysisTree): boolean {
    const now = [root, ...root.rest];
    return this.line.length === now.length && this.line.every((node, place) => node === now[place]);
  }

  /** The place of a node on the evaluated line; -1: elsewhere. */
  placeOf(node: TreeNode): number {
    return this.line.indexOf(node);
  }

  nodeAt(place: number): TreeNode | undefined {
    return this.line[place];
  }

  /** The judgement of the action of a node; null: unknown. */
  judged(node: TreeNode): JudgedAction | null {
    const place = this.line.indexOf(node);
    return place > 0 ? (this.part?.actions[place - 1] ?? null) : null;
  }

  async run(tree: AnalysisTree): Promise<void> {
    this.stop();
    const client = this.start();
    this.client = client;
    const line = [tree.root, ...tree.root.rest];
    this.line = line;
    this.problem = null;
    this.running = true;
    const steps: StudiedPosition[] = [];
    try {
      for (const node of line) {
        steps.push(await step(client, tree, node, steps.at(-1)?.value));
        const part = await summarized(client, steps, line.length - 1);
        if (client !== this.client) return;
        this.estimated = part;
      }
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (client === this.client) this.problem = error.problem;
    } finally {
      if (client === this.client) this.stop();
    }
  }

  /** Judges another action than that of the line; null: unavailable. */
  async judge(tree: AnalysisTree, node: TreeNode): Promise<JudgedAction | null> {
    const client = this.start();
    try {
      if (!node.parent) return null;
      const found =
        known.get(keyOf(tree, node.parent)) ?? (await evaluated(client, tree, node.parent, undefined));
      return (await step(client, tree, node, found.value)).action;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.problem = error.problem;
      return null;
    } finally {
      client.close();
    }
  }

  /** Takes what a longer search has proven about a position. */
  prove(node: TreeNode, proof: Proven): void {
    this.proofs = new Map(this.proofs).set(node, proof);
  }

  /** Ends the evaluation; what is known remains. */
  stop(): void {
    this.client?.close();
    this.client = null;
    this.running = false;
  }
}

const keyOf = (tree: AnalysisTree, node: TreeNode) => JSON.stringify(placeOf(tree, node));

/** Evaluates a position; `before`: the value of the one before it. */
async function step(
  client: CoreClient,
  tree: AnalysisTree,
  node: TreeNode,
  before: CoreValue | undefined,
): Promise<StudiedPosition> {
  const key = keyOf(tree, node);
  const found = known.get(key) ?? (await evaluated(client, tree, node, before));
  known.set(key, found);
  const [oldest] = known.keys();
  if (known.size > KEPT && oldest !== undefined) known.delete(oldest);
  return found;
}

async function evaluated(
  client: CoreClient,
  tree: AnalysisTree,
  node: TreeNode,
  before: CoreValue | undefined,
): Promise<StudiedPosition> {
  const { parent, entry } = node;
  if (!parent || !entry || !before) {
    const value = await client.ask('evaluate', { ...placeOf(tree, node), seconds: SECONDS });
    return { value: short(value), action: null };
  }
  const place = placeOf(tree, parent);
  const asked = { token: entry.token, before, seconds: SECONDS };
  const { action, after } = await client.ask('judge', { ...place, ...asked });
  return { value: short(after), action };
}

/** A value without its variations, which the next step does not need. */
const short = (value: CoreValue): CoreValue => ({
  ...value,
  lines: value.lines.map((line) => ({ ...line, variation: [] })),
});

async function summarized(
  client: CoreClient,
  steps: readonly StudiedPosition[],
  length: number,
): Promise<ReviewPart> {
  const positions = steps.map(({ value: { shares, margins, certain } }) => ({ shares, margins, certain }));
  const actions = steps.flatMap(({ action }) => action ?? []);
  const shares = positions.map((position) => position.shares);
  const summary = await client.ask('summarize', { shares, actions });
  return { first: 0, length, positions, actions, ...summary };
}
