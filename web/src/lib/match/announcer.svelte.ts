/** What a screen reader is told of a match, in order. */
import * as m from '../../paraglide/messages';
import { speaker } from '../i18n/catalogue.svelte';
import { percent } from '../review/review.svelte';
import type { Text, View } from '../api/view';
import type { Analysis, GameInfo, LogEntry, Snapshot } from '../api/types';

export class Voice {
  spoken: { id: number; text: string }[] = $state.raw([]);
  private count = 0;

  constructor(private readonly game: GameInfo) {}

  say(text: string): void {
    this.count += 1;
    this.spoken = [...this.spoken.slice(-7), { id: this.count, text }];
  }

  tell(texts: readonly Text[]): void {
    for (const text of texts) this.say(speaker(this.game)(text));
  }

  /** What has happened since the picture before; `end`: whether it may be that the match is over. */
  announce(
    before: Snapshot | undefined,
    snapshot: Snapshot,
    played: readonly LogEntry[],
    end: boolean,
  ): void {
    const events = played.flatMap(({ events }) => events);
    if (played.some(({ late }) => late)) this.say(m.said_late());
    this.tell(events.flatMap(({ text }) => text ?? []));
    if (events.length === 0 && before && snapshot.log.length < before.log.length) this.say(m.said_undone());
    if (snapshot.result && !before?.result && end) this.say(m.said_over());
  }

  /** Who has come since the last picture. */
  greet(before: Snapshot, { seats, view }: Snapshot): void {
    for (const { seat, open, name, yours } of seats) {
      const known = view.seats[seat];
      if (open || yours || !known || !before.seats[seat]?.open) continue;
      const called = speaker(this.game)(known.name);
      this.say(name ? m.said_joined({ seat: called, name }) : m.said_joined_nameless({ seat: called }));
    }
  }

  /** What a position is worth. */
  worth(view: View | undefined, { shares, lines }: Analysis['position']): void {
    const say = speaker(this.game);
    const parts = shares.map((share, seat) => {
      const known = view?.seats[seat];
      return m.share_of({ seat: known ? say(known.name) : String(seat + 1), share: percent(share) });
    });
    const best = view?.actions.find(({ token }) => token === lines[0]?.action);
    const each = parts.join(m.list_comma());
    this.say(best ? m.said_worth({ shares: each, best: say(best.label) }) : m.said_shares({ shares: each }));
  }
}
