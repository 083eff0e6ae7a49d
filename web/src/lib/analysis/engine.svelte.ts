/** The engine of an analysis: searches the position on screen in a worker. */
import { ApiError } from '../api/http';
import { bestMoves, markedMoves, type Suggestion } from '../review/review.svelte';
import type { Proven } from '../review/proof';
import type { CoreClient, Search } from '../core/client';
import type { CoreAnalysis, CoreWords, Place } from '../core/types';
import type { Shown, TreeNode } from './tree.svelte';
import type { Evaluation, Problem } from '../api/types';

/** The longest search of a position, in seconds. */
export const LONGEST = 60;

/** The number of lines in words, and of actions in each. */
export const LINES = 4;
const WORDS = 5;

/** The size of the cache of results. */
const KEPT = 200;

const keyOf = (place: Place): string => JSON.stringify(place);

export class Engine {
  on = $state(false);
  running = $state(false);
  /** The values of the position on screen; null: unknown. */
  result: CoreAnalysis | null = $state.raw(null);
  /** The number of actions of the shortest forced win, where it is known. */
  plies: number | null = $state(null);
  problem: Problem | null = $state.raw(null);
  /** The best move that the user looks at; null: all of them. */
  selectedAction: string | null = $state(null);
  private shown: Shown | null = $state.raw(null);
  /** The lines in words, by their tokens. */
  private words: ReadonlyMap<string, CoreWords[]> = $state.raw(new Map());
  private readonly asked = new Set<string>();
  private readonly results = new Map<string, CoreAnalysis>();
  private search: Search | null = null;

  constructor(
    private readonly client: CoreClient,
    /** The core that puts lines into words while this one searches. */
    private readonly rules: CoreClient,
  ) {}

  readonly node = $derived.by((): TreeNode | null => this.shown?.node ?? null);

  readonly acting = $derived.by((): number => this.shown?.position.to_act ?? -1);

  /** The best moves known so far. */
  readonly best = $derived.by((): Suggestion[] =>
    this.on && this.result ? bestMoves(this.result.lines, this.shown?.position.view.actions ?? []) : [],
  );

  /** Whether the best moves are kept from the board: the player looks for one. */
  hidden = $state(false);

  /** The best moves marked on the board. */
  readonly marked = $derived.by((): Suggestion[] =>
    this.acting < 0 || this.hidden ? [] : markedMoves(this.best, this.acting, this.selectedAction),
  );

  readonly evaluation = $derived.by((): Evaluation | null => {
    const { result } = this;
    if (!this.on || !result) return null;
    const { shares, margins, winners } = result;
    return { shares, margins, certain: winners && { winners, actions: this.plies, turns: null } };
  });

  /** The proof for the position on screen; null: none yet. */
  readonly proof = $derived.by((): Proven | null => {
    const { evaluation, result } = this;
    return evaluation?.certain && result ? { ...evaluation, to_act: this.acting, lines: result.lines } : null;
  });

  /** The actions of a best move, in words; empty while unknown. */
  described({ line }: Suggestion): CoreWords[] {
    return this.words.get(wordsKey(line.variation)) ?? [];
  }

  setOn(on: boolean): void {
    this.on = on;
    this.restart();
  }

  /** Shows another position. */
  look(shown: Shown | null): void {
    if (shown === this.shown) return;
    this.shown = shown;
    this.selectedAction = null;
    this.words = new Map();
    this.asked.clear();
    this.restart();
  }

  /** Searches the position on, after its time was up. */
  more(): void {
    const { shown } = this;
    if (shown) void this.run(shown);
  }

  close(): void {
    this.search?.stop();
    this.client.close();
  }

  private restart(): void {
    this.search?.stop();
    this.search = null;
    this.running = false;
    this.plies = null;
    this.problem = null;
    const { shown } = this;
    this.result = (this.on && shown && this.results.get(keyOf(shown.place))) || null;
    if (this.result) this.describe();
    if (this.on && shown && !(this.result && this.result.seconds >= LONGEST)) void this.run(shown);
  }

  private async run(shown: Shown): Promise<void> {
    const before = this.results.get(keyOf(shown.place));
    const [nodes, seconds] = [before?.nodes ?? 0, before?.seconds ?? 0];
    const search = this.client.search(shown.place, { seconds: LONGEST, lines: 16 }, (part) => {
      if (search !== this.search) return;
      this.take(shown, { ...part, nodes: nodes + part.nodes, seconds: seconds + part.seconds });
    });
    this.search = search;
    this.running = true;
    try {
      await search.done;
      if (search === this.search && this.result?.winners?.length === 1) await this.prove(shown, search);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (search === this.search && error.problem.code !== 'stopping') this.problem = error.problem;
    } finally {
      if (search === this.search) this.running = false;
    }
  }

  private take({ place }: Shown, result: CoreAnalysis): void {
    this.result = result;
    this.results.set(keyOf(place), result);
    const [oldest] = this.results.keys();
    if (this.results.size > KEPT && oldest !== undefined) this.results.delete(oldest);
    this.describe();
  }

  /** Asks for the best lines in words. */
  private describe(): void {
    const { shown } = this;
    for (const { line } of this.best.slice(0, LINES)) {
      const key = wordsKey(line.variation);
      if (!shown || this.asked.has(key)) continue;
      this.asked.add(key);
      void this.fetchWords(shown, line.variation.slice(0, WORDS), key);
    }
  }

  private async fetchWords(shown: Shown, tokens: string[], key: string): Promise<void> {
    try {
      const words = await this.rules.ask('words', { ...shown.place, tokens });
      if (shown === this.shown) this.words = new Map([...this.words, [key, words]]);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (shown === this.shown && error.problem.code !== 'stopping') this.problem = error.problem;
    }
  }

  /** Finds the length of a forced win. */
  private async prove({ place, position }: Shown, search: Search): Promise<void> {
    if (position.to_act === null) return;
    const { proof } = await this.client.ask('prove', place);
    if (search === this.search && proof) this.plies = proof.plies;
  }
}

const wordsKey = (variation: readonly string[]): string => variation.slice(0, WORDS).join(' ');
