/** Texts of notifications. */
import { m } from '../../messages';
import type { Notice } from '../api/notifications';
import { requestTexts } from '../match/requests';

/** One short sentence. */
export function noticeText({ kind, by, detail }: Notice): string {
  const who = by || m.anonymous();
  switch (kind) {
    case 'turn':
      return m.notification_turn();
    case 'challenge':
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
  }
}
