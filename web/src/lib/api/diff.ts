/** What the server tells of a picture that differs little from the one before: docs/reference/server-api.md. */

/** `[after]`, or what becomes of members; those of a list by their places, and its `length`. */
export type Diff = [unknown] | { [member: string]: Diff | number };

/** What a value becomes; what has not changed is the same as before, and `before` stays as it is. */
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
