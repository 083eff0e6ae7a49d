/** A position without a server, of a lesson, an analysis or a game on this device, in the form in which the board draws the positions of matches. */
import type { GameSummary, Snapshot } from '../api/types';

export function localSnapshot(
  game: Pick<GameSummary, 'name' | 'rules_version'>,
  { view, log, acting }: Pick<Snapshot, 'view' | 'log' | 'acting'>,
): Snapshot {
  return {
    match: '',
    game: game.name,
    options: {},
    rules_version: game.rules_version,
    seq: log.length,
    seats: [],
    confirm: false,
    status: 'playing',
    acting,
    result: null,
    view,
    log,
    can: {
      undo: false,
      drawn: false,
      confirm: false,
      resign: false,
      ask: [],
      if_away: [],
      blocked: [],
      reclaimable: [],
    },
    clock: null,
    request: null,
    declined: null,
    paused: false,
    next: null,
    series: null,
    rated: false,
    tournament: null,
    chance: null,
  };
}
