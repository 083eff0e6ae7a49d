/** Texts of requests between players. */
import { m } from '../../messages';
import type { IconName } from '../../components/Icon.svelte';
import type { Snapshot } from '../api/types';
import type { Presence } from './presence.svelte';

interface RequestTexts {
  icon: IconName;
  /** The label of the button. */
  label: string;
  /** The status for the player who asks. */
  mine: string;
  /** The request of another player: "take back their last turn" */
  theirs: string;
}

/** The requests that the player may make now. */
export function possibleRequests({
  serverState: now,
  ownSeat,
  presence,
}: {
  serverState: Snapshot | null;
  ownSeat: number | null;
  presence: Presence;
}): string[] {
  if (!now) return [];
  // Absent players; with days per turn, people come and go.
  const gone =
    now.status !== 'over' && ownSeat !== null && now.clock?.time.kind !== 'days'
      ? now.seats.filter(
          ({ seat, kind, yours }) => kind === 'person' && !yours && presence.of(seat)?.state === 'away',
        )
      : [];
  // After the opening, the only opponent loses who leaves instead of acting.
  const claimable =
    now.seats.length === 2 && !now.can.ask.includes('abort')
      ? gone.filter(({ seat }) => seat === now.acting)
      : [];
  // An engine may replace them, but for rated games.
  const replaceable = now.rated ? [] : gone;
  return [
    ...now.can.ask,
    ...claimable.map(({ seat }) => `claim:${String(seat)}`),
    ...replaceable.map(({ seat }) => `engine:${String(seat)}`),
  ];
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
