/** Who is at the table besides, and what is said there. */
import { keep, load } from '../platform/storage';
import type { ChatLine, Present, Problem } from '../api/types';

interface Voice {
  say(seat: number, text: string): void;
  report(seat: number, line: number): void;
}

/** What has been said while the chat was not open is counted up to here. */
export const MANY = 99;

export class Company {
  presence: Present[] = $state.raw([]);
  watching = $state(0);
  /** Whether the engine that is to act waits for its turn to think. */
  waits = $state(false);
  /** Everything that was said, but for what is muted. */
  private all: ChatLine[] = $state.raw([]);
  /** The seats that are not listened to here. */
  muted: number[] = $state.raw([]);
  reported: number[] = $state.raw([]);
  /** What is being written. */
  draft = $state('');
  /** Why the last thing was not said. */
  problem: Problem | null = $state.raw(null);
  /** What was sent and is not heard yet, the oldest first. */
  private pending: { seat: number; text: string }[] = [];
  /** The latest line that was read. */
  private read = $state(0);

  constructor(
    private readonly match: string,
    private readonly voice: Voice,
  ) {
    this.muted = load<number[]>(this.key('muted'), []);
    this.read = load<number>(this.key('read'), 0);
  }

  /** Whether anybody has said anything, muted or not. */
  readonly said = $derived(this.all.length > 0);
  readonly lines = $derived(this.all.filter(({ seat }) => !this.muted.includes(seat)));
  readonly unread = $derived(Math.min(MANY, this.lines.filter(({ id }) => id > this.read).length));

  of(seat: number): Present | null {
    return this.presence.find((one) => one.seat === seat) ?? null;
  }

  // What the server says

  meet(seats: Present[], watching: number, waits: boolean): void {
    this.presence = seats;
    this.watching = watching;
    this.waits = waits;
  }

  /** Returns what is new in it. */
  hear(lines: ChatLine[], whole: boolean): ChatLine[] {
    if (whole) {
      const latest = this.all.at(-1)?.id ?? 0;
      // Said after all, before the connection was lost.
      if (lines.some(({ id, text }) => id > latest && text === this.draft)) this.clear();
      this.all = lines;
      return [];
    }
    this.all = [...this.all, ...lines];
    for (const { seat } of lines) {
      const oldest = this.pending.findIndex((one) => one.seat === seat);
      if (oldest >= 0) this.pending.splice(oldest, 1);
    }
    return lines.filter(({ seat }) => !this.muted.includes(seat));
  }

  /** Whether it was something said here that was refused: then it can be mended and said again. */
  refuse(problem: Problem): boolean {
    const line = this.pending.shift();
    if (line) this.giveBack([line.text], problem);
    return line !== undefined;
  }

  /** The connection is lost, and with it perhaps what was on its way. */
  cut(): void {
    const lines = this.pending.map(({ text }) => text);
    this.pending = [];
    if (lines.length > 0) this.giveBack(lines, { code: 'offline', params: {}, message: '' });
  }

  thanks(line: number): void {
    this.reported = [...this.reported, line];
  }

  // What the person does

  /** Says what is written. */
  say(seat: number): void {
    const text = this.draft.split(/\s+/).filter(Boolean).join(' ');
    if (text === '') return;
    this.clear();
    this.pending.push({ seat, text });
    this.voice.say(seat, text);
  }

  report(seat: number, line: number): void {
    this.voice.report(seat, line);
  }

  mute(seat: number): void {
    this.muted = this.muted.includes(seat) ? this.muted.filter((one) => one !== seat) : [...this.muted, seat];
    keep(this.key('muted'), this.muted);
  }

  /** Everything up to now has been read. */
  catchUp(): void {
    const latest = this.all.at(-1)?.id ?? 0;
    if (latest <= this.read) return;
    this.read = latest;
    keep(this.key('read'), latest);
  }

  private clear(): void {
    this.draft = '';
    this.problem = null;
  }

  /** What was not said is written again, before what was written since. */
  private giveBack(lines: string[], problem: Problem): void {
    this.draft = [...lines, this.draft].filter(Boolean).join(' ');
    this.problem = problem;
  }

  private key(what: string): string {
    return `tavola.chat.${what}.${this.match}`;
  }
}
