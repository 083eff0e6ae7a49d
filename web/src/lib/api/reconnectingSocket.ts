/** A web socket of messages that connects again when it is lost, later after each failure in a row. */
const AGAIN = [250, 1000, 2000, 4000, 8000];

interface Listener<Message> {
  message(message: Message): void;
  /** Returns the first message to send. */
  hello?(): unknown;
  /** The connection is lost. Returns whether to connect again. */
  lost?(code: number): boolean;
  /** The milliseconds before each next attempt. */
  again?: readonly number[];
}

export class ReconnectingSocket<Message> {
  private socket: WebSocket | null = null;
  private closed = false;
  private attempts = 0;
  private retry: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly path: string,
    private readonly listener: Listener<Message>,
  ) {
    this.connect();
  }

  /** Connects at once, as the network is back. */
  wake(): void {
    if (this.closed || this.socket?.readyState === WebSocket.OPEN) return;
    clearTimeout(this.retry);
    this.attempts = 0;
    this.connect();
  }

  close(): void {
    this.closed = true;
    clearTimeout(this.retry);
    this.drop();
  }

  private connect(): void {
    this.drop();
    const { hello, again = AGAIN } = this.listener;
    const socket = new WebSocket(`${location.origin.replace(/^http/, 'ws')}${this.path}`);
    this.socket = socket;
    if (hello) socket.onopen = () => socket.send(JSON.stringify(hello()));
    socket.onmessage = ({ data }: MessageEvent<string>) => {
      if (socket !== this.socket) return;
      this.attempts = 0;
      this.listener.message(JSON.parse(data) as Message);
    };
    socket.onclose = ({ code }) => {
      if (socket !== this.socket || this.listener.lost?.(code) === false) return;
      const wait = again[Math.min(this.attempts, again.length - 1)] ?? 0;
      this.attempts += 1;
      this.retry = setTimeout(() => this.connect(), wait * (0.75 + Math.random() / 2));
    };
  }

  private drop(): void {
    const { socket } = this;
    this.socket = null;
    // The browser reports the end of a connection that is being made as an error.
    if (socket?.readyState === WebSocket.CONNECTING) socket.onopen = () => socket.close();
    else socket?.close();
  }
}
