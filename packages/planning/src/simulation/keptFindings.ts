/**
 * Findings of a world derived from another by a change: unaffected findings are copied. Few of hundreds of thousands differ, so
 * the rest is neither searched nor visited again.
 *
 * Rule: `docs/plan.md#what-if`.
 */
import {
  type AnalysisContext,
  collectFindings,
  type FactsRead,
  type FindingsInput,
  type FindingZone,
  type FoundColumns,
  findingTypesOf,
  groupsOfEverybody,
  type ListFindingType,
  largeDefaultGroups,
  looksAt,
  membership,
  RELATIONSHIP_READS,
  readsOfListed,
  type Touched,
} from '@clew/analysis';
import { addTo, NO_NODE, type NodeSet, neighborsOf } from '@clew/graph';
import { type FindingChanges, type FindingKey, type Findings, findingKeyText } from './findingKeys.ts';
import { patchedFindings } from './patchedFindings.ts';

type Listed = ReadonlyMap<ListFindingType, FactsRead>;

/** Findings, indexed by the facts that decide whether a change affects them. */
export interface IndexedFindings {
  readonly all: Findings;
  /** Built lazily. */
  readonly index: FindingIndex;
}

export interface KnownFindings {
  readonly findings: IndexedFindings;
  /** The facts that each type of list findings read through `FindingFacts`. */
  readonly listed: Listed;
  /** The differences from the findings of the world before. */
  readonly moved?: { readonly before: IndexedFindings; readonly changes: FindingChanges };
}

/** The findings of the world before, and the ones that may differ in this world. */
export interface KeptFindings {
  readonly before: IndexedFindings;
  /** List findings of these types may differ. */
  readonly uncertainTypes: ReadonlySet<number>;
  /** Sources whose relationship findings must be searched again; undefined means all. */
  readonly sources: ReadonlySet<number> | undefined;
  readonly listed: Listed;
}

/** The differences between two worlds that may affect findings. */
export interface WorldChange {
  readonly touched: Touched;
  /** Nodes with added or removed edges or changed properties. */
  readonly changed: ReadonlySet<number>;
  readonly context: AnalysisContext;
  readonly contextBefore: AnalysisContext;
  readonly zones: readonly [before: readonly FindingZone[], after: readonly FindingZone[]];
}

/** @returns findings that exist in only one of the two worlds */
export function compareFindings(
  before: ReadonlyMap<string, FindingKey>,
  after: ReadonlyMap<string, FindingKey>,
): FindingChanges {
  return {
    closed: [...before].filter(([key]) => !after.has(key)).map(([, finding]) => finding),
    opened: [...after].filter(([key]) => !before.has(key)).map(([, finding]) => finding),
  };
}

/** A zone with more added or removed members counts as a different zone. */
const MAX_MOVED_MEMBERS = 1000;

/** @returns undefined if zones differ too much; all findings are then searched again */
export function keptFindings(known: KnownFindings, change: WorldChange): KeptFindings | undefined {
  const { touched } = change;
  const members = movedMembers(...change.zones);
  if (members === undefined) return undefined;
  const { findings, listed } = known;
  const changedGroups = change.context.use(membership).changedGroups;
  const same = new Map(
    [...listed].filter(([type, read]) => {
      if (read.isTierZero && members.size > 0) return false;
      // A type that read memberships through `FindingFacts` depends on the groups that it asked for.
      const isAsBefore = changedGroups !== undefined && read.groups?.intersects(changedGroups) === false;
      return !looksAt(touched, readsOfListed(type, isAsBefore ? { ...read, groups: undefined } : read));
    }),
  );
  const uncertainTypes = new Set<number>();
  for (const [place, type] of findingTypesOf(change.context.graph).entries())
    if (type.kind === 'list' && !same.has(type)) uncertainTypes.add(place);
  return { before: findings, uncertainTypes, listed: same, sources: sourcesOf(change, members) };
}

/** Nodes that joined or left a zone, or its list of uncertified members. @returns undefined if there are too many */
function movedMembers(
  before: readonly FindingZone[],
  after: readonly FindingZone[],
): ReadonlySet<number> | undefined {
  if (before.length !== after.length) return undefined;
  const moved = new Set<number>();
  for (const [at, zone] of before.entries()) {
    const other = after[at];
    if (zone.id !== other.id) return undefined;
    const differences = [zone.members, zone.pending].flatMap((one, part): NodeSet[] => {
      const two = part === 0 ? other.members : other.pending;
      return [one.andNot(two), two.andNot(one)];
    });
    for (const set of differences) {
      if (moved.size + set.size > MAX_MOVED_MEMBERS) return undefined;
      for (const node of set) moved.add(node);
    }
  }
  return moved;
}

