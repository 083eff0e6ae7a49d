import { afterEach, beforeEach, expect, test, vi } from 'vitest';

vi.mock('../../src/lib/platform/settings.svelte', () => ({ settings: { volume: 'medium' } }));

/** Audio that begins only when the browser permits it, as real audio does before the first click. */
class Audio {
  static allowed = true;
  static last: Audio;
  state = 'suspended';
  currentTime = 0;
  sampleRate = 8_000;
  destination = {};
  begun = 0;
  private waiting: (() => void)[] = [];

  constructor() {
    Audio.last = this;
  }

  resume(): Promise<void> {
    if (Audio.allowed) return Promise.resolve(this.run());
    return new Promise((done) => this.waiting.push(done));
  }

  suspend(): Promise<void> {
    this.state = 'suspended';
    return Promise.resolve();
  }

  click(): void {
    this.run();
    for (const done of this.waiting) done();
  }

  createGain = () => this.node();
  createBiquadFilter = () => this.node();
  createOscillator = () => this.node();
  createBufferSource = () => this.node();
  createBuffer = (_channels: number, length: number) => ({ getChannelData: () => new Float32Array(length) });

  private run(): void {
    this.state = 'running';
  }

  private node() {
    const value = { value: 0, setValueAtTime: vi.fn(), exponentialRampToValueAtTime: vi.fn() };
    const node = {
      gain: value,
      frequency: value,
      connect: () => node,
      start: () => (this.begun += 1),
      stop: vi.fn(),
    };
    return node;
  }
}

beforeEach(() => {
  vi.resetModules();
  vi.useFakeTimers();
  vi.stubGlobal('window', globalThis);
  vi.stubGlobal('AudioContext', Audio);
  Audio.allowed = true;
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

async function opened() {
  const { play } = await import('../../src/lib/platform/sound');
  return async () => {
    play('step');
    await vi.advanceTimersByTimeAsync(0);
  };
}

test('the audio rests three seconds after the last sound, and continues with the next one', async () => {
  const play = await opened();
  await play();
  const one = Audio.last.begun;
  expect(one).toBeGreaterThan(0);
  await vi.advanceTimersByTimeAsync(2_500);
  await play();
  await vi.advanceTimersByTimeAsync(2_500);
  expect(Audio.last.state).toBe('running');
  await vi.advanceTimersByTimeAsync(600);
  expect(Audio.last.state).toBe('suspended');
  await play();
  expect(Audio.last.state).toBe('running');
  expect(Audio.last.begun).toBe(3 * one);
});

test('what could not be heard before the first click is not heard after it', async () => {
  Audio.allowed = false;
  const play = await opened();
  await play();
  await vi.advanceTimersByTimeAsync(5_000);
  Audio.last.click();
  await vi.advanceTimersByTimeAsync(0);
  expect(Audio.last.begun).toBe(0);
  Audio.allowed = true;
  await play();
  expect(Audio.last.begun).toBeGreaterThan(0);
});
