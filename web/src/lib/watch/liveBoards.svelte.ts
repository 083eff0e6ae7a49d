/** The boards of the Live page or of a channel, over one socket. */
import { ReconnectingSocket } from '../api/reconnectingSocket';
import type { LiveBoard } from '../api/server';
import type { View } from '../api/view';

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

  private readonly socket: ReconnectingSocket<Message>;

  /** `channel`: the game of the channel; null: all games. */
  constructor(channel: string | null) {
    const path = channel === null ? '' : `/${encodeURIComponent(channel)}`;
    this.socket = new ReconnectingSocket<Message>(`/api/live${path}/socket`, {
      message: ({ boards, views }) => {
        const known = { ...this.views, ...views };
        this.online = true;
        this.views = Object.fromEntries(
          boards.flatMap(({ match }) => (known[match] ? [[match, known[match]]] : [])),
        );
        this.boards = boards;
      },
      lost: () => {
        this.online = false;
        return true;
      },
    });
  }

  /** Reconnects at once, as the network is back. */
  wake(): void {
    this.socket.wake();
  }

  close(): void {
    this.socket.close();
  }
}
