/** The player at a seat in words. */
import { m } from '../../messages';
import type { Seat } from '../api/types';

/** `shared`: several seats are played here, so that "You" is ambiguous. */
export function sitterOf(who: Seat | undefined, shared: boolean): string {
  if (!who) return '';
  if (who.kind === 'engine')
    return who.agent || (who.level ? m.engine_level({ level: who.level }) : m.engine());
  if (who.open) return m.seat_open();
  if (who.deleted) return m.seat_deleted();
  return who.yours && !shared ? m.you() : who.name;
}

/** Whether the words are the name of an account. */
export const showsAccount = (who: Seat | undefined, shared: boolean): boolean =>
  who?.member === true && !who.open && (shared || !who.yours);
