/** Synthesized sounds of wood: short filtered knocks. */
import type { Sound } from '../api/view';
import { settings } from './settings.svelte';

interface Knock {
  /** Pitch in hertz. */
  tone: number;
  /** Decay in seconds. */
  ring: number;
  /** Volume of the click. */
  click: number;
  loud: number;
  /** Delay in seconds. */
  after?: number;
}

const GAINS = { low: 0.12, medium: 0.35, high: 0.9 };

/** How a game ended for the player. */
type Ending = 'win' | 'loss' | 'draw';

/** The events of a game, its end, and a call to the player. */
type Heard = Sound | Ending | 'call';

const KNOCKS: Record<Heard, Knock[]> = {
  step: [{ tone: 240, ring: 0.09, click: 0.5, loud: 0.5 }],
  place: [{ tone: 420, ring: 0.07, click: 0.8, loud: 0.45 }],
  lay: [
    { tone: 170, ring: 0.12, click: 0.6, loud: 0.6 },
    { tone: 190, ring: 0.08, click: 0.4, loud: 0.25, after: 0.045 },
  ],
  flip: [
    { tone: 520, ring: 0.04, click: 0.9, loud: 0.25 },
    { tone: 330, ring: 0.08, click: 0.6, loud: 0.4, after: 0.09 },
  ],
  spin: [0, 0.06, 0.13, 0.22, 0.34].map((after) => ({ tone: 640, ring: 0.03, click: 1, loud: 0.25, after })),
  call: [
    { tone: 520, ring: 0.25, click: 0.3, loud: 0.5 },
    { tone: 660, ring: 0.35, click: 0.3, loud: 0.5, after: 0.16 },
  ],
  end: [
    { tone: 262, ring: 0.5, click: 0.2, loud: 0.4 },
    { tone: 330, ring: 0.5, click: 0.2, loud: 0.35, after: 0.12 },
    { tone: 392, ring: 0.8, click: 0.2, loud: 0.4, after: 0.24 },
  ],
  // A rising chord, a falling third, and the same tone twice.
  win: [392, 494, 587, 784].map((tone, step) => ({
    tone,
    ring: step === 3 ? 1.1 : 0.45,
    click: 0.25,
    loud: 0.4,
    after: 0.11 * step,
  })),
  loss: [
    { tone: 311, ring: 0.5, click: 0.2, loud: 0.35 },
    { tone: 247, ring: 0.9, click: 0.2, loud: 0.4, after: 0.22 },
  ],
  draw: [
    { tone: 330, ring: 0.45, click: 0.2, loud: 0.35 },
    { tone: 330, ring: 0.8, click: 0.2, loud: 0.35, after: 0.2 },
  ],
};

/** A sound that could not begin after as many milliseconds is left out: browsers are silent until the first click. */
const LATE = 300;

/** After as many milliseconds without a sound the audio is suspended: until then the device computes silence. */
const REST = 3_000;

let context: AudioContext | null = null;
let noise: AudioBuffer | null = null;
let rest: number | undefined;

export function play(sound: Heard): void {
  const audio = (context ??= new AudioContext());
  const asked = performance.now();
  void audio.resume().then(() => {
    if (performance.now() - asked > LATE) return;
    for (const knock of KNOCKS[sound]) strike(audio, knock);
    window.clearTimeout(rest);
    rest = window.setTimeout(() => void audio.suspend(), REST);
  });
}

function strike(audio: AudioContext, { tone, ring, click, loud, after = 0 }: Knock): void {
  const at = audio.currentTime + after;
  const master = audio.createGain();
  master.gain.value = loud * GAINS[settings.volume];
  master.connect(audio.destination);
  // A random detune, as no two knocks are alike.
  const pitch = tone * (0.97 + Math.random() * 0.06);
  for (const [partial, part] of [
    [1, 1],
    [2.76, 0.35],
  ] as const) {
    const body = audio.createOscillator();
    const fade = audio.createGain();
    body.frequency.value = pitch * partial;
    fade.gain.setValueAtTime(part, at);
    fade.gain.exponentialRampToValueAtTime(0.001, at + ring / partial ** 0.5);
    body.connect(fade).connect(master);
    body.start(at);
    body.stop(at + ring);
  }
  const blow = audio.createBufferSource();
  const filter = audio.createBiquadFilter();
  const fade = audio.createGain();
  blow.buffer = noise ??= hiss(audio);
  filter.type = 'bandpass';
  filter.frequency.value = pitch * 4;
  fade.gain.setValueAtTime(click, at);
  fade.gain.exponentialRampToValueAtTime(0.001, at + 0.03);
  blow.connect(filter).connect(fade).connect(master);
  blow.start(at);
  blow.stop(at + 0.04);
}

function hiss(audio: AudioContext): AudioBuffer {
  const buffer = audio.createBuffer(1, Math.ceil(audio.sampleRate * 0.05), audio.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let place = 0; place < samples.length; place += 1) samples[place] = Math.random() * 2 - 1;
  return buffer;
}
