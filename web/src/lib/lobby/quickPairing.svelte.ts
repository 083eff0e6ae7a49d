/** The user's place in the queue of quick pairing: it lasts as long as the socket. */
import { account } from '../account/account.svelte';
import { go } from '../platform/route.svelte';
import { settings } from '../platform/settings.svelte';
import { isText } from '../platform/checks';
import { load, remove, save } from '../platform/storage';
import { newToken } from './links';
import { saveMatch } from './matchStore';
import type { Preset } from './pairingPresets';
import type { Problem } from '../api/types';

const AGAIN = [250, 1000, 2000, 4000, 8000];
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

  private socket: WebSocket | null = null;
  private attempts = 0;
  private retry: ReturnType<typeof setTimeout> | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;

  /** Looks for opponents; again for the same: stops. */
  press(preset: Preset): void {
    const same = this.wanted?.key === preset.key;
    this.leave();
    if (same) return;
    this.wanted = preset;
    this.since = Date.now();
    this.attempts = 0;
    this.timer = setTimeout(() => (this.late = true), LATE);
    this.connect(preset);
  }

  /** Gives up the place. */
  leave(): void {
    clearTimeout(this.retry);
    clearTimeout(this.timer);
    this.wanted = null;
    this.late = this.found = false;
    this.problem = null;
    const before = this.socket;
    this.socket = null;
    // The browser reports the end of a connection that is being made as an error.
    if (before?.readyState === WebSocket.CONNECTING) before.onopen = () => before.close();
    else before?.close();
  }

  private connect(preset: Preset): void {
    const token = load(TOKEN, '', isText) || newToken();
    save(TOKEN, token);
    const { game, options, time } = preset;
    const socket = new WebSocket(`${location.origin.replace(/^http/, 'ws')}/api/pairing/socket`);
    this.socket = socket;
    socket.onopen = () =>
      socket.send(
        JSON.stringify({ game, options, time, token, name: settings.name, language: settings.language }),
      );
    socket.onmessage = (message: MessageEvent<string>) => {
      if (socket === this.socket) this.receive(preset, token, JSON.parse(message.data) as Message);
    };
    socket.onclose = ({ code }) => {
      if (socket !== this.socket) return;
      if (code >= REFUSED) {
        const problem = this.problem;
        this.leave();
        this.problem = problem;
        return;
      }
      const wait = AGAIN[Math.min(this.attempts, AGAIN.length - 1)] ?? 0;
      this.attempts += 1;
      this.retry = setTimeout(() => this.connect(preset), wait * (0.75 + Math.random() / 2));
    };
  }

  private receive(preset: Preset, token: string, message: Message): void {
    if (message.type === 'waiting') {
      this.attempts = 0;
      return;
    }
    if (message.type === 'refused') {
      this.leave();
      this.problem = message.error;
      return;
    }
    const { match, seat } = message;
    const tokens = Array.from({ length: preset.seats }, (_, one) => (one === seat ? token : null));
    saveMatch({ match, game: preset.game, tokens, account: account.me?.name, at: Date.now(), over: false });
    remove(TOKEN);
    this.socket = null;
    clearTimeout(this.timer);
    this.late = false;
    this.found = true;
    this.timer = setTimeout(() => go({ page: 'match', match }), FOUND);
  }
}
