/** Numbers, dates and lists in the language of the page. */
import { settings } from '../platform/settings.svelte';

export const formatNumber = (number: number, options?: Intl.NumberFormatOptions): string =>
  new Intl.NumberFormat(settings.language, options).format(number);

export const formatDate = (
  at: number,
  options: Intl.DateTimeFormatOptions = { dateStyle: 'medium', timeStyle: 'short' },
): string => new Intl.DateTimeFormat(settings.language, options).format(at);

/** "Red, Blue and Green" */
export const formatList = (names: string[]): string => new Intl.ListFormat(settings.language).format(names);

const UNITS = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const;

/** The age in the largest unit that fits: "3 hours ago". */
export function formatAge(at: number, now: number): string {
  const seconds = Math.max(0, (now - at) / 1000);
  const format = new Intl.RelativeTimeFormat(settings.language, { numeric: 'auto' });
  const [unit, length] = UNITS.find(([, length]) => seconds >= length) ?? (['second', 1] as const);
  return unit === 'second' ? format.format(0, 'second') : format.format(-Math.floor(seconds / length), unit);
}
