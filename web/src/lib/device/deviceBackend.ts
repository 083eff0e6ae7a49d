/** A match on this device: the core in the browser plays by the rules, draws and searches. */
import { errorMessage } from '../api/errors';
import { ApiError } from '../api/http';
import { CoreClient } from '../core/client';
import { LANGUAGES } from '../i18n/languages';
import { perform, randomSeed, snapshotOf, turnOf, type Played } from './played';
import { TurnClock } from './turnClock';
import {
  ENGINE_SECONDS,
  loadDeviceGame,
  onOtherTab,
  placeOf,
  saveDeviceGame,
  type DeviceGame,
} from './deviceStore';
import { writeRecord } from './record';
import type { Listener } from '../api/connection';
import type { Place } from '../core/types';
import type { MatchBackend } from '../match/backend';
import { WHY_NOT_LIMITS } from '../match/whyNot.svelte';
import type { Prospect, Refusal } from '../api/view';
import type { WhyNotAnswer } from '../api/whyNot';
import type { Command, Hint, PositionRef, ProofResult, Snapshot } from '../api/types';

/** The level and the seconds for the rest of a turn whose time is up. */
const TIMEOUT_ENGINE = { level: 8, seconds: 0.05 };

const spentIn = ({ spent, used }: DeviceGame): Record<string, number> => ({
  ...(used && { [used.turn]: used.seconds }),
  ...spent,
});

const fault = (code: string): ApiError => new ApiError({ code, params: {}, message: '' }, 0);

export class DeviceBackend implements MatchBackend {
  readonly server = null;
  private readonly rules: CoreClient;
  private engine: CoreClient | null = null;
  private listener: Listener | null = null;
  private played: Played | null = null;
  /** The version of the position for which the engine searches or has failed. */
  private searched = -1;
  private closed = false;
  /** Null: people have unlimited time. */
  private clock: TurnClock | null = null;
  /** Commands are performed one after another. */
  private queue: Promise<void> = Promise.resolve();
  private readonly forget: () => void;

  constructor(
    private readonly id: string,
    private readonly startCore: () => CoreClient = () => new CoreClient(),
  ) {
    this.rules = startCore();
    this.forget = onOtherTab(id, () => this.enqueue(() => this.reload()));
  }

  open(listener: Listener): void {
    this.listener = listener;
    this.enqueue(() => this.reload());
  }

  send(command: Command): void {
    this.enqueue(() => this.perform(command));
  }

  /** There is no connection to wake. */
  wake(): void {
    this.think();
  }

  close(): void {
    this.closed = true;
    if (this.played && this.clock?.used) this.store(this.played);
    this.clock?.stop();
    this.forget();
    this.rules.close();
    this.engine?.close();
  }

  retryEngine(): void {
    this.engine?.close();
    this.engine = null;
    this.searched = -1;
    this.listener?.presence([], 0, false, null);
    this.think();
  }

  now(): Promise<Snapshot> {
    return Promise.resolve(this.snapshot());
  }

  async position(ply: number, line: readonly string[]): Promise<Snapshot> {
    const { game, log } = this.get();
    const tried = { ...game, line: [...game.line.slice(0, ply), ...line], confirm: false, resigned: null };
    return snapshotOf(this.id, await perform(this.rules, tried, log.slice(0, ply)));
  }

  async explain(
    touched: string[],
    rotation: number | null,
    at: PositionRef | null,
  ): Promise<{ refusal: Refusal | null }> {
    return { refusal: await this.rules.ask('explain', { ...this.placeAt(at), touched, turn: rotation }) };
  }

  prospect(_: number, token: string, at: PositionRef | null): Promise<Prospect | null> {
    // Without a prospect the action can still be played.
    return this.rules.ask('prospect', { ...this.placeAt(at), token }).catch((error: unknown) => {
      if (!(error instanceof ApiError)) throw error;
      return null;
    });
  }

  async hint(): Promise<Hint> {
    const { game } = this.get();
    return { seq: game.seq, ...(await this.searcher().ask('hint', placeOf(game))) };
  }

  whyNot(ply: number, token: string): Promise<WhyNotAnswer> {
    const { game } = this.get();
    const place = placeOf({ ...game, line: game.line.slice(0, ply) });
    return this.searcher().ask('why-not', { ...place, token, ...WHY_NOT_LIMITS });
  }

  async proof(): Promise<ProofResult> {
    const { game } = this.get();
    return { seq: game.seq, ...(await this.searcher().ask('prove', placeOf(game))) };
  }

  record(): Promise<string> {
    return writeRecord(this.rules, this.get().game);
  }

  // Commands

  private enqueue(work: () => Promise<void>): void {
    this.queue = this.queue.then(async () => {
      if (this.closed) return;
      try {
        await work();
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        if (!this.closed) this.listener?.refused(null, error.problem);
      }
    });
  }

