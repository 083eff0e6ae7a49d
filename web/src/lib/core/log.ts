/** Actions of the core as entries of the list of moves. */
import type { LogEntry } from '../api/types';
import type { CoreEntry } from './types';

export const logEntry = (entry: CoreEntry, seq: number): LogEntry => ({
  ...entry,
  label: entry.label ?? { key: `action.${entry.token}` },
  seq,
  late: false,
  planned: false,
});
