/** What persons have to think, in words. */
import * as m from '../paraglide/messages';
import type { Time } from './wire';

export function called(time: Time): string {
  switch (time.kind) {
    case 'turn':
      return m.time_turn_choice({ seconds: time.seconds });
    case 'main':
      return m.time_main_choice({ minutes: time.seconds / 60, seconds: time.increment });
    case 'days':
      return time.days === 1 ? m.time_days_one() : m.time_days_choice({ days: time.days });
  }
}
