/** The explorer of an analysis: what was played in the position on screen. The server knows the games. */
import { ApiError } from '../api/http';
import { fetchExplored } from '../api/archive';
import { isFlag } from '../platform/checks';
import { load, save } from '../platform/storage';
import { settings } from '../platform/settings.svelte';
import type { Explored, PlayedAction } from '../api/archive';
import type { Problem } from '../api/types';
import type { Shown } from './tree.svelte';

const KEY = 'tavola.explorer';

/** Delay before the server is asked, in milliseconds: a user who steps on asks for nothing. */
const PAUSE = 120;

/** The size of the cache of positions. */
const KEPT = 200;

type Fetch = typeof fetchExplored;

export class Explorer {
  on = $state(load(KEY, false, isFlag));
  running = $state(false);
  /** The actions of the position on screen; null: unknown. */
  result: Explored | null = $state.raw(null);
  problem: Problem | null = $state.raw(null);
  private shown: Shown | null = null;
  private readonly known = new Map<string, Explored>();
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly fetch: Fetch = fetchExplored) {}

  setOn(on: boolean): void {
    this.on = on;
    save(KEY, on);
    this.restart();
  }

  /** Shows another position. */
  look(shown: Shown | null): void {
    if (shown === this.shown) return;
    this.shown = shown;
    this.restart();
  }

  /** Asks again, after a failure. */
  restart(): void {
    clearTimeout(this.timer);
    this.problem = null;
    const { shown } = this;
    this.result = (this.on && shown && this.known.get(keyOf(shown))) || null;
    this.running = this.on && shown !== null && this.result === null;
    if (this.running && shown) this.timer = setTimeout(() => void this.ask(shown), PAUSE);
  }

  close(): void {
    clearTimeout(this.timer);
    this.shown = null;
  }

  private async ask(shown: Shown): Promise<void> {
    try {
      const { game, options } = shown.place;
      const found = await this.fetch({ game, options, position: shown.position.text }, settings.language);
      this.known.set(keyOf(shown), found);
      const [oldest] = this.known.keys();
      if (this.known.size > KEPT && oldest !== undefined) this.known.delete(oldest);
      if (shown === this.shown && this.on) this.result = found;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (shown === this.shown) this.problem = error.problem;
    } finally {
      if (shown === this.shown) this.running = false;
    }
  }
}

const keyOf = ({ place, position }: Shown): string => JSON.stringify([place.options, position.text]);

/** A part of the bar of an action: a seat, or -1 for draws. */
interface Part {
  seat: number;
  share: number;
}

/** The bar of an action: with two seats wins and draws, with more the mean shares. */
export function bar({ count, won, drawn, shares }: PlayedAction): Part[] {
  if (won.length !== 2) return shares.map((share, seat) => ({ seat, share }));
  const [first = 0, second = 0] = won;
  return [
    { seat: 0, share: first / count },
    { seat: -1, share: drawn / count },
    { seat: 1, share: second / count },
  ];
}
