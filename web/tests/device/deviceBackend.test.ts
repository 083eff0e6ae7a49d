/** A game on this device, played by the built core where there is one. */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { stubStorage } from '../fixtures';
import { CoreClient, type CoreWorker } from '../../src/lib/core/client';
import { CoreModule } from '../../src/lib/core/module';
import { CoreService } from '../../src/lib/core/service';
import { DeviceBackend } from '../../src/lib/device/deviceBackend';
import {
  loadDeviceGame,
  newDeviceId,
  saveDeviceGame,
  startOf,
  type DeviceGame,
  type DeviceSeat,
} from '../../src/lib/device/deviceStore';
import type { Listener } from '../../src/lib/api/connection';
import type { Command, Problem, Snapshot } from '../../src/lib/api/types';
import type { FromWorker, ToWorker } from '../../src/lib/core/types';

const built = fileURLToPath(new URL('../../../target/wasm/core.wasm', import.meta.url));
const GAMES = ['montana', 'passtally', 'potlatch', 'proteus'];
const person: DeviceSeat = { kind: 'person' };
const engine: DeviceSeat = { kind: 'engine', level: 1 };

beforeEach(() => {
  stubStorage();
  vi.stubGlobal('addEventListener', () => undefined);
  vi.stubGlobal('removeEventListener', () => undefined);
});

afterEach(() => vi.unstubAllGlobals());

function startCore(): CoreClient {
  const worker: CoreWorker = {
    onmessage: null,
    onerror: null,
    terminate: () => undefined,
    postMessage: (message: ToWorker) => void service.receive(message),
  };
  const service = new CoreService(CoreModule.instantiate(readFileSync(built)), (data: FromWorker) =>
    queueMicrotask(() => worker.onmessage?.({ data } as MessageEvent<FromWorker>)),
  );
  return new CoreClient(() => worker);
}

const id = newDeviceId('test');

/** A game on the device, and what its listener has heard. */
class Play {
  now!: Snapshot;
  readonly refused: (Problem | null)[] = [];
  readonly backend = new DeviceBackend(id, startCore);
  private count = 0;

  constructor() {
    const listener: Partial<Listener> = {
      snapshot: (snapshot) => (this.now = snapshot),
      update: (snapshot) => (this.now = snapshot),
      done: () => undefined,
      online: () => undefined,
      refused: (_, problem) => this.refused.push(problem),
    };
    this.backend.open(listener as Listener);
  }

  static start(game: string, seats: DeviceSeat[], more: Partial<DeviceGame> = {}): Play {
    saveDeviceGame(id, {
      game,
      options: {},
      rules: game === 'proteus' ? '2' : '1',
      seats,
      confirm: false,
      line: [],
      confirmed: 0,
      resigned: null,
      seq: 0,
      ...more,
    });
    return new Play();
  }

  command(what: Command['do'], token?: string, seq = this.now.seq): void {
    this.count += 1;
    const seat = this.now.acting ?? 0;
    const command: Command = { id: String(this.count), seq, seat, do: what };
    this.backend.send(token === undefined ? command : { ...command, token });
  }

  /** Waits until a person here can act or confirm, or the game is over. */
  async turn(): Promise<Snapshot> {
    await vi.waitFor(
      () => {
        const { status, acting, seats } = this.now;
        if (status === 'playing' && seats[acting ?? -1]?.yours !== true) throw new Error('not yet');
      },
      { timeout: 20_000 },
    );
    return this.now;
  }

  async act(what: Command['do'], token?: string): Promise<Snapshot> {
    const { seq } = await this.turn();
    this.command(what, token);
    await vi.waitFor(() => expect(this.now.seq !== seq || this.refused.length > 0).toBe(true));
    return this.turn();
  }
}

const first = ({ view }: Snapshot) => view.actions[0]?.token ?? '';

// `make build` and CI build the module; without the target of Rust there is none.
test.runIf(existsSync(built)).each(GAMES)(
  '%s: two people play, and a reload loses nothing',
  async (game) => {
    const play = Play.start(game, [person, person]);
    await vi.waitFor(() => expect(play.now).toBeDefined());
    for (let count = 0; count < 6; count += 1) await play.act('play', first(play.now));
    const { now } = play;
    const seqs = now.log.map(({ seq }) => seq);
    expect(new Set(seqs).size).toBe(seqs.length);
    expect(now.log.every(({ label }) => label.key !== '')).toBe(true);
    play.backend.close();
    const again = new Play();
    await vi.waitFor(() => expect(again.now).toBeDefined());
    expect(again.now.log.map(({ token }) => token)).toEqual(now.log.map(({ token }) => token));
    expect(again.now.view).toEqual(now.view);
    expect(again.now.seq).toBe(now.seq);
    expect(again.refused).toEqual([]);
  },
  30_000,
);

