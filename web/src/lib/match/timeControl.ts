/** Time controls: the choices, and the remaining time as text. */
import { m } from '../../messages';
import type { TimeControl } from '../api/types';

const DAY = 86_400;
const HOUR = 3600;

/** The choices when a match is created: per turn, per match, or in days. */
export const TIME_CONTROLS: readonly TimeControl[] = [
  { kind: 'turn', seconds: 30 },
  { kind: 'turn', seconds: 60 },
  { kind: 'main', seconds: 180, increment: 2 },
  { kind: 'main', seconds: 300, increment: 5 },
  { kind: 'main', seconds: 900, increment: 10 },
  { kind: 'main', seconds: 1800, increment: 20 },
  { kind: 'days', days: 1 },
  { kind: 'days', days: 3 },
  { kind: 'days', days: 7 },
];

export function timeControlLabel(time: TimeControl): string {
  switch (time.kind) {
    case 'turn':
      return m.time_turn_choice({ seconds: time.seconds });
    case 'main':
      if (time.odds)
        return m.time_odds_choice({
          minutes: time.odds.map((seconds) => seconds / 60).join(' / '),
          seconds: time.increment,
        });
      return m.time_main_choice({ minutes: time.seconds / 60, seconds: time.increment });
    case 'days':
      return time.days === 1 ? m.time_days_one() : m.time_days_choice({ days: time.days });
  }
}

/** The remaining time: "2 d 5 h", "1:02:03", "4:09", rounded up to seconds. */
export function formatTime(seconds: number): string {
  const left = Math.max(0, Math.ceil(seconds));
  const days = Math.floor(left / DAY);
  const hours = Math.floor((left % DAY) / HOUR);
  if (days > 0) return m.time_days_hours({ days, hours });
  const two = (number: number) => String(number).padStart(2, '0');
  const minutes = Math.floor((left % HOUR) / 60);
  return hours > 0 ? `${hours}:${two(minutes)}:${two(left % 60)}` : `${minutes}:${two(left % 60)}`;
}
