/** The boards of the Live page or of a channel, over one socket. */
import type { LiveBoard } from '../api/server';
import type { View } from '../api/view';

const AGAIN = [1000, 2000, 4000, 8000];

interface Message {
  boards: LiveBoard[];
  views: Record<string, View>;
}

export class LiveBoards {
  /** The best first; null until the first message. */
  boards: LiveBoard[] | null = $state.raw(null);
  /** By match. */
  views: Record<string, View> = $state.raw({});
  online = $state(true);

  private socket: WebSocket | null = null;
  private closed = false;
  private attempts = 0;
  private retry: ReturnType<typeof setTimeout> | undefined;

  /** `channel`: the game of the channel; null: all games. */
  constructor(private readonly channel: string | null) {
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
    const { socket } = this;
    // The browser reports the end of a connection that is being made as an error.
    if (socket?.readyState === WebSocket.CONNECTING) socket.onopen = () => socket.close();
    else socket?.close();
  }

  private connect(): void {
    const path = this.channel === null ? '' : `/${encodeURIComponent(this.channel)}`;
    const socket = new WebSocket(`${location.origin.replace(/^http/, 'ws')}/api/live${path}/socket`);
    this.socket = socket;
    socket.onmessage = (message: MessageEvent<string>) => {
      const { boards, views } = JSON.parse(message.data) as Message;
      const known = { ...this.views, ...views };
      this.attempts = 0;
      this.online = true;
      this.views = Object.fromEntries(
        boards.flatMap(({ match }) => (known[match] ? [[match, known[match]]] : [])),
      );
      this.boards = boards;
    };
    socket.onclose = () => {
      if (this.closed || socket !== this.socket) return;
      this.online = false;
      const wait = AGAIN[Math.min(this.attempts, AGAIN.length - 1)] ?? 0;
      this.attempts += 1;
      this.retry = setTimeout(() => this.connect(), wait * (0.75 + Math.random() / 2));
    };
  }
}
