/** Time that is left, as it is shown. */
import * as m from '../paraglide/messages';

const DAY = 86_400;
const HOUR = 3600;

/** "2 d 5 h", "1:02:03", "4:09": begun seconds count. */
export function shown(seconds: number): string {
  const left = Math.max(0, Math.ceil(seconds));
  const days = Math.floor(left / DAY);
  const hours = Math.floor((left % DAY) / HOUR);
  if (days > 0) return m.time_days_hours({ days, hours });
  const two = (number: number) => String(number).padStart(2, '0');
  const minutes = Math.floor((left % HOUR) / 60);
  return hours > 0 ? `${hours}:${two(minutes)}:${two(left % 60)}` : `${minutes}:${two(left % 60)}`;
}
