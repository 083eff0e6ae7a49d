/** The live list of open games. */
import type { Challenge } from '../api/types';

const AGAIN = [250, 1000, 2000, 4000, 8000];

export class Lobby {
  /** The oldest first; null until the first message. */
  challenges: Challenge[] | null = $state.raw(null);
  online = $state(true);

  private socket: WebSocket | null = null;
  private closed = false;
  private attempts = 0;
  private retry: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    this.connect();
  }

  /** Reconnects at once, as the network is back. */
  wake(): void {
    if (this.closed || this.socket?.readyState === WebSocket.OPEN) return;
    clearTimeout(this.retry);
    this.attempts = 0;
    this.connect();
  }

  close(): void {
    this.closed = true;
    clearTimeout(this.retry);
    this.socket?.close();
  }

  private connect(): void {
    const socket = new WebSocket(`${location.origin.replace(/^http/, 'ws')}/api/lobby/socket`);
    const before = this.socket;
    this.socket = socket;
    before?.close();
    socket.onmessage = (message: MessageEvent<string>) => {
      const { challenges } = JSON.parse(message.data) as { challenges: Challenge[] };
      this.attempts = 0;
      this.online = true;
      this.challenges = challenges;
    };
    socket.onclose = () => {
      if (socket !== this.socket || this.closed) return;
      this.online = false;
      const wait = AGAIN[Math.min(this.attempts, AGAIN.length - 1)] ?? 0;
      this.attempts += 1;
      this.retry = setTimeout(() => this.connect(), wait * (0.75 + Math.random() / 2));
    };
  }
}
