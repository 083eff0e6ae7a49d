/** Texts of requests between players. */
import { m } from '../../messages';
import type { IconName } from '../../components/Icon.svelte';
import type { Snapshot } from '../api/types';
import type { Presence } from './presence.svelte';

interface Match {
  serverState: Snapshot | null;
  presence: Presence;
}

interface RequestTexts {
  icon: IconName;
  /** The label of the button. */
  label: string;
  /** The status for the player who asks. */
  mine: string;
  /** The request of another player: "take back their last turn" */
  theirs: string;
}

/** The requests that the player may make now, also about players who are away. */
export function possibleRequests({ serverState: now, presence }: Match): string[] {
  if (!now) return [];
  const isAway = (what: string) => presence.of(Number(what.split(':')[1]))?.state === 'away';
  return [...now.can.ask, ...now.can.if_away.filter(isAway)];
}

/** Text of a declined or withdrawn request. */
export function declinedText(
  { seat, by }: NonNullable<Snapshot['declined']>,
  seatName: (seat: number) => string,
): string {
  return seat === by ? m.withdrawn_by({ seat: seatName(by) }) : m.declined_by({ seat: seatName(by) });
}

/** `seatName` returns the name of a seat. Null: unknown request. */
export function requestTexts(what: string, seatName: (seat: number) => string): RequestTexts | null {
  const [kind, subject] = what.split(':');
  switch (kind) {
    case 'undo':
      return {
        icon: 'undo',
        label: m.request_takeback(),
        mine: m.requested_takeback(),
        theirs: m.wants_takeback(),
      };
    case 'draw':
      return { icon: 'people', label: m.request_draw(), mine: m.requested_draw(), theirs: m.wants_draw() };
    case 'pause':
      return { icon: 'still', label: m.request_pause(), mine: m.requested_pause(), theirs: m.wants_pause() };
    case 'resume':
      return {
        icon: 'play',
        label: m.request_resume(),
        mine: m.requested_resume(),
        theirs: m.wants_resume(),
      };
    case 'abort':
      return { icon: 'close', label: m.request_abort(), mine: m.request_abort(), theirs: m.request_abort() };
    case 'rematch':
      return {
        icon: 'play',
        label: m.request_rematch(),
        mine: m.requested_rematch(),
        theirs: m.wants_rematch(),
      };
    case 'claim': {
      const label = m.request_claim({ seat: seatName(Number(subject)) });
      return { icon: 'flag', label, mine: label, theirs: label };
    }
    case 'engine': {
      const seat = seatName(Number(subject));
      return {
        icon: 'engine',
        label: m.request_engine({ seat }),
        mine: m.requested_engine({ seat }),
        theirs: m.wants_engine({ seat }),
      };
    }
    default:
      return null;
  }
}