test.runIf(existsSync(built))('a game begins from a position, and its record has it', async () => {
  const position = '0,0:0;1,0:0;0,1:1 0,0;1,0 B 0 1,0 0 1 -';
  const play = Play.start('potlatch', [engine, person], { position });
  await vi.waitFor(() => expect(play.now).toBeDefined());
  expect(play.now.acting).toBe(1);
  await play.act('play', first(play.now));
  expect(startOf(id)).toBe(position);
  expect(await play.backend.record()).toContain(`[Position "${position}"]`);
  expect(play.refused).toEqual([]);
});

test.runIf(existsSync(built))(
  'an engine answers, an undo takes its answer back, and hints are given',
  async () => {
    const play = Play.start('potlatch', [person, engine]);
    await vi.waitFor(() => expect(play.now).toBeDefined());
    await play.act('play', first(play.now));
    const answered = await play.act('play', first(play.now));
    expect(answered.log.some(({ seat }) => seat === 1)).toBe(true);
    const hint = await play.backend.hint();
    expect(answered.view.actions.map(({ token }) => token)).toContain(hint.token);
    expect(hint.seq).toBe(answered.seq);
    const undone = await play.act('undo', 'turn');
    expect(undone.log).toEqual([]);
    expect(undone.can.undo).toBe(false);
    play.command('undo');
    await vi.waitFor(() => expect(play.refused.map((problem) => problem?.code)).toEqual(['nothing-to-undo']));
    expect(await play.backend.record()).toContain('[Seat1 "level:1"]');
  },
);

test.runIf(existsSync(built))(
  'turns are confirmed, old commands are rejected, and a player resigns',
  async () => {
    const play = Play.start('potlatch', [person, person], { confirm: true });
    await vi.waitFor(() => expect(play.now).toBeDefined());
    const old = play.now.seq;
    while (play.now.status === 'playing') await play.act('play', first(play.now));
    expect(play.now).toMatchObject({ status: 'confirming', acting: 0 });
    expect(play.now.view.actions).toEqual([]);
    await play.act('confirm');
    expect(play.now).toMatchObject({ status: 'playing', acting: 1 });
    play.command('play', 'nonsense', old);
    play.command('play', 'nonsense');
    await vi.waitFor(() =>
      expect(play.refused.map((problem) => problem?.code)).toEqual(['stale', 'illegal-line']),
    );
    play.refused.length = 0;
    await play.act('resign');
    expect(play.now.result).toMatchObject({ winners: [0], reason: 'resigned', loser: 1 });
    expect(loadDeviceGame(id)?.resigned).toBe(1);
    play.command('play', first(play.now));
    await vi.waitFor(() => expect(play.refused.map((problem) => problem?.code)).toEqual(['over']));
  },
);

test.runIf(existsSync(built))(
  'a game that is not stored here, or whose actions are illegal, is rejected',
  async () => {
    const none = new Play();
    await vi.waitFor(() => expect(none.refused.map((problem) => problem?.code)).toEqual(['unknown-match']));
    const wrong = Play.start('potlatch', [person, person], { line: ['nonsense'] });
    await vi.waitFor(() => expect(wrong.refused.map((problem) => problem?.code)).toEqual(['illegal-line']));
  },
);

test.runIf(existsSync(built))(
  'when the time of a turn is up, the rest of it is played and confirmed, and the other person is to act',
  async () => {
    const play = Play.start('potlatch', [person, person], { confirm: true, time: 1 });
    await vi.waitFor(() => expect(play.now).toBeDefined());
    expect(play.now.clock).toEqual({
      time: { kind: 'turn', seconds: 1 },
      remaining: [expect.closeTo(1, 0), 1],
      running: 0,
    });
    await play.act('play', first(play.now));
    await vi.waitFor(() => expect(play.now.acting).toBe(1), { timeout: 20_000 });
    const { log } = play.now;
    expect(log.slice(0, 2).map(({ seat, late }) => [seat, late])).toEqual([
      [0, false],
      [0, true],
    ]);
    play.backend.close();
    expect(loadDeviceGame(id)?.late?.[0]).toBe(1);
  },
  30_000,
);

test.runIf(existsSync(built))(
  'an undo into an earlier turn restores the time that this turn had',
  async () => {
    const used = { turn: '0.1', seconds: 20 };
    const play = Play.start('potlatch', [person, person], { time: 60, used });
    await vi.waitFor(() => expect(play.now).toBeDefined());
    expect(play.now.clock?.remaining[0]).toBeCloseTo(40, 0);
    const seat = play.now.acting;
    while (play.now.acting === seat) await play.act('play', first(play.now));
    expect(play.now.clock?.remaining).toEqual([60, expect.closeTo(60, 0)]);
    await play.act('undo', 'turn');
    expect(play.now.acting).toBe(seat);
    expect(play.now.clock?.remaining[0]).toBeLessThanOrEqual(40);
    play.backend.close();
    const again = new Play();
    await vi.waitFor(() => expect(again.now).toBeDefined());
    expect(again.now.clock?.remaining[0]).toBeLessThanOrEqual(40);
    again.backend.close();
  },
);
