/** Who is at the table besides, and what is said there. */
import { keep, load } from './storage';
import type { ChatLine, Present, Problem } from './wire';

interface Voice {
  say(seat: number, text: string): void;
  report(seat: number, line: number): void;
}

/** What has been said while the chat was not open is counted up to here. */
export const MANY = 99;

export class Company {
  presence: Present[] = $state.raw([]);
  watching = $state(0);
  /** Everything that was said, but for what is muted. */
  private all: ChatLine[] = $state.raw([]);
  /** The seats that are not listened to here. */
  muted: number[] = $state.raw([]);
  reported: number[] = $state.raw([]);
  /** Why the last thing was not said. */
  problem: Problem | null = $state.raw(null);
  /** What waits to be said until the server has it. */
  private pending: string | null = null;
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

  meet(seats: Present[], watching: number): void {
    this.presence = seats;
    this.watching = watching;
  }

  /** Returns what is new in it. */
  hear(lines: ChatLine[], whole: boolean): ChatLine[] {
    if (whole) {
      this.all = lines;
      return [];
    }
    this.all = [...this.all, ...lines];
    if (lines.some(({ text }) => text === this.pending)) this.pending = null;
    return lines.filter(({ seat }) => !this.muted.includes(seat));
  }

  /** Whether it was something said here that was refused; then what it was can be said again. */
  refuse(problem: Problem): boolean {
    if (this.pending === null) return false;
    this.problem = problem;
    this.pending = null;
    return true;
  }

  thanks(line: number): void {
    this.reported = [...this.reported, line];
  }

  // What the person does

  say(seat: number, text: string): void {
    this.problem = null;
    this.pending = text.split(/\s+/).filter(Boolean).join(' ');
    if (this.pending === '') this.pending = null;
    else this.voice.say(seat, this.pending);
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

  private key(what: string): string {
    return `tavola.chat.${what}.${this.match}`;
  }
}
