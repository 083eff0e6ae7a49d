/** The level after that of the seats of the computer; null: they have several levels, none, or the highest. */
export function higherLevel(levels: readonly (number | null)[], highest: number): number | null {
  const known = new Set(levels.filter((level) => level !== null));
  const [level] = known;
  return known.size === 1 && level !== undefined && level < highest ? level + 1 : null;
}
