/**
 * Detection rules for the paths that remain after the cards of a plan: the cards and steps of one request, and the sentence about them.
 * Shared by the command and the page. Rule: `docs/kits.md#detection-rules`.
 */
import { counted } from './counted.ts';

/** Maximum number of changes that one request can simulate. */
export const MAX_SIMULATED = 1000;
/** Maximum number of steps in one request; no one would read a longer path. */
export const MAX_PATH_STEPS = 100;

interface CardChanges<Reference> {
  readonly packages: readonly { readonly references: readonly Reference[] }[];
}

/**
 * Selects the first whole cards whose changes fit into one request: a part of a card has no meaning.
 * @param cardCount number of cards of the plan, of which these are the first
 * @returns also the words for the paths that remain after them
 */
export function simulatedCards<Reference>(
  cards: readonly CardChanges<Reference>[],
  cardCount: number,
): { repairs: Reference[]; after: string } {
  const repairs: Reference[] = [];
  let count = 0;
  for (const { packages } of cards) {
    const own = packages.flatMap(({ references }) => references);
    if (repairs.length + own.length > MAX_SIMULATED) break;
    repairs.push(...own);
    count++;
  }
  return { repairs, after: afterText(count, Math.max(cardCount, cards.length)) };
}

function afterText(count: number, all: number): string {
  if (count === all) return `after ${counted(count, 'card')}`;
  if (count === 0) return 'now, since the first card has more changes than one request simulates';
  return count === 1 ? 'after the first card' : `after the first ${counted(count, 'card')}`;
}

/**
 * @param after words of `simulatedCards`
 * @param all number of the easiest paths of all environments, if the paths are those of some
 * @returns words for the paths
 */
export function remainingText(paths: number, after = '', all = paths): string {
  const end = after === '' ? '' : ` ${after}`;
  if (paths === 0)
    return all === 0
      ? `no attack path remains${end}`
      : `none of the ${counted(all, 'easiest path')} that remain${end} is of this environment`;
  const those = `${counted(paths, 'path')} that ${paths === 1 ? 'remains' : 'remain'}${end}`;
  return paths === all ? those : `${those}, of the ${all} easiest of all environments`;
}

/** One step of a path, as requests name it. */
export interface WatchedStep {
  readonly source_id: string;
  readonly target_id: string;
  readonly kinds: string[];
}

interface DrawnPath {
  readonly nodes: readonly { readonly object_id: string }[];
  readonly steps: readonly { readonly kind: string }[];
}

/** @returns the steps of paths, each once */
export function stepsOfPaths(paths: readonly DrawnPath[]): WatchedStep[] {
  const all = paths.flatMap(({ nodes, steps }) =>
    steps.map(({ kind }, at) => ({
      source_id: nodes[at]?.object_id ?? '',
      target_id: nodes[at + 1]?.object_id ?? '',
      kinds: [kind],
    })),
  );
  return [...new Map(all.map((step) => [JSON.stringify(step), step])).values()];
}

/** @param steps number of all steps of the paths @param of words for the paths */
export function watchedText(rules: number, steps: number, of: string): string {
  const watched =
    steps > MAX_PATH_STEPS
      ? `the first ${MAX_PATH_STEPS} of ${counted(steps, 'step')}`
      : counted(steps, 'step');
  return `${counted(rules, 'detection rule')} for ${watched} of ${of}.`;
}
