/** Connection states of the players, and the chat. */
import { isListOf, isNumber } from '../platform/checks';
import { save, load } from '../platform/storage';
import type { ChatLine, EngineFailure, SeatPresence, Problem } from '../api/types';

interface ChatTransport {
  say(seat: number, text: string): void;
  report(seat: number, line: number): void;
}

/** The unread counter stops here. */
const MAX_UNREAD = 99;

export class Presence {
  seats: SeatPresence[] = $state.raw([]);
  spectators = $state(0);
  /** Whether the engine to act waits for a free processor. */
  engineQueued = $state(false);
  /** How the engine to act failed; null: it did not. */
  engineFailure: EngineFailure | null = $state.raw(null);
  /** All messages, including muted ones. */
  private all: ChatLine[] = $state.raw([]);
  /** The muted seats. */
  muted: number[] = $state.raw([]);
  reported: number[] = $state.raw([]);
  /** The message being typed. */
  draft = $state('');
  /** Why the last message was not sent. */
  problem: Problem | null = $state.raw(null);
  /** Messages without an answer of the server, the oldest first. */
  private pending: { seat: number; text: string }[] = [];
  /** The latest message that was read. */
  private read = $state(0);

  constructor(
    private readonly match: string,
    private readonly transport: ChatTransport,
  ) {
    this.muted = load<number[]>(this.key('muted'), [], isListOf(isNumber));
    this.read = load(this.key('read'), 0, isNumber);
  }

  /** Whether there are messages, muted or not. */
  readonly hasMessages = $derived(this.all.length > 0);
  readonly lines = $derived(this.all.filter(({ seat }) => !this.muted.includes(seat)));
  readonly unread = $derived(Math.min(MAX_UNREAD, this.lines.filter(({ id }) => id > this.read).length));

  of(seat: number): SeatPresence | null {
    return this.seats.find((one) => one.seat === seat) ?? null;
  }

  // Messages of the server

  onPresence(
    seats: SeatPresence[],
    watching: number,
    engineQueued: boolean,
    engineFailure: EngineFailure | null,
  ): void {
    this.seats = seats;
    this.spectators = watching;
    this.engineQueued = engineQueued;
    this.engineFailure = engineFailure;
  }

  /** Returns the new messages that are not muted. */
  onChat(lines: ChatLine[], whole: boolean): ChatLine[] {
    if (whole) {
      const latest = this.all.at(-1)?.id ?? 0;
      // The message arrived before the connection broke.
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

  /** Returns whether a chat message was rejected; its text is then restored for editing. */
  onRejected(problem: Problem): boolean {
    const line = this.pending.shift();
    if (line) this.restoreDraft([line.text], problem);
    return line !== undefined;
  }

  /** The connection broke, perhaps before pending messages arrived. */
  onDisconnect(): void {
    const lines = this.pending.map(({ text }) => text);
    this.pending = [];
    if (lines.length > 0) this.restoreDraft(lines, { code: 'offline', params: {}, message: '' });
  }

  onReported(line: number): void {
    this.reported = [...this.reported, line];
  }

  // Actions of the player

  /** Sends the typed message. */
  say(seat: number): void {
    const text = this.draft.split(/\s+/).filter(Boolean).join(' ');
    if (text === '') return;
    this.clear();
    this.post(seat, text);
  }

  /** Sends a message and leaves the typed one. */
  post(seat: number, text: string): void {
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

  /** Marks all messages as read. */
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

  /** Puts unsent messages back, before what was typed since. */
  private restoreDraft(lines: string[], problem: Problem): void {
    this.draft = [...lines, this.draft].filter(Boolean).join(' ');
    this.problem = problem;
  }

  private key(what: string): string {
    return `tavola.chat.${what}.${this.match}`;
  }
}
