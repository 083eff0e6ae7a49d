/** A match on this device: the core in the browser plays by the rules, draws and searches. */
import { errorMessage } from '../api/errors';
import { ApiError } from '../api/http';
import { CoreClient } from '../core/client';
import { logEntry } from '../core/log';
import { lengthAfterUndo, snapshotOf, turnOf, viewerOf, type Played } from './position';
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
import type { Command, Hint, LogEntry, PositionRef, ProofResult, Snapshot } from '../api/types';

/** Searches for forced wins go deeper until one takes this long, in milliseconds. */
const PROOF_TIME = 150;
const PROOF_PLIES = 6;

/** The level and the seconds for the rest of a turn whose time is up. */
const TIMEOUT_ENGINE = { level: 8, seconds: 0.05 };

/** A seed from 0 to 2^53 - 1. */
function randomSeed(): number {
  const [high = 0, low = 0] = crypto.getRandomValues(new Uint32Array(2));
  return (high % 2 ** 21) * 2 ** 32 + low;
}

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
    const tried = await this.play({ ...game, line: game.line.slice(0, ply) }, log.slice(0, ply), line);
    return snapshotOf(this.id, { ...tried, game: { ...tried.game, confirm: false, resigned: null } });
  }

  async explain(
    touched: string[],
    turn: number | null,
    at: PositionRef | null,
  ): Promise<{ refusal: Refusal | null }> {
    return { refusal: await this.rules.ask('explain', { ...this.placeAt(at), touched, turn }) };
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
    let looked = 0;
    for (let plies = 1; plies <= PROOF_PLIES; plies += 1) {
      const begun = performance.now();
      const proof = await this.searcher().ask('prove', { ...placeOf(game), plies });
      if (proof) return { seq: game.seq, plies, proof };
      looked = plies;
      if (performance.now() - begun > PROOF_TIME) break;
    }
    return { seq: game.seq, plies: looked, proof: null };
  }

  record(): Promise<string> {
    const { result } = snapshotOf(this.id, this.get());
    return writeRecord(this.rules, this.get().game, result?.returns);
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
    const played = await this.play({ ...game, line: [], seq: 0 }, [], game.line);
    const drawn = played.game.line.length > game.line.length;
    this.played = { ...played, game: { ...played.game, seq: Math.max(game.seq, played.game.seq) } };
    // Random events before the first decision.
    if (drawn) this.store(this.played);
    if (game.time) this.clock ??= new TurnClock(game.time, (turn) => this.enqueue(() => this.finishTurn(turn)));
    this.listener?.online(true);
    this.listener?.snapshot(this.snapshot());
    this.think();
  }

  private async perform(command: Command): Promise<void> {
    try {
      const played = await this.after(command);
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
  private async after({ do: what, seq, seat, token }: Command): Promise<Played> {
    const played = this.get();
    const { game, log } = played;
    const { status } = snapshotOf(this.id, played);
    if (seq !== game.seq) throw fault('stale');
    if (status === 'over') throw fault('over');
    switch (what) {
      case 'play':
        if (status === 'confirming') throw fault('confirm-first');
        return this.play(game, log, [token ?? '']);
      case 'undo': {
        const keep = lengthAfterUndo(played, token === 'turn');
        if (keep === null) throw fault('nothing-to-undo');
        const confirmed = Math.min(game.confirmed, keep);
        const late = game.late?.filter((place) => place < keep) ?? [];
        const shorter = { ...game, line: game.line.slice(0, keep), confirmed, late, seq: game.seq + 1 };
        return this.look(shorter, log.slice(0, keep));
      }
      case 'confirm':
        if (status !== 'confirming') throw fault('nothing-to-confirm');
        return this.confirmed(played);
      case 'resign':
        return { ...played, game: { ...game, resigned: seat, seq: game.seq + 1 } };
      default:
        throw fault('cannot-ask');
    }
  }

  private confirmed({ game, log }: Played): Promise<Played> {
    return this.look({ ...game, confirmed: game.line.length, seq: game.seq + 1 }, log);
  }

  /** The game after further actions, with the random events after them. */
  private async play(
    before: DeviceGame,
    log: readonly LogEntry[],
    tokens: readonly string[],
  ): Promise<Played> {
    const from = before.line.length;
    const line = [...before.line, ...tokens];
    for (;;) {
      const place = placeOf({ ...before, line });
      if ((await this.rules.ask('position', place)).to_act !== -1) break;
      line.push((await this.rules.ask('chance', { ...place, seed: randomSeed() })).token);
    }
    const game = { ...before, line, seq: before.seq + line.length - from };
    const entries = await this.rules.ask('log', { ...placeOf(game), from });
    const added = entries.map((entry, at) => ({
      ...logEntry(entry, before.seq + at + 1),
      late: game.late?.includes(from + at) ?? false,
    }));
    return this.look(game, [...log, ...added]);
  }

  /** Adds the position as the person to act or to confirm sees it, otherwise the first person. */
  private async look(game: DeviceGame, log: readonly LogEntry[]): Promise<Played> {
    const ask = (seat: number | null) => this.rules.ask('position', { ...placeOf(game), seat });
    const first = game.seats.findIndex(({ kind }) => kind === 'person');
    const played = { game, log, position: await ask(first < 0 ? null : first) };
    const viewer = viewerOf(played) ?? first;
    return viewer === first ? played : { ...played, position: await ask(viewer) };
  }

  private store(played: Played): void {
    const used = this.clock?.used;
    this.played = used ? { ...played, game: { ...played.game, used } } : played;
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
    const { used } = played.game;
    clock.follow(turn, used?.turn === turn ? (used?.seconds ?? 0) : 0);
    const running = turn === null ? null : shown.acting;
    const remaining = shown.seats.map(({ seat, yours }) => (yours ? clock.remaining(seat === running) : null));
    return { ...shown, clock: { time: { kind: 'turn', seconds: played.game.time }, remaining, running } };
  }

  /** Plays and confirms the rest of a turn whose time is up. */
  private async finishTurn(turn: string): Promise<void> {
    while (!this.closed && turnOf(this.get()) === turn) {
      const played = this.get();
      const { game, log } = played;
      if (snapshotOf(this.id, played).status === 'confirming') this.store(await this.confirmed(played));
      else {
        const limits = { ...TIMEOUT_ENGINE, seed: randomSeed() };
        const { token } = await this.searcher().ask('choose', { ...placeOf(game), ...limits });
        const late = [...(game.late ?? []), game.line.length];
        this.store(await this.play({ ...game, late }, log, [token]));
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
        this.store(await this.play(current, log, [token]));
        this.listener?.update(this.snapshot());
        this.think();
      });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (this.closed) return;
      const text = errorMessage(error.problem);
      this.listener?.presence([], 0, false, { seat, missing: false, text: { en: text, ja: text } });
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
