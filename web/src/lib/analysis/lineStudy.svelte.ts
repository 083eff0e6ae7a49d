/** Evaluates every position of the main line and judges its actions. */
import { ApiError } from '../api/http';
import { decisive, judge, meanOf, type Value } from './judge';
import { placeOf, type AnalysisTree, type TreeNode } from './tree.svelte';
import type { CoreClient } from '../core/client';
import type { CorePosition, Place } from '../core/types';
import type { JudgedAction, Problem, ReviewPart } from '../api/types';

/** The time for each position in seconds, and the same again for a better action. */
const SECONDS = 0.25;

export class LineStudy {
  /** The positions and actions evaluated so far; null: none. */
  part: ReviewPart | null = $state.raw(null);
  running = $state(false);
  problem: Problem | null = $state.raw(null);
  /** The positions of the line that it evaluates. */
  private line: TreeNode[] = $state.raw([]);
  private client: CoreClient | null = null;
  private readonly values = new Map<string, Value>();

  constructor(private readonly start: () => CoreClient) {}

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
    const positions: Value[] = [];
    const actions: JudgedAction[] = [];
    try {
      for (const node of line) {
        const place = placeOf(tree, node);
        const value = await this.value(client, place);
        const before = positions.at(-1);
        if (before && node.entry) actions.push(await this.judge(client, place, before, value, node.entry));
        positions.push(value);
        if (client !== this.client) return;
        this.part = {
          first: 0,
          length: line.length - 1,
          positions: positions.map(({ shares, margins, winners }) => ({
            shares,
            margins,
            certain: winners && { winners, actions: null, turns: null },
          })),
          actions: [...actions],
          balances: [],
          decisive: decisive(positions),
        };
      }
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (client === this.client) this.problem = error.problem;
    } finally {
      if (client === this.client) this.stop();
    }
  }

  /** Ends the evaluation; what is known remains. */
  stop(): void {
    this.client?.close();
    this.client = null;
    this.running = false;
  }

  private async judge(
    client: CoreClient,
    place: Place,
    before: Value,
    after: Value,
    { seat, turn, token }: { seat: number; turn: number; token: string },
  ): Promise<JudgedAction> {
    const best = before.lines[0];
    let instead: Value | null = null;
    if (seat >= 0 && best && best.action !== token) {
      instead = await this.value(client, { ...place, line: [...place.line.slice(0, -1), best.action] });
      // A result that was proven before remains proven.
      if (best.proven && instead.winners === null)
        instead = { ...instead, shares: best.shares, margins: best.shares.map(() => 0) };
    }
    const line = before.lines.find(({ action }) => action === token);
    const known =
      seat >= 0 && line?.proven && after.winners === null
        ? { ...after, shares: line.shares, margins: line.shares.map(() => 0) }
        : after;
    return judge({ seat, turn, token, before, after: known, instead });
  }

  /** The value of a position; for chance the mean over its outcomes. */
  private async value(client: CoreClient, place: Place): Promise<Value> {
    const key = JSON.stringify(place);
    const known = this.values.get(key);
    if (known) return known;
    const position = await client.ask('position', place);
    const value = await (position.chance.length > 0
      ? this.mean(client, place, position)
      : client.ask('analyse', { ...place, seconds: SECONDS, fresh: true }));
    this.values.set(key, value);
    return value;
  }

  private async mean(client: CoreClient, place: Place, { chance }: CorePosition): Promise<Value> {
    const total = chance.reduce((sum, [, weight]) => sum + weight, 0);
    const values: Value[] = [];
    for (const [token] of chance) {
      const line = [...place.line, token];
      const seconds = SECONDS / chance.length;
      values.push(await client.ask('analyse', { ...place, line, seconds, fresh: true }));
    }
    return meanOf(
      values,
      chance.map(([, weight]) => weight / total),
      chance.map(([token]) => token),
    );
  }
}
