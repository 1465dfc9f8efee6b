/** Finds the name that a misspelled one probably means. */

/** A name of ten characters can differ in three of them. */
const MAX_SHARE = 0.3;

/** @returns the known name with the fewest edits; undefined if none is similar */
export function mostSimilar(name: string, known: Iterable<string>): string | undefined {
  const own = withoutPrefix(name);
  let best: { readonly name: string; readonly edits: number } | undefined;
  for (const one of known) {
    const other = withoutPrefix(one);
    const edits = editsBetween(own, other);
    if (edits <= Math.max(own.length, other.length) * MAX_SHARE && edits < (best?.edits ?? Infinity))
      best = { name: one, edits };
  }
  return best?.name;
}

/** All names begin with `CLEW_`. */
const withoutPrefix = (name: string): string => name.slice(name.indexOf('_') + 1);

/** Insertions, deletions, replacements, and swaps of neighbors (optimal string alignment distance), in O(n m). */
function editsBetween(a: string, b: string): number {
  let before: number[] = [];
  let above = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const line = [row];
    for (let column = 1; column <= b.length; column++) {
      const replaced = above[column - 1] + (a[row - 1] === b[column - 1] ? 0 : 1);
      line[column] = Math.min(above[column] + 1, line[column - 1] + 1, replaced);
      const isSwap = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      if (isSwap) line[column] = Math.min(line[column], before[column - 2] + 1);
    }
    [before, above] = [above, line];
  }
  return above[b.length];
}
