/**
 * Converts sets of repairs to sets of the packages that contain them: the labels of the steps of a kernel, which is contracted for some
 * packages only.
 *
 * Rule: `docs/plan.md#search`.
 */
import {
  getOrMake,
  type LabelSet,
  ListNumbers,
  listsByValue,
  type SetMap,
  TAKEN_AWAY,
  uint8s,
  uint32s,
} from '@clew/graph';

export interface WithRepairs {
  /** Numbers of repairs. */
  readonly repairs: readonly number[];
}

/**
 * @param sets of repairs @param repairCount number of all repairs @param packages package n has label n
 * @param taken packages whose repairs are done: steps that these remove are dropped
 */
export function packageSets(
  sets: readonly LabelSet[],
  repairCount: number,
  packages: readonly WithRepairs[],
  taken: Iterable<WithRepairs> = [],
): SetMap {
  const gone = uint8s(repairCount);
  for (const { repairs } of taken) for (const repair of repairs) gone[repair] = 1;
  const { offsets, places: labels } = listsByValue(
    packages.map(({ repairs }) => repairs),
    repairCount,
  );
  return mapSets(sets, (repair) => {
    if (gone[repair] === 1) return TAKEN_AWAY;
    const [first, end] = [offsets[repair], offsets[repair + 1]];
    if (first === end) return undefined;
    // Millions of sets have one label: array views would take most of the time.
    const own = [labels[first]];
    for (let at = first + 1; at < end; at++) own.push(labels[at]);
    return own;
  });
}

const NO_LABELS: LabelSet = [];

/** @param newLabels new labels of a label, ascending: empty, or `TAKEN_AWAY` if steps with it are removed */
export function mapSets(
  sets: readonly LabelSet[],
  newLabels: (label: number) => LabelSet | typeof TAKEN_AWAY | undefined,
): SetMap {
  const made: LabelSet[] = [[]];
  /** Numbers of the sets with one label, which are most common. */
  const ofOne = new Map<number, number>();
  const ofMany = new ListNumbers();
  /** Indexed by the numbers of the sets with several labels. */
  const placesOfMany: number[] = [];
  const ofOneLabel = (set: LabelSet): number => {
    return getOrMake(ofOne, set[0], () => made.push(set) - 1);
  };
  const placeOf = (labels: LabelSet): number => {
    let own: LabelSet = NO_LABELS;
    for (const label of labels) {
      const more = newLabels(label);
      if (more === TAKEN_AWAY) return TAKEN_AWAY;
      if (more !== undefined) own = own.length === 0 ? more : [...own, ...more];
    }
    if (own.length === 0) return 0;
    const set = labels.length === 1 ? own : ascending(own);
    if (set.length === 1) return ofOneLabel(set);
    const number = ofMany.numberOf(set);
    if (number === placesOfMany.length) placesOfMany.push(made.push(set) - 1);
    return placesOfMany[number];
  };
  const places = uint32s(sets.length);
  for (let at = 0; at < sets.length; at++) places[at] = placeOf(sets[at]);
  return { places, sets: made };
}

/** Sorted, without duplicates. */
function ascending(labels: LabelSet): LabelSet {
  const sorted = [...labels].sort((a, b) => a - b);
  return sorted.filter((label, at) => at === 0 || sorted[at - 1] !== label);
}
