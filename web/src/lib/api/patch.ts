/** Patches between two snapshots: docs/reference/server-api.md. */

/** `[after]`, or the patches of members; for a list by index, with its `length`. */
export type Patch = [unknown] | { [member: string]: Patch | number };

/** Returns the value after a patch. `before` and unchanged parts stay the same objects. */
export function applyPatch<T>(before: T, patch: Patch): T {
  if (Array.isArray(patch)) return patch[0] as T;
  const after = (Array.isArray(before) ? [...(before as unknown[])] : { ...before }) as Record<
    string,
    unknown
  >;
  for (const [member, part] of Object.entries(patch))
    after[member] = typeof part === 'number' ? part : applyPatch(after[member], part);
  return after as T;
}
