/** The unread notifications of the account and of the seats that this browser holds as a guest. */
import { account } from '../account/account.svelte';
import { ApiError } from '../api/http';
import { markRead, type Notice, type NotificationList } from '../api/notifications';
import { ReconnectingSocket } from '../api/reconnectingSocket';
import { isOnDevice } from '../device/deviceStore';
import { savedMatches, type SavedMatch } from '../lobby/matchStore';
import { settings } from '../platform/settings.svelte';

const AGAIN = [1000, 4000, 15_000, 60_000];
/** How many matches of a guest are listened to: the latest. */
const MATCHES = 20;

/** Whether another person plays in it, as far as known, and only its tokens show that a seat is held here. */
const isWithOthers = ({ match, over, account, tokens, who }: SavedMatch): boolean =>
  !over &&
  account === undefined &&
  !isOnDevice(match) &&
  tokens.some((token) => token === null) &&
  (who?.some(({ kind, yours }) => kind === 'person' && !yours) ?? true);

/** The tokens of the seats that a guest holds here. */
const guestTokens = (): string[] =>
  savedMatches()
    .filter(isWithOthers)
    .slice(0, MATCHES)
    .flatMap(({ tokens }) => tokens.filter((token) => token !== null));

class Bell {
  unread = $state(0);
  notices: Notice[] = $state.raw([]);

  private socket: ReconnectingSocket<NotificationList> | null = null;
  private tokens: string[] = [];

  /** Listens until the returned function is called; `signedIn`: for an account, too. */
  open(signedIn: boolean): () => void {
    this.tokens = guestTokens();
    if (signedIn || this.tokens.length > 0) this.listen();
    else {
      this.unread = 0;
      this.notices = [];
    }
    const { socket } = this;
    // Another page may listen already.
    return () => {
      if (this.socket === socket) this.close();
    };
  }

  /** Marks some or all as read. Without a connection they stay unread. */
  async read(ids: number[] | null): Promise<void> {
    try {
      this.show(await markRead(ids, this.tokens, settings.language));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
    }
  }

  /** Reconnects at once, as the network is back. */
  wake(): void {
    this.socket?.wake();
  }

  private close(): void {
    this.socket?.close();
    this.socket = null;
  }

  private listen(): void {
    this.close();
    this.socket = new ReconnectingSocket<NotificationList>('/api/notifications/socket', {
      hello: () => ({ tokens: this.tokens }),
      message: (list) => this.show(list),
      again: AGAIN,
    });
  }

  private show({ unread, notifications, announcement }: NotificationList): void {
    this.unread = unread;
    this.notices = notifications;
    account.announcement = announcement;
  }
}

export const bell = new Bell();
