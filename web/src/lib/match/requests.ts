/** What can be asked of the others, in words. */
import * as m from '../../paraglide/messages';
import type { IconName } from '../../components/Icon.svelte';
import type { Snapshot } from '../api/types';

export interface RequestTexts {
  icon: IconName;
  /** Of the button that asks for it. */
  label: string;
  /** "You ask ..." */
  mine: string;
  /** What somebody else wants: "to take back their turn" */
  theirs: string;
}

/** That a request is no more. */
export function declinedText(
  { seat, by }: NonNullable<Snapshot['declined']>,
  seatName: (seat: number) => string,
): string {
  return seat === by ? m.withdrawn_by({ seat: seatName(by) }) : m.declined_by({ seat: seatName(by) });
}

/** `seatName`: what a seat is called. Null: not known here. */
export function requestTexts(what: string, seatName: (seat: number) => string): RequestTexts | null {
  const [kind, subject] = what.split(':');
  switch (kind) {
    case 'undo':
      return { icon: 'undo', label: m.ask_undo(), mine: m.asked_undo(), theirs: m.wants_undo() };
    case 'draw':
      return { icon: 'people', label: m.ask_draw(), mine: m.asked_draw(), theirs: m.wants_draw() };
    case 'pause':
      return { icon: 'still', label: m.ask_pause(), mine: m.asked_pause(), theirs: m.wants_pause() };
    case 'resume':
      return { icon: 'play', label: m.ask_resume(), mine: m.asked_resume(), theirs: m.wants_resume() };
    case 'abort':
      return { icon: 'close', label: m.ask_abort(), mine: m.ask_abort(), theirs: m.ask_abort() };
    case 'rematch':
      return { icon: 'play', label: m.ask_rematch(), mine: m.asked_rematch(), theirs: m.wants_rematch() };
    case 'engine': {
      const seat = seatName(Number(subject));
      return {
        icon: 'engine',
        label: m.ask_engine({ seat }),
        mine: m.asked_engine({ seat }),
        theirs: m.wants_engine({ seat }),
      };
    }
    default:
      return null;
  }
}
