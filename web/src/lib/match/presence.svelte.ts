/** Who is at the table besides, and what is said there. */
import { save, load } from '../platform/storage';
import type { ChatLine, SeatPresence, Problem } from '../api/types';

interface ChatTransport {
  say(seat: number, text: string): void;
  report(seat: number, line: number): void;
}

/** What has been said while the chat was not open is counted up to here. */
export const MAX_UNREAD = 99;

export class Presence {
  seats: SeatPresence[] = $state.raw([]);
  spectators = $state(0);
  /** Whether the engine that is to act waits for its turn to think. */
  engineQueued = $state(false);
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
    private readonly transport: ChatTransport,
  ) {
    this.muted = load<number[]>(this.key('muted'), []);
    this.read = load<number>(this.key('read'), 0);
  }

  /** Whether anybody has said anything, muted or not. */
  readonly hasMessages = $derived(this.all.length > 0);
  readonly lines = $derived(this.all.filter(({ seat }) => !this.muted.includes(seat)));
  readonly unread = $derived(Math.min(MAX_UNREAD, this.lines.filter(({ id }) => id > this.read).length));

  of(seat: number): SeatPresence | null {
    return this.seats.find((one) => one.seat === seat) ?? null;
  }

  // What the server says

  onPresence(seats: SeatPresence[], watching: number, waits: boolean): void {
    this.seats = seats;
    this.spectators = watching;
    this.engineQueued = waits;
  }

  /** Returns what is new in it. */
  onChat(lines: ChatLine[], whole: boolean): ChatLine[] {
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
  onRejected(problem: Problem): boolean {
    const line = this.pending.shift();
    if (line) this.restoreDraft([line.text], problem);
    return line !== undefined;
  }

  /** The connection is lost, and with it perhaps what was on its way. */
  onDisconnect(): void {
    const lines = this.pending.map(({ text }) => text);
    this.pending = [];
    if (lines.length > 0) this.restoreDraft(lines, { code: 'offline', params: {}, message: '' });
  }

  onReported(line: number): void {
    this.reported = [...this.reported, line];
  }

  // What the person does

  /** Says what is written. */
  say(seat: number): void {
    const text = this.draft.split(/\s+/).filter(Boolean).join(' ');
    if (text === '') return;
    this.clear();
    this.pending.push({ seat, text });
    this.transport.say(seat, text);
  }

  report(seat: number, line: number): void {
    this.transport.report(seat, line);
  }

  mute(seat: number): void {
    this.muted = this.muted.includes(seat) ? this.muted.filter((one) => one !== seat) : [...this.muted, seat];
    save(this.key('muted'), this.muted);
  }

  /** Everything up to now has been read. */
  markRead(): void {
    const latest = this.all.at(-1)?.id ?? 0;
    if (latest <= this.read) return;
    this.read = latest;
    save(this.key('read'), latest);
  }

  private clear(): void {
    this.draft = '';
    this.problem = null;
  }

  /** What was not said is written again, before what was written since. */
  private restoreDraft(lines: string[], problem: Problem): void {
    this.draft = [...lines, this.draft].filter(Boolean).join(' ');
    this.problem = problem;
  }

  private key(what: string): string {
    return `tavola.chat.${what}.${this.match}`;
  }
}
