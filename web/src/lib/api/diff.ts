/** Diffs between two snapshots: docs/reference/server-api.md. */

/** `[after]`, or the diffs of members; for a list by index, with its `length`. */
export type Diff = [unknown] | { [member: string]: Diff | number };

/** Returns the value after a diff. `before` and unchanged parts stay the same objects. */
export function applyDiff<T>(before: T, change: Diff): T {
  return apply(before, change) as T;
}

function apply(before: unknown, change: Diff): unknown {
  if (Array.isArray(change)) return change[0];
  const after = (Array.isArray(before) ? [...(before as unknown[])] : { ...(before as object) }) as Record<
    string,
    unknown
  >;
  for (const [member, part] of Object.entries(change))
    after[member] = typeof part === 'number' ? part : apply(after[member], part);
  return after;
}
