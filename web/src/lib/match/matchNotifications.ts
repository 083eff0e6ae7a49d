/** Announces and notifies what the other players do. */
import { chatText } from './phrases';
import { m } from '../../messages';
import { requestTexts, declinedText } from './requests';
import { notify } from '../platform/notifications';
import { translator } from '../i18n/catalogue.svelte';
import type { ChatLine, GameInfo, SeatPresence, Snapshot } from '../api/types';

const mine = (snapshot: Snapshot, seat: number | null | undefined) =>
  seat !== null && seat !== undefined && snapshot.seats[seat]?.yours === true;

export class MatchNotifications {
  constructor(
    private readonly match: string,
    private readonly game: GameInfo,
    private readonly say: (text: string) => void,
  ) {}

  /** Reports the changes of a snapshot; `answered`: a conditional move will reply. */
  onState(before: Snapshot, now: Snapshot, answered: boolean): void {
    const { request, acting } = now;
    if (request && request.what !== before.request?.what && !mine(now, request.seat)) {
      const what = requestTexts(request.what, (seat) => this.name(now, seat))?.theirs ?? '';
      const asks = m.asks_of({ seat: this.name(now, request.seat), what });
      this.say(asks);
      if (request.waiting.some((seat) => mine(now, seat))) notify(this.title, asks, this.match);
    }
    if (now.declined && before.request) this.say(declinedText(now.declined, (seat) => this.name(now, seat)));
    if (now.paused !== before.paused) this.say(now.paused ? m.paused() : m.announce_resumed());
    const others = now.seats.some(({ yours }) => !yours);
    if (others && !answered && mine(now, acting) && !mine(before, before.acting)) {
      notify(this.title, m.your_turn(), this.match);
    }
  }

  /** Reports the players who connected or left. */
  onPresence(match: Snapshot, before: SeatPresence[], seats: SeatPresence[]): void {
    for (const { seat, state } of seats) {
      const was = before.find((one) => one.seat === seat)?.state;
      if (mine(match, seat) || was === undefined || was === state || state === 'reconnecting') continue;
      // Short interruptions are not reported.
      if (state === 'online' && was === 'reconnecting') continue;
      const name = this.name(match, seat);
      this.say(state === 'online' ? m.announce_connected({ seat: name }) : m.announce_left({ seat: name }));
    }
  }

  /** Reports chat messages. */
  onChat(match: Snapshot, lines: ChatLine[]): void {
    for (const { seat, text } of lines) {
      if (mine(match, seat)) continue;
      const sentence = m.announce_chat({ seat: this.name(match, seat), text: chatText(text) });
      this.say(sentence);
      notify(this.title, sentence, `${this.match} chat`);
    }
  }

  private get title(): string {
    return translator(this.game)({ key: 'game.title' });
  }

  private name(match: Snapshot, seat: number): string {
    const known = match.view.seats[seat];
    return known ? translator(this.game)(known.name) : String(seat + 1);
  }
}
