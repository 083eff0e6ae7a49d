/**
 * The web socket of one match. It reconnects, and resends every command until it is answered. Command ids
 * make a repeated command count once.
 */
import { applyPatch, type Patch } from './patch';
import type {
  Analysis,
  ChatLine,
  Command,
  EngineFailure,
  Language,
  ServerMessage,
  SeatPresence,
  Problem,
  Snapshot,
  ReviewPart,
} from './types';

export interface Listener {
  /** The state after the hello message. */
  snapshot(snapshot: Snapshot): void;
  /** The state after an action. */
  update(snapshot: Snapshot): void;
  done(id: string): void;
  /** A command was rejected; null: not one of ours. */
  refused(id: string | null, problem: Problem): void;
  online(yes: boolean): void;
  /** A result of the analysis of the position on screen. */
  analysis(analysis: Analysis): void;
  /** A part of the review of the whole match. */
  study(part: ReviewPart): void;
  /** The analysis was refused or has ended. */
  unanalysed(problem: Problem): void;
  /** The connection states of the players, and of the engine to act. */
  presence(
    seats: SeatPresence[],
    watching: number,
    engineQueued: boolean,
    engineFailure: EngineFailure | null,
  ): void;
  /** Chat messages; `whole`: the complete history. */
  chat(lines: ChatLine[], whole: boolean): void;
  /** The host received the report of a chat message. */
  reported(line: number): void;
}

const HELLO_AGAIN = [0, 250, 500, 1000, 2000, 4000, 8000];
const PING_EVERY = 15_000;
const PONG_WITHIN = 8_000;

export class Connection {
  private socket: WebSocket | null = null;
  private open = false;
  private closed = false;
  private attempts = 0;
  private ply: number | null = null;
  private line: readonly string[] = [];
  /** The last snapshot: the next update may be a patch to it. */
  private shown: Snapshot | null = null;
  private readonly unanswered = new Map<string, Command>();
  private retry: ReturnType<typeof setTimeout> | undefined;
  private heart: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly url: string,
    private readonly tokens: string[],
    private readonly language: () => Language,
    private readonly listener: Listener,
  ) {
    this.connect();
  }

  /** Sends a command now, or as soon as there is a connection. */
  send(command: Command): void {
    this.unanswered.set(command.id, command);
    if (this.open) this.tell({ type: 'command', ...command });
  }

  /** Requests the analysis of the position after `ply` actions; null: stops it. */
  analyse(ply: number | null, line: readonly string[]): void {
    this.ply = ply;
    this.line = line;
    if (this.open) this.tell({ type: 'analyse', ply, line });
  }

  /** Sends a chat message to all players, if connected. */
  say(seat: number, text: string): void {
    this.tell({ type: 'say', seat, text });
  }

  /** Reports a chat message to the host. */
  report(seat: number, line: number): void {
    this.tell({ type: 'report', seat, line });
  }

  /** Lets an engine that failed try again. */
  retryEngine(): void {
    this.tell({ type: 'retry' });
  }

  /** Reconnects at once, as the network is back. */
  wake(): void {
    if (this.open || this.closed) return;
    this.attempts = 0;
    clearTimeout(this.retry);
    this.socket?.close();
    this.connect();
  }

  close(): void {
    this.closed = true;
    clearTimeout(this.retry);
    clearTimeout(this.heart);
    this.socket?.close();
  }

  private connect(): void {
    const socket = new WebSocket(this.url);
    this.socket = socket;
    socket.onopen = () => {
      this.tell({ type: 'hello', tokens: this.tokens, language: this.language(), changes: true });
    };
    socket.onmessage = (message: MessageEvent<string>) => {
      if (socket === this.socket) this.hear(JSON.parse(message.data) as ServerMessage);
    };
    socket.onclose = () => {
      if (socket === this.socket) this.lost();
    };
  }

  private lost(): void {
    this.socket = null;
    this.shown = null;
    this.open = false;
    clearTimeout(this.heart);
    if (this.closed) return;
    this.listener.online(false);
    const wait = HELLO_AGAIN[Math.min(this.attempts, HELLO_AGAIN.length - 1)] ?? 0;
    this.attempts += 1;
    this.retry = setTimeout(() => this.connect(), wait * (0.75 + Math.random() / 2));
  }

  private hear(message: ServerMessage): void {
    this.beat();
    switch (message.type) {
      case 'snapshot':
        this.open = true;
        this.attempts = 0;
        this.shown = message.snapshot;
        this.listener.online(true);
        this.listener.snapshot(message.snapshot);
        for (const command of this.unanswered.values()) this.tell({ type: 'command', ...command });
        if (this.ply !== null) this.analyse(this.ply, this.line);
        break;
      case 'analysis':
        this.listener.analysis(message);
        break;
      case 'study':
        this.listener.study(message);
        break;
      case 'analysis-refused':
        this.listener.unanalysed(message.error);
        break;
      case 'update':
        this.shown = message.snapshot;
        this.listener.update(message.snapshot);
        break;
      case 'change':
        if (this.shown === null) break;
        this.shown = applyPatch(this.shown, message.changes as Patch);
        this.listener.update(this.shown);
        break;
      case 'done':
        this.unanswered.delete(message.id);
        this.listener.done(message.id);
        break;
      case 'refused':
        if (message.id !== null) this.unanswered.delete(message.id);
        this.listener.refused(message.id, message.error);
        break;
      case 'echo':
        // At once: the server measures the round trip.
        this.tell(message);
        break;
      case 'presence':
        this.listener.presence(
          message.seats,
          message.watching,
          message.engine_queued,
          message.engine_failure,
        );
        break;
      case 'chat':
        this.listener.chat(message.lines, message.whole);
        break;
      case 'reported':
        this.listener.reported(message.line);
        break;
      case 'pong':
        break;
    }
  }

  /** Schedules the next ping, and disconnects if no pong arrives. */
  private beat(): void {
    clearTimeout(this.heart);
    this.heart = setTimeout(() => {
      this.tell({ type: 'ping' });
      this.heart = setTimeout(() => {
        const silent = this.socket;
        this.lost();
        silent?.close();
      }, PONG_WITHIN);
    }, PING_EVERY);
  }

  private tell(message: object): void {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }
}