/**
 * Sources whose relationship findings may differ; those of all other nodes are unchanged. Apart from its ends and their zones,
 * such a finding depends on the inputs in `RELATIONSHIP_READS`, and on whether its source contains a large default group; these
 * groups depend on each other.
 */
function sourcesOf(
  { touched, changed, context, contextBefore }: WorldChange,
  members: ReadonlySet<number>,
): ReadonlySet<number> | undefined {
  if (looksAt(touched, RELATIONSHIP_READS)) return undefined;
  const [holding, held] = [context, contextBefore].map(groupsOfEverybody);
  const moved = [...holding.andNot(held), ...held.andNot(holding)];
  const sources = new Set([...changed, ...members, ...moved]);
  // Includes all kinds of relationships: some finding types are about relationships that are not steps of attack paths.
  for (const node of members)
    for (const source of neighborsOf(context.attackGraph, node, 'in')) sources.add(source);
  const { all } = largeDefaultGroups(context);
  if ([...sources].some((node) => all.has(node))) for (const group of all) sources.add(group);
  return sources;
}

type Entry = readonly [string, FindingKey];
/** Keyed by target and environment to avoid text comparisons. */
type OfType = ReadonlyMap<number, FindingKey>;
type OfSources = ReadonlyMap<number, readonly Entry[]>;

/** Index of findings by the facts that decide whether they may differ, built once for all changes of a world. */
class FindingIndex {
  readonly #listed: ReadonlyMap<number, OfType>;
  readonly #ofSources: OfSources;
  /** Overrides the list of the same source. */
  readonly #changed: OfSources;

  private constructor(listed: ReadonlyMap<number, OfType>, ofSources: OfSources, changed: OfSources) {
    this.#listed = listed;
    this.#ofSources = ofSources;
    this.#changed = changed;
  }

  static of(findings: Findings): FindingIndex {
    const listed = new Map<number, Map<number, FindingKey>>();
    const ofSources = new Map<number, Entry[]>();
    for (const entry of findings) {
      const [, finding] = entry;
      if (finding.source === undefined) {
        const known = listed.get(finding.type) ?? new Map<number, FindingKey>();
        listed.set(finding.type, known.set(placeOf(finding), finding));
      } else {
        addTo(ofSources, finding.source, entry);
      }
    }
    return new FindingIndex(listed, ofSources, new Map());
  }

  listed(type: number): OfType {
    return this.#listed.get(type) ?? NO_FINDINGS;
  }

