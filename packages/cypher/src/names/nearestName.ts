/** Suggests the intended name for an unknown one. */

/** Number of letters of a name per allowed error. */
const LETTERS_OF_CHANGE = 4;
const MAX_CHANGES = 3;
/** Longer names are not compared. */
const MAX_LENGTH = 100;

/**
 * @param known names in order of preference
 * @returns the same name in another case, or else the one with the smallest edit distance; `undefined` if no name
 * is similar
 */
export function nearestName(name: string, known: Iterable<string>): string | undefined {
  const wanted = name.toLowerCase();
  if (wanted.length > MAX_LENGTH) return undefined;
  const most = Math.min(MAX_CHANGES, Math.max(1, Math.floor(wanted.length / LETTERS_OF_CHANGE)));
  let best: { readonly name: string; readonly changes: number } | undefined;
  for (const candidate of known) {
    if (candidate === name) continue;
    const bound = best === undefined ? most : best.changes - 1;
    const changes = editDistance(wanted, candidate.toLowerCase(), bound);
    if (changes <= bound) best = { name: candidate, changes };
    if (changes === 0) break;
  }
  return best?.name;
}

/** @returns `: did you mean hasspn?`, or an empty text */
export function didYouMean(name: string, known: Iterable<string>): string {
  const nearest = nearestName(name, known);
  return nearest === undefined ? '' : `: did you mean ${nearest}?`;
}

/**
 * Edit distance: insertions, deletions, substitutions, and swaps of adjacent letters.
 * @returns any number above the bound if the distance exceeds it
 */
export function editDistance(a: string, b: string, bound: number): number {
  if (Math.abs(a.length - b.length) > bound) return bound + 1;
  let [twoBefore, before]: [number[], number[]] = [[], Array.from({ length: b.length + 1 }, (_, at) => at)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    let least = i;
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1];
      let changes = Math.min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (isSame ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        changes = Math.min(changes, twoBefore[j - 2] + 1);
      row.push(changes);
      least = Math.min(least, changes);
    }
    if (least > bound) return bound + 1;
    [twoBefore, before] = [before, row];
  }
  return before[b.length];
}
