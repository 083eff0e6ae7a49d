/** The time of a turn on this device. It runs while the game is open: no one else waits. */

export class TurnClock {
  /** The turn whose time runs; null: none. */
  private turn: string | null = null;
  /** The seconds that were left when it began to run, and when that was. */
  private left = 0;
  private since = 0;
  private bell: ReturnType<typeof setTimeout> | undefined;

  /** `expire` is called with the turn whose time is up. */
  constructor(
    private readonly seconds: number,
    private readonly expire: (turn: string) => void,
  ) {}

  /** Runs for this turn, of which some seconds are used; null: stands. */
  follow(turn: string | null, used: number): void {
    if (turn === this.turn) return;
    this.stop();
    if (turn === null) return;
    this.turn = turn;
    this.left = Math.max(0, this.seconds - used);
    this.since = performance.now();
    this.bell = setTimeout(() => this.expire(turn), this.left * 1000);
  }

  /** The seconds left to the seat that acts; a seat that waits has all of its next turn. */
  remaining(acts: boolean): number {
    const run = (performance.now() - this.since) / 1000;
    return acts && this.turn !== null ? Math.max(0, this.left - run) : this.seconds;
  }

  /** The turn whose time runs, and the seconds used in it. */
  get used(): { turn: string; seconds: number } | undefined {
    return this.turn === null ? undefined : { turn: this.turn, seconds: this.seconds - this.remaining(true) };
  }

  stop(): void {
    clearTimeout(this.bell);
    this.turn = null;
  }
}
