/** What persons have to think, in words. */
import * as m from '../paraglide/messages';
import type { Time } from './wire';

export function called(time: Time): string {
  switch (time.kind) {
    case 'turn':
      return m.time_turn({ seconds: time.seconds });
    case 'main':
      return m.time_main({ minutes: time.seconds / 60, seconds: time.increment });
    case 'days':
      return m.time_days({ days: time.days });
  }
}
