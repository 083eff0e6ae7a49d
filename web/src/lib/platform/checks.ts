/** Checks of JSON values from outside: stored by another version of the page, or changed by hand. */

export type Check = (value: unknown) => boolean;

export const isText: Check = (value) => typeof value === 'string';
export const isNumber: Check = Number.isFinite;
export const isFlag: Check = (value) => typeof value === 'boolean';

export const isOneOf =
  (...values: unknown[]): Check =>
  (value) =>
    values.includes(value);

export const isOrNull =
  (check: Check): Check =>
  (value) =>
    value === null || check(value);

export const isListOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every((entry) => check(entry));

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** An object with these fields, and perhaps more. */
export const hasFields =
  (fields: Readonly<Record<string, Check>>): Check =>
  (value) =>
    isObject(value) && Object.entries(fields).every(([name, check]) => check(value[name]));

/** An object with any keys. */
export const isMapOf =
  (check: Check): Check =>
  (value) =>
    isObject(value) && Object.values(value).every((entry) => check(entry));

/** The value without the fields that are malformed. */
export const withoutMalformed = <Value extends object>(
  value: Value,
  fields: { readonly [Name in keyof Value]?: Check },
): Value =>
  Object.fromEntries(
    Object.entries(value).filter(([name, entry]) => fields[name as keyof Value]?.(entry) ?? true),
  ) as Value;
