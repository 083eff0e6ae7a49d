/** A list that the server sends again at each change, over a socket. */
import { ReconnectingSocket } from './reconnectingSocket';

export abstract class LiveList<Message> {
  online = $state(true);

  private readonly socket: ReconnectingSocket<Message>;

  constructor(path: string) {
    this.socket = new ReconnectingSocket<Message>(path, {
      message: (message) => {
        this.online = true;
        this.receive(message);
      },
      lost: () => {
        this.online = false;
        return true;
      },
    });
  }

  /** Connects again at once, as the network is back. */
  wake(): void {
    this.socket.wake();
  }

  close(): void {
    this.socket.close();
  }

  protected abstract receive(message: Message): void;
}
