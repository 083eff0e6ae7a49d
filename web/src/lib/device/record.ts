/** The record of a game on this device, with the same tags as a match of the server. */
import type { CoreClient } from '../core/client';
import { perform } from './played';
import type { DeviceGame } from './deviceStore';

export async function writeRecord(core: CoreClient, stored: DeviceGame): Promise<string> {
  const { game, options, rules, position, seats, line } = stored;
  const { match } = await perform(core, stored);
  const written = Object.entries(options).map((pair) => pair.join('='));
  const tags: [string, string][] = [
    ['Game', game],
    ...(written.length > 0 ? [['Options', written.join(' ')] as [string, string]] : []),
    ['Rules', rules],
    ...seats.map((seat, number): [string, string] => [
      `Seat${number}`,
      seat.kind === 'engine' ? `level:${seat.level}` : seat.kind,
    ]),
    ...(position ? [['Position', position] as [string, string]] : []),
    ...(match.result ? [['Result', match.result.returns.join(' ')] as [string, string]] : []),
  ];
  const steps = line.map((token) => ({ token, comments: [], variations: [] }));
  return core.ask('write-record', { record: { tags, comments: [], line: steps } });
}
