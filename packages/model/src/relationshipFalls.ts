import { counted, numberText } from './counted.ts';

/**
 * A text about a job that removed a large part of the relationships of an environment. Rule:
 * `docs/reference/collections.md#what-a-run-collected`.
 */
export interface EnvironmentFall {
  /** Name of the environment. */
  readonly name: string;
  /** False: the files do not describe what their run collected. */
  readonly names_methods: boolean;
  /** Largest first. */
  readonly kinds: readonly {
    readonly kind: string;
    readonly removed_count: number;
    readonly before_count: number;
  }[];
}

/** Maximum number of kinds in a sentence; the others are counted. */
const MAX_KINDS = 5;

export const removedBy = ({ kinds }: Pick<EnvironmentFall, 'kinds'>): number =>
  kinds.reduce((total, { removed_count }) => total + removed_count, 0);

const wereOf = (fall: EnvironmentFall): string => (removedBy(fall) === 1 ? 'was' : 'were');

/** @returns a sentence, without its full stop, with the number of relationships that were not reported again */
export function fallSentence(fall: EnvironmentFall): string {
  const [count, be] = [removedBy(fall), wereOf(fall)];
  return `${counted(count, 'relationship')} of ${fall.name} ${be} not reported again and ${be} removed${details(fall)}`;
}

/**
 * @param exposure shares before and after, if known @returns the same sentence, with the fall as the reason of a lower exposure, if it is
 * lower
 */
export function exposureSentence(
  fall: EnvironmentFall,
  exposure?: { readonly before: number; readonly after: number },
): string {
  if (exposure === undefined || exposure.after >= exposure.before) return fallSentence(fall);
  const [before, after] = [exposure.before, exposure.after].map(
    (share) => `${Number((share * 100).toFixed(1))}%`,
  );
  return `Exposure of ${fall.name} fell from ${before} to ${after} because ${counted(removedBy(fall), 'relationship')} ${wereOf(fall)} not reported again${details(fall)}`;
}

function details({ kinds, names_methods }: EnvironmentFall): string {
  const named = kinds
    .slice(0, MAX_KINDS)
    .map((each) => `${each.kind} ${numberText(each.removed_count)} of ${numberText(each.before_count)}`);
  const more = kinds.length > named.length ? [counted(kinds.length - named.length, 'more kind')] : [];
  const list = ` (${[...named, ...more].join(', ')})`;
  if (names_methods) return list;
  return `${list}. The files do not show what their run collected, so findings that ended with these relationships are retired, not resolved`;
}