  /** @param sources undefined means all */
  *ofSources(sources: ReadonlySet<number> | undefined): Generator<Entry> {
    if (sources !== undefined) for (const source of sources) yield* this.#ofSource(source);
    else {
      for (const [source, entries] of this.#ofSources) if (!this.#changed.has(source)) yield* entries;
      for (const entries of this.#changed.values()) yield* entries;
    }
  }

  /** The index after the changes. Lists of types and sources without changes are shared. */
  after({ closed, opened }: FindingChanges): FindingIndex {
    const listed = new Map(this.#listed);
    const changed = new Map(this.#changed);
    const ofType = new Map<number, Map<number, FindingKey>>();
    const typeOf = (type: number): Map<number, FindingKey> => {
      let own = ofType.get(type);
      if (own === undefined) {
        own = new Map(this.listed(type));
        ofType.set(type, own);
        listed.set(type, own);
      }
      return own;
    };
    const gone = Map.groupBy(closed, ({ source }) => source);
    const come = Map.groupBy(opened, ({ source }) => source);
    for (const finding of gone.get(undefined) ?? []) typeOf(finding.type).delete(placeOf(finding));
    for (const finding of come.get(undefined) ?? []) typeOf(finding.type).set(placeOf(finding), finding);
    for (const source of new Set([...gone.keys(), ...come.keys()])) {
      if (source === undefined) continue;
      const keys = new Set((gone.get(source) ?? []).map(findingKeyText));
      const added = (come.get(source) ?? []).map((finding): Entry => [findingKeyText(finding), finding]);
      changed.set(source, [...this.#ofSource(source).filter(([key]) => !keys.has(key)), ...added]);
    }
    return new FindingIndex(listed, this.#ofSources, changed);
  }

  #ofSource(source: number): readonly Entry[] {
    return this.#changed.get(source) ?? this.#ofSources.get(source) ?? [];
  }
}

const NO_FINDINGS: ReadonlyMap<number, FindingKey> = new Map();

/** Packs the target and environment of a finding into a number. A type of list findings has only one zone. */
const placeOf = ({ target, environment }: Pick<FindingKey, 'target' | 'environment'>): number =>
  environment * 2 ** 32 + target;

class FoundFindings implements IndexedFindings {
  readonly all: Findings;
  #index: FindingIndex | undefined;

  /** @param index built lazily from all findings if missing */
  constructor(all: Findings, index?: FindingIndex) {
    this.all = all;
    this.#index = index;
  }

  get index(): FindingIndex {
    this.#index ??= FindingIndex.of(this.all);
    return this.#index;
  }
}

/** @param kept findings of the world before, if any */
export function findAgain(
  input: Omit<FindingsInput, 'listedBefore' | 'sources'>,
  kept: KeptFindings | undefined,
): KnownFindings {
  const listed = new Map(kept?.listed);
  const { found } = collectFindings({
    ...{ ...input, listedBefore: listed },
    ...(kept?.sources !== undefined && { sources: kept.sources }),
  });
  if (kept !== undefined) return new MovedFindings(kept, found, listed);
  const places = Array.from({ length: found.count }, (_, at) => at);
  return { findings: new FoundFindings(new Map(places.map((at) => entryOf(found, at)))), listed };
}

/** Findings after a change. The full list is built on demand. */
class MovedFindings implements KnownFindings {
  readonly listed: Listed;
  readonly moved: NonNullable<KnownFindings['moved']>;
  #findings: IndexedFindings | undefined;

  constructor({ before, uncertainTypes, sources }: KeptFindings, found: FoundColumns, listed: Listed) {
    this.listed = listed;
    const { all, index } = before;
    const closed: FindingKey[] = [];
    const opened: FindingKey[] = [];
    const own = new Map<string, FindingKey>();
    const placesOf = new Map<number, number[]>();
    for (let at = 0; at < found.count; at++) {
      if (found.sources[at] !== NO_NODE) own.set(...entryOf(found, at));
      else {
        addTo(placesOf, found.types[at], at);
      }
    }
    for (const [key, finding] of own) if (!all.has(key)) opened.push(finding);
    for (const [key, finding] of index.ofSources(sources)) if (!own.has(key)) closed.push(finding);
    for (const type of uncertainTypes)
      compareListed(index.listed(type), found, placesOf.get(type) ?? [], { closed, opened });
    this.moved = { before, changes: { closed: inOrderOf(all, closed), opened } };
  }

  get findings(): IndexedFindings {
    const { before, changes } = this.moved;
    this.#findings ??= new FoundFindings(patchedFindings(before.all, changes), before.index.after(changes));
    return this.#findings;
  }
}

/** @returns some of the findings, in the order of the full list */
function inOrderOf(all: Findings, some: readonly FindingKey[]): readonly FindingKey[] {
  if (some.length < 2) return some;
  const wanted = new Set(some);
  return [...all.values()].filter((finding) => wanted.has(finding));
}

/** @param places places of the findings of a type among the found ones */
function compareListed(
  before: ReadonlyMap<number, FindingKey>,
  found: FoundColumns,
  places: readonly number[],
  { closed, opened }: { readonly closed: FindingKey[]; readonly opened: FindingKey[] },
): void {
  const numbers = places.map((at) =>
    placeOf({ target: found.targets[at], environment: found.environments[at] }),
  );
  let stayed = 0;
  for (const [at, number] of numbers.entries())
    if (before.has(number)) stayed++;
    else opened.push(keyOf(found, places[at]));
  if (stayed === before.size) return;
  const after = new Set(numbers);
  for (const [number, finding] of before) if (!after.has(number)) closed.push(finding);
}

function keyOf({ types, zones, sources, targets, environments }: FoundColumns, at: number): FindingKey {
  return {
    ...{ type: types[at], zone: zones[at], target: targets[at], environment: environments[at] },
    ...(sources[at] !== NO_NODE && { source: sources[at] }),
  };
}

function entryOf(found: FoundColumns, at: number): [string, FindingKey] {
  const key = keyOf(found, at);
  return [findingKeyText(key), key];
}
