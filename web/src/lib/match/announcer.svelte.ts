/** Messages of a match to a screen reader, in order. */
import { m } from '../../messages';
import { translator } from '../i18n/catalogue.svelte';
import { percent } from '../review/review.svelte';
import type { Text, View } from '../api/view';
import type { Analysis, GameInfo, LogEntry, Snapshot } from '../api/types';

export class Announcer {
  messages: { id: number; text: string }[] = $state.raw([]);
  private count = 0;

  constructor(private readonly game: GameInfo) {}

  say(text: string): void {
    this.count += 1;
    this.messages = [...this.messages.slice(-7), { id: this.count, text }];
  }

  sayTexts(texts: readonly Text[]): void {
    for (const text of texts) this.say(translator(this.game)(text));
  }

  /** Announces what changed; `end`: whether the end of the match is announced too. */
  announceChanges(
    before: Snapshot | undefined,
    snapshot: Snapshot,
    played: readonly LogEntry[],
    end: boolean,
  ): void {
    const events = played.flatMap(({ events }) => events);
    if (played.some(({ late }) => late)) this.say(m.announce_late());
    this.sayTexts(events.flatMap(({ text }) => text ?? []));
    if (events.length === 0 && before && snapshot.log.length < before.log.length)
      this.say(m.announce_undone());
    if (snapshot.result && !before?.result && end) this.say(m.announce_over());
  }

  /** Announces the players who joined. */
  announceJoins(before: Snapshot, { seats, view }: Snapshot): void {
    for (const { seat, open, name, yours } of seats) {
      const known = view.seats[seat];
      if (open || yours || !known || !before.seats[seat]?.open) continue;
      const called = translator(this.game)(known.name);
      this.say(
        name ? m.announce_joined({ seat: called, name }) : m.announce_joined_anonymous({ seat: called }),
      );
    }
  }

  /** Announces the evaluation of a position. */
  announceEvaluation(view: View | undefined, { shares, lines }: Analysis['position']): void {
    const t = translator(this.game);
    const parts = shares.map((share, seat) => {
      const known = view?.seats[seat];
      return m.share_of({ seat: known ? t(known.name) : String(seat + 1), share: percent(share) });
    });
    const best = view?.actions.find(({ token }) => token === lines[0]?.action);
    const each = parts.join(m.list_comma());
    this.say(
      best
        ? m.announce_evaluation_best({ shares: each, best: t(best.label) })
        : m.announce_evaluation({ shares: each }),
    );
  }
}
