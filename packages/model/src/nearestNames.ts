/** Names similar to an unknown name, for messages that ask "did you mean". */

/** More names would be a list to search. */
const NEAREST = 5;
/** Names that share at least this part of their letter pairs were probably meant. */
const LIKELY = 0.5;

/** @returns the names with the most common letter pairs, best first */
export function nearestNames(given: string, known: readonly string[]): string[] {
  return ranked(given, known)
    .slice(0, NEAREST)
    .map(({ name }) => name);
}

/** @returns the name that was probably meant, if any is similar enough */
export function likelyName(given: string, known: readonly string[]): string | undefined {
  const mistyped = known.find((name) => isOneChangeApart(given.toLowerCase(), name.toLowerCase()));
  if (mistyped !== undefined) return mistyped;
  const [best] = ranked(given, known);
  return best !== undefined && best.likeness >= LIKELY ? best.name : undefined;
}

/**
 * Whether one letter was inserted, omitted, changed, or exchanged with its neighbor. A single letter could be anything, so it is excluded.
 */
function isOneChangeApart(a: string, b: string): boolean {
  if (a.length < 2 || b.length < 2 || Math.abs(a.length - b.length) > 1) return false;
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  return (
    a.slice(at + 1) === b.slice(at + 1) ||
    a.slice(at) === b.slice(at + 1) ||
    a.slice(at + 1) === b.slice(at) ||
    (a[at] === b[at + 1] && a[at + 1] === b[at] && a.slice(at + 2) === b.slice(at + 2))
  );
}

function ranked(given: string, known: readonly string[]) {
  const wanted = pairsOf(given);
  return known
    .map((name) => {
      const pairs = pairsOf(name);
      const shared = [...pairs].filter((pair) => wanted.has(pair)).length;
      return { name, likeness: (2 * shared) / (pairs.size + wanted.size || 1) };
    })
    .filter(({ likeness }) => likeness > 0)
    .sort((a, b) => b.likeness - a.likeness || (a.name < b.name ? -1 : 1));
}

/** Longer texts are cut: names are shorter. */
const MAX_LENGTH = 200;

function pairsOf(given: string): Set<string> {
  const letters = given.slice(0, MAX_LENGTH).toUpperCase();
  return new Set(
    Array.from({ length: Math.max(0, letters.length - 1) }, (_, at) => letters.slice(at, at + 2)),
  );
}