  /** Reads the stored game. */
  private async reload(): Promise<void> {
    const game = loadDeviceGame(this.id);
    if (!game) throw fault('unknown-match');
    const played = await perform(this.rules, game);
    this.played = played;
    // Random events before the first decision.
    if (played.game.line.length > game.line.length) this.store(played);
    if (game.time)
      this.clock ??= new TurnClock(game.time, (turn) => this.enqueue(() => this.finishTurn(turn)));
    this.listener?.online(true);
    this.listener?.snapshot(this.snapshot());
    this.think();
  }

  private async perform(command: Command): Promise<void> {
    try {
      const played = await this.execute(command);
      this.store(played);
      this.listener?.update(this.snapshot());
      this.listener?.done(command.id);
      this.think();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.listener?.refused(command.id, error.problem);
    }
  }

  /** The game after a command. */
  private execute({ do: what, seq, seat, token }: Command): Promise<Played> {
    const { game, log } = this.get();
    if (seq !== game.seq) throw fault('stale');
    switch (what) {
      case 'play':
        return perform(this.rules, game, log, { what, token: token ?? '' });
      case 'undo':
        return perform(this.rules, game, log, { what, whole_turn: token === 'turn' });
      case 'confirm':
        return perform(this.rules, game, log, { what });
      case 'resign':
        return perform(this.rules, game, log, { what, seat });
      default:
        throw fault('cannot-ask');
    }
  }

  private store(played: Played): void {
    const used = this.clock?.used;
    this.played = played;
    if (used) {
      const game = { ...played.game, spent: { ...spentIn(played.game), [used.turn]: used.seconds } };
      delete game.used;
      this.played = { ...played, game };
    }
    saveDeviceGame(this.id, this.played.game);
  }

  // Time

  /** The match as people see it, and the clock of the turn that it shows. */
  private snapshot(): Snapshot {
    const played = this.get();
    const shown = snapshotOf(this.id, played);
    const { clock } = this;
    if (!clock || !played.game.time) return shown;
    const turn = turnOf(played);
    clock.follow(turn, spentIn(played.game)[turn ?? ''] ?? 0);
    const running = turn === null ? null : shown.acting;
    const remaining = shown.seats.map(({ seat, yours }) =>
      yours ? clock.remaining(seat === running) : null,
    );
    return { ...shown, clock: { time: { kind: 'turn', seconds: played.game.time }, remaining, running } };
  }

  /** Plays and confirms the rest of a turn whose time is up. */
  private async finishTurn(turn: string): Promise<void> {
    while (!this.closed && turnOf(this.get()) === turn) {
      const played = this.get();
      const { game, log } = played;
      if (played.match.status === 'confirming') {
        this.store(await perform(this.rules, game, log, { what: 'confirm' }));
      } else {
        const limits = { ...TIMEOUT_ENGINE, seed: randomSeed() };
        const { token } = await this.searcher().ask('choose', { ...placeOf(game), ...limits });
        const late = [...(game.late ?? []), game.line.length];
        this.store(await perform(this.rules, { ...game, late }, log, { what: 'play', token }));
      }
      this.listener?.update(this.snapshot());
    }
    this.think();
  }

  // Engines

  private searcher(): CoreClient {
    this.engine ??= this.startCore();
    return this.engine;
  }

  /** Lets the engine to act search, unless it does already. */
  private think(): void {
    const { played } = this;
    if (!played || this.closed) return;
    const { status, acting, seq } = snapshotOf(this.id, played);
    const seat = acting === null ? undefined : played.game.seats[acting];
    if (status !== 'playing' || seat?.kind !== 'engine' || this.searched === seq) return;
    this.searched = seq;
    void this.choose(played.game, acting ?? 0, seat.level);
  }

  private async choose(game: DeviceGame, seat: number, level: number): Promise<void> {
    const place = placeOf(game);
    const limits = { level, seconds: ENGINE_SECONDS, seed: randomSeed() };
    try {
      const { token } = await this.searcher().ask('choose', { ...place, ...limits });
      this.enqueue(async () => {
        // The player has undone, or another tab has played.
        const { game: current, log } = this.get();
        if (current.seq !== game.seq) return;
        this.store(await perform(this.rules, current, log, { what: 'play', token }));
        this.listener?.update(this.snapshot());
        this.think();
      });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (this.closed) return;
      const problem = errorMessage(error.problem);
      const text = Object.fromEntries(LANGUAGES.map((language) => [language, problem]));
      this.listener?.presence([], 0, false, { seat, missing: false, text });
    }
  }

  // Helpers

  private get(): Played {
    if (!this.played) throw fault('unknown-match');
    return this.played;
  }

  private placeAt(at: PositionRef | null): Place {
    const { game } = this.get();
    return placeOf(at ? { ...game, line: [...game.line.slice(0, at.ply), ...at.line] } : game);
  }
}
