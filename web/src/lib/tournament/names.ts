/** Names and numbers of a tournament as text. */
import type { TournamentPlayer, TournamentView } from '../api/server';
import { formatNumber } from '../i18n/formats';
import { word } from '../../tournament/words';

export function playerName(player: TournamentPlayer | undefined): string {
  if (!player) return '';
  if (player.level !== null) return word('computer', { level: player.level });
  return player.name || word('deleted');
}

export const nameIn = (view: TournamentView, number: number): string =>
  playerName(view.players.find((player) => player.number === number));

export const formatPoints = (points: number): string => formatNumber(points, { maximumFractionDigits: 2 });
