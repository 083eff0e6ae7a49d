/** The games on this device: the browser stores them, and no server knows them. */
import type { Place } from '../core/types';
import { hasFields, isListOf, isMapOf, isNumber, isOneOf, isOrNull, isText } from '../platform/checks';
import { load, remove, save } from '../platform/storage';

/** The time that an engine has for an action, in seconds, whatever its level. */
export const ENGINE_SECONDS = 3;
/** The strongest level that this time does not weaken. */
export const FULL_LEVEL = 6;

/** A seat: a person here, or an engine level. */
export type DeviceSeat = { kind: 'person' } | { kind: 'engine'; level: number };

export interface DeviceGame {
  game: string;
  options: Record<string, string>;
  /** The version of the rules at the start. */
  rules: string;
  /** The text of the first position; absent or null: the start of the game. */
  position?: string | null;
  seats: DeviceSeat[];
  /** Whether turns need a confirmation. */
  confirm: boolean;
  /** The actions in force, with random events. */
  line: string[];
  /** The number of actions whose turns are confirmed. */
  confirmed: number;
  /** The seat that resigned; null: none. */
  resigned: number | null;
  /** Increases with every change. */
  seq: number;
  /** The seconds that a person has for a turn; absent or null: unlimited. */
  time?: number | null;
  /** The seconds used in each turn, which an undo comes back to. */
  spent?: Record<string, number>;
  /** Games from before: the seconds used in the turn that was being played. */
  used?: { turn: string; seconds: number };
  /** The places in the line of the actions that were played because a person's time was up. */
  late?: number[];
}

/** The position of a game on this device after a line; the rules are those of its start. */
export const placeOf = ({ game, options, rules, position = null, line }: DeviceGame): Place => ({
  game,
  options: { ...options, rules_version: rules },
  position,
  line,
});

const isDeviceGame = hasFields({
  game: isText,
  options: isMapOf(isText),
  rules: isText,
  seats: isListOf(hasFields({ kind: isOneOf('person', 'engine') })),
  line: isListOf(isText),
  confirmed: isNumber,
  resigned: isOrNull(isNumber),
  seq: isNumber,
});

const PREFIX = 'device-';

const keyOf = (id: string) => `tavola.${id}`;

export const newDeviceId = (uuid: string): string => PREFIX + uuid;

/** Whether a match is on this device, by its id. */
export const isOnDevice = (id: string): boolean => id.startsWith(PREFIX);

/** The stored game; null: there is none. */
export function loadDeviceGame(id: string): DeviceGame | null {
  return load<DeviceGame | null>(keyOf(id), null, isDeviceGame);
}

/** The text of the first position of a match; null: the start of the game, as in all matches of the server. */
export const startOf = (id: string): string | null =>
  (isOnDevice(id) && loadDeviceGame(id)?.position) || null;

export function saveDeviceGame(id: string, game: DeviceGame): void {
  save(keyOf(id), game);
}

/** Removes a game on this device. Returns a function that restores it. */
export function removeDeviceGame(id: string): () => void {
  const game = isOnDevice(id) ? loadDeviceGame(id) : null;
  if (game) remove(keyOf(id));
  return () => {
    if (game) saveDeviceGame(id, game);
  };
}

/** Calls back when another tab changes the game. Returns a function that ends this. */
export function onOtherTab(id: string, changed: () => void): () => void {
  const listen = ({ key }: StorageEvent) => {
    if (key === keyOf(id)) changed();
  };
  addEventListener('storage', listen);
  return () => removeEventListener('storage', listen);
}
