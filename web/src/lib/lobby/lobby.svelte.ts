/** The live list of open games. */
import { ReconnectingSocket } from '../api/reconnectingSocket';
import type { Challenge } from '../api/types';

export class Lobby {
  /** The oldest first; null until the first message. */
  challenges: Challenge[] | null = $state.raw(null);
  online = $state(true);

  private readonly socket = new ReconnectingSocket<{ challenges: Challenge[] }>('/api/lobby/socket', {
    message: ({ challenges }) => {
      this.online = true;
      this.challenges = challenges;
    },
    lost: () => {
      this.online = false;
      return true;
    },
  });

  /** Reconnects at once, as the network is back. */
  wake(): void {
    this.socket.wake();
  }

  close(): void {
    this.socket.close();
  }
}
