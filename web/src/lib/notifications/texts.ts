/** Texts of notifications. */
import { m } from '../../messages';
import type { Notice } from '../api/notifications';
import type { Route } from '../platform/route.svelte';
import { requestTexts } from '../match/requests';

/** The seat of an invitation; null: it is none. */
export function invitedSeat(detail: string | null): number | null {
  const seat = /^invite (\d+)$/.exec(detail ?? '')?.[1];
  return seat === undefined ? null : Number(seat);
}

/** The page of a notification: the match, or the seat of an invitation there, or the reports. */
export function placeOf({ kind, match, detail }: Notice): Route | null {
  if (kind === 'report') return { page: 'moderation' };
  const seat = invitedSeat(detail);
  return match === null
    ? null
    : { page: 'match', match, ...(seat !== null && { take: { seat, secret: '' } }) };
}

/** One short sentence. */
export function noticeText({ kind, by, detail }: Notice): string {
  const who = by || m.anonymous();
  switch (kind) {
    case 'turn':
      return m.notification_turn();
    case 'challenge':
      if (invitedSeat(detail) !== null) return m.notification_invited({ who });
      if (detail === 'declined') return m.notification_declined();
      return detail === 'rematch' ? m.notification_rematch() : m.notification_joined({ who });
    case 'over':
      return m.notification_over();
    case 'request': {
      const what = requestTexts(detail ?? '', (seat) => String(seat + 1))?.theirs ?? '';
      return m.notification_request({ who, what });
    }
    case 'chat':
      return m.notification_chat({ who });
    case 'time':
      return m.notification_time();
    case 'round':
      return m.notification_round();
    case 'report':
      return m.notification_report();
  }
}
