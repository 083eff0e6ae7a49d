/** The user's place in the queue of quick pairing: it lasts as long as the socket. */
import { account } from '../account/account.svelte';
import { go } from '../platform/route.svelte';
import { settings } from '../platform/settings.svelte';
import { ReconnectingSocket } from '../api/reconnectingSocket';
import { isText } from '../platform/checks';
import { load, remove, save } from '../platform/storage';
import { newToken } from './links';
import { saveMatch } from './matchStore';
import type { Preset } from './pairingPresets';
import type { Problem } from '../api/types';

/** The wait after which an engine is offered. */
const LATE = 20_000;
/** How long "Opponents found" stays, so that a screen reader says it. */
const FOUND = 700;
/** Codes of the server from here on are refusals. */
const REFUSED = 4000;

/** Windows of one browser share the token, so that it has one place. */
const TOKEN = 'tavola.pairing';

type Message =
  { type: 'waiting' } | { type: 'paired'; match: string; seat: number } | { type: 'refused'; error: Problem };

export class QuickPairing {
  /** The preset for which the user waits; null: none. */
  wanted: Preset | null = $state.raw(null);
  /** When the search began, in milliseconds since 1970. */
  since = $state(0);
  /** Whether an engine is offered. */
  late = $state(false);
  found = $state(false);
  problem: Problem | null = $state.raw(null);

  private socket: ReconnectingSocket<Message> | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;

  /** Looks for opponents; again for the same: stops. */
  press(preset: Preset): void {
    const same = this.wanted?.key === preset.key;
    this.leave();
    if (same) return;
    this.wanted = preset;
    this.since = Date.now();
    this.timer = setTimeout(() => (this.late = true), LATE);
    this.connect(preset);
  }

  /** Gives up the place. */
  leave(): void {
    clearTimeout(this.timer);
    this.wanted = null;
    this.late = this.found = false;
    this.problem = null;
    this.socket?.close();
    this.socket = null;
  }

  private connect(preset: Preset): void {
    const token = load(TOKEN, '', isText) || newToken();
    save(TOKEN, token);
    const { game, options, time } = preset;
    this.socket = new ReconnectingSocket<Message>('/api/pairing/socket', {
      hello: () => ({ game, options, time, token, name: settings.name, language: settings.language }),
      message: (message) => this.receive(preset, token, message),
      lost: (code) => {
        if (code < REFUSED) return true;
        const problem = this.problem;
        this.leave();
        this.problem = problem;
        return false;
      },
    });
  }

  private receive(preset: Preset, token: string, message: Message): void {
    if (message.type === 'waiting') return;
    if (message.type === 'refused') {
      this.leave();
      this.problem = message.error;
      return;
    }
    const { match, seat } = message;
    const tokens = Array.from({ length: preset.seats }, (_, one) => (one === seat ? token : null));
    saveMatch({ match, game: preset.game, tokens, account: account.me?.name, at: Date.now(), over: false });
    remove(TOKEN);
    this.socket?.close();
    this.socket = null;
    clearTimeout(this.timer);
    this.late = false;
    this.found = true;
    this.timer = setTimeout(() => go({ page: 'match', match }), FOUND);
  }
}
