/** Patches between two snapshots: docs/reference/server-api.md. */

/** `[after]`, or the patches of members; for a list by index, with its `length`. */
export type Patch = [unknown] | { [member: string]: Patch | number };

/** Returns the value after a patch. `before` and unchanged parts stay the same objects. */
export function applyPatch<T>(before: T, patch: Patch): T {
  return apply(before, patch) as T;
}

function apply(before: unknown, patch: Patch): unknown {
  if (Array.isArray(patch)) return patch[0];
  const after = (Array.isArray(before) ? [...(before as unknown[])] : { ...(before as object) }) as Record<
    string,
    unknown
  >;
  for (const [member, part] of Object.entries(patch))
    after[member] = typeof part === 'number' ? part : apply(after[member], part);
  return after;
}
