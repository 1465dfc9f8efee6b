/**
 * Stages edge sets. All sets of a job for one (owner, aspect, source) are merged, wherever they occur in the job, and
 * replace the stored set if any of them does. Batches are merged one after the other, so each set is staged with the
 * operation that remains at its position in the job:
 *
 *   first set that replaces           replaces; merged with earlier additions of the job (`stage_added`)
 *   any set after it                  adds, because the stored set is then from this job
 *   set that adds, none replaced yet  adds, and is also stored in `stage_added`
 *
 * The store has no facts yet about an owner whose number was created in this job, so its first set that replaces is
 * written to the store directly; later sets add to it as usual.
 *
 * A set with edges that are matched by properties waits for the end of the job, when all nodes exist. Later sets with
 * the same key wait, too.
 */
import { getOrMake } from '@clew/graph';
import {
  ASPECTS,
  type AspectTraits,
  type EdgeFact,
  type EdgeSetFact,
  type MatchedEdgeFact,
  type NodeMatcher,
  OWNERLESS,
} from '@clew/model';
import { type Facets, forEachFacet } from '../known/facets.ts';
import { FIRST_WITHOUT_BIT } from './aspectBits.ts';
import { EdgeColumns } from './edgeColumns.ts';
import type { Place } from './fileScope.ts';
import { IdSet } from './idSet.ts';
import { baseKind } from './kindNames.ts';
import type { Mentions } from './mentions.ts';
import type { Numbers } from './numbers.ts';
import { OpenSets } from './openSets.ts';
import type { OwnAspects } from './ownAspects.ts';
import { placedJson } from './placedJson.ts';
import type { StagingTables } from './stagingTables.ts';

const ASPECT_BY_NAME: ReadonlyMap<string, AspectTraits> = new Map(
  ASPECTS.map((aspect) => [aspect.name, aspect]),
);

/** Numbers of the dictionary are positive. */
const NO_ID = -1;

/** Owners of the job's sets for one aspect and source. */
class KnownSets {
  readonly named = new IdSet();
  readonly replaced = new IdSet();
  readonly held = new IdSet();
  inBatch = new IdSet();
  /** Whether the job has entries in any set. */
  hasEntries = false;
}

export class SetStager {
  readonly #tables: StagingTables;
  readonly #numbers: Numbers;
  readonly #mentions: Mentions;
  readonly #columns = new EdgeColumns();
  readonly #knownSets = new Map<number, KnownSets>();
  readonly #open = new OpenSets();
  /** Ends of the previous edge in the same set. */
  readonly #lastEdge = { start: NO_ID, startKind: '', end: NO_ID, endKind: '' };
  #sequence = 0;

  constructor(tables: StagingTables, numbers: Numbers, mentions: Mentions) {
    this.#tables = tables;
    this.#numbers = numbers;
    this.#mentions = mentions;
  }

  /** @param own aspects of the owner, if the record describes it */
  add(place: Place, set: EdgeSetFact, own: OwnAspects | undefined): void {
    const aspect = ASPECT_BY_NAME.get(set.aspect) as AspectTraits;
    if (set.ownerId === OWNERLESS) {
      this.#addOwnerless(place, set, aspect);
      return;
    }
    const owner = this.#numbers.ownerId(place, set.ownerId);
    if (owner === undefined) return;
    // This does not mark the owner as seen, because only the name is known of a local group without members.
    if (set.replaces && set.isOpen !== true) own?.enumerated.add(aspect.id);
    this.#columns.clear();
    this.#lastEdge.start = NO_ID;
    this.#lastEdge.end = NO_ID;
    for (const edge of set.edges) this.#addEdge(place, edge);
    const hasMatched = set.matchedEdges !== undefined && set.matchedEdges.length > 0;
    if (hasMatched) for (const edge of set.matchedEdges) this.#addMatched(place, owner, aspect, edge);
    this.#columns.normalize();
    this.#note(place, owner, aspect, set.replaces, own, hasMatched);
    if (aspect.nature === 'sample') this.#writeSamples(place, owner);
    else if (this.#columns.count > 0 || hasMatched)
      this.#addSet(place, owner, aspect, set.replaces, own, hasMatched);
    else if (set.isOpen === true) this.#addOpen(place, owner, aspect);
    else if (set.replaces) this.#addEmptied(place, owner, aspect, own);
  }

  /** Handles repeated known records that enumerated these aspects. */
  passed(sourceId: number, aspects: Facets): void {
    forEachFacet(aspects, 0, (aspect) => this.#noteEntries(aspect, sourceId));
  }

  endJob(): Promise<void> {
    return this.#open.endJob(this.#tables);
  }

  /**
   * Edges whose ends are both matched by properties; each edge is added to the set of its start once the start is
   * resolved.
   */
  #addOwnerless(place: Place, { matchedEdges = [] }: EdgeSetFact, aspect: AspectTraits): void {
    place.notes.cannotBeKnown();
    for (const edge of matchedEdges) this.#addMatched(place, null, aspect, edge);
  }

  #note(
    { notes }: Place,
    owner: number,
    aspect: AspectTraits,
    replaces: boolean,
    own: OwnAspects | undefined,
    hasMatched: boolean,
  ): void {
    if (hasMatched) notes.cannotBeKnown();
    if (replaces || hasMatched || this.#columns.count > 0) notes.saysSet(owner, aspect);
    if (aspect.nature !== 'sample' && own === undefined && this.#columns.count > 0)
      notes.saysDatedSet(owner, aspect.id);
  }

  endBatch(): void {
    for (const sets of this.#knownSets.values()) sets.inBatch = new IdSet();
  }

  #addEdge(place: Place, edge: EdgeFact): void {
    const start = this.#numbers.id(place, edge.startId);
    const end = this.#numbers.id(place, edge.endId);
    const kind = this.#numbers.edgeKind(place, edge.kind);
    if (start === undefined || end === undefined || kind === undefined) return;
    // The owner is an end of all edges of most sets, so it is mentioned only once.
    const last = this.#lastEdge;
    if (start !== last.start || edge.startKind !== last.startKind)
      this.#mention(place, start, edge.startKind);
    if (end !== last.end || edge.endKind !== last.endKind) this.#mention(place, end, edge.endKind);
    last.start = start;
    last.startKind = edge.startKind;
    last.end = end;
    last.endKind = edge.endKind;
    this.#columns.add(start, kind, end, edge.flags, edge.properties);
  }

  #mention(place: Place, id: number, kind: string): void {
    this.#mentions.add(place, id);
    // OpenGraph edges may omit the kinds of their ends.
    if (kind !== '') this.#mentions.addKind(place, id, kind);
  }

  #addSet(
    place: Place,
    owner: number,
    aspect: AspectTraits,
    replaces: boolean,
    own: OwnAspects | undefined,
    hasMatched: boolean,
  ): void {
    const sets = this.#setsOf(aspect.id, place.scope.sourceId);
    this.#noteEntries(aspect.id, place.scope.sourceId);
    const isFirst = sets.named.add(owner);
    if (hasMatched) sets.held.add(owner);
    const isFirstToReplace = replaces && sets.replaced.add(owner);
    if (isFirst && isFirstToReplace && !hasMatched && this.#numbers.isNew(owner)) {
      this.#storeSet(place, owner, aspect);
      return;
    }
    if (!replaces && !sets.replaced.has(owner)) {
      this.#writeSet('added', place, owner, aspect, false, own);
    }
    this.#writeSet(tableFor(sets, owner), place, owner, aspect, isFirstToReplace, own);
  }

  /** The store has no facts yet about an owner whose number was created in this job. */
  #addOpen({ scope: { sourceId } }: Place, owner: number, { id }: AspectTraits): void {
    if (this.#numbers.isNew(owner)) return;
    this.#open.addEmpty(sourceId, id, owner, this.#setsOf(id, sourceId).named);
  }

  #noteEntries(aspect: number, sourceId: number): void {
    const sets = this.#setsOf(aspect, sourceId);
    if (sets.hasEntries) return;
    sets.hasEntries = true;
    this.#open.addEntries(sourceId, aspect, sets.named);
  }

  #addEmptied(place: Place, owner: number, aspect: AspectTraits, own: OwnAspects | undefined): void {
    const sets = this.#setsOf(aspect.id, place.scope.sourceId);
    if (!sets.replaced.add(owner)) return;
    // Drops everything of earlier sets except the additions of this job.
    if (sets.named.has(owner)) this.#writeSet(tableFor(sets, owner), place, owner, aspect, true, own);
    else if (this.#numbers.isNew(owner)) return;
    else if (own !== undefined && aspect.id < FIRST_WITHOUT_BIT) own.emptied.add(aspect.id);
    else this.#writeEmptied(place, owner, aspect);
  }

  #writeSet(
    table: SetTable,
    place: Place,
    owner: number,
    aspect: AspectTraits,
    replaces: boolean,
    own: OwnAspects | undefined,
  ): void {
    const { count, starts, kinds, ends, flags } = this.#columns;
    const properties = this.#columns.sparseProperties();
    this.#tables
      .rows(table)
      .begin()
      .owner_id(owner)
      .aspect(aspect.id)
      .source_id(place.scope.sourceId)
      .origin(place.scope.origin)
      .replaces(replaces)
      .own(own !== undefined)
      .sequence(this.#sequence++)
      .start_ids(starts, count)
      .kind_ids(kinds, count)
      .end_ids(ends, count)
      .flags(flags, count)
      .properties(properties === undefined ? null : placedJson(place, properties));
  }

  #storeSet(place: Place, owner: number, aspect: AspectTraits): void {
    const { count, starts, kinds, ends, flags } = this.#columns;
    const properties = this.#columns.sparseProperties();
    const { sourceId, observed } = place.scope;
    const { high, low, bySchedule } = observed;
    this.#tables
      .rows('newSet')
      .begin()
      .owner_id(owner)
      .aspect(aspect.id)
      .source_id(sourceId)
      .start_ids(starts, count)
      .kind_ids(kinds, count)
      .end_ids(ends, count)
      .flags(flags, count)
      .properties(properties === undefined ? null : placedJson(place, properties))
      .first_seen(high, low)
      .collected_at(high, low)
      .by_schedule(bySchedule);
  }

  #writeEmptied(place: Place, owner: number, aspect: AspectTraits): void {
    this.#tables.rows('emptied').begin().owner_id(owner).aspect(aspect.id).source_id(place.scope.sourceId);
  }

  #writeSamples(place: Place, owner: number): void {
    const { count, starts, kinds, ends, flags } = this.#columns;
    const properties = this.#columns.sparseProperties();
    const rows = this.#tables.rows('sample');
    // The notes of a record cannot contain these properties.
    if (properties !== undefined) place.notes.cannotBeKnown();
    for (let at = 0; at < count; at++) {
      place.notes.saysSample(starts[at], kinds[at], ends[at], flags[at], owner);
      rows
        .begin()
        .start_id(starts[at])
        .kind_id(kinds[at])
        .end_id(ends[at])
        .source_id(place.scope.sourceId)
        .owner_id(owner)
        .origin(place.scope.origin)
        .flags(flags[at])
        .properties(properties?.[at] === undefined ? null : placedJson(place, properties[at]))
        .sequence(this.#sequence++);
    }
  }

  #addMatched(place: Place, owner: number | null, aspect: AspectTraits, edge: MatchedEdgeFact): void {
    const kind = this.#numbers.edgeKind(place, edge.kind);
    const start = this.#endOf(place, edge.start, edge.startKind);
    const end = this.#endOf(place, edge.end, edge.endKind);
    if (kind === undefined || start === undefined || end === undefined) return;
    this.#tables
      .rows('matched')
      .begin()
      .sequence(this.#sequence++)
      .owner_id(owner)
      .aspect(aspect.id)
      .source_id(place.scope.sourceId)
      .origin(place.scope.origin)
      .kind_id(kind)
      .flags(edge.flags)
      .properties(edge.properties === undefined ? null : placedJson(place, edge.properties))
      .create_missing(edge.createMissing)
      .object_index(place.facts.index)
      .start_id(start.id ?? null)
      .start_matcher(start.matcher ?? null)
      .end_id(end.id ?? null)
      .end_matcher(end.matcher ?? null);
  }

  /** Converts an end to its id, or to a matcher with the kinds of a new node. */
  #endOf(
    place: Place,
    end: string | NodeMatcher,
    kind: string,
  ): { id?: number; matcher?: string } | undefined {
    if (typeof end === 'string') {
      const id = this.#numbers.id(place, end);
      if (id === undefined) return undefined;
      this.#mention(place, id, kind);
      return { id };
    }
    const wanted = end.kind === undefined ? undefined : this.#numbers.knownNodeKind(end.kind);
    if (end.kind !== undefined && wanted === undefined) {
      place.reject(`no node of kind ${end.kind.slice(0, 128)} is known`);
      return undefined;
    }
    const kinds = [baseKind(kind), this.#numbers.knownNodeKind(kind)].filter(
      (number) => number !== undefined,
    );
    return { matcher: placedJson(place, { matchers: end.matchers, kind: wanted ?? null, kinds }) };
  }

  #setsOf(aspect: number, sourceId: number): KnownSets {
    const key = sourceId * 0x1_0000 + aspect;
    return getOrMake(this.#knownSets, key, () => new KnownSets());
  }
}

type SetTable = 'set' | 'setAgain' | 'added' | 'held';

function tableFor(sets: KnownSets, owner: number): SetTable {
  if (sets.held.has(owner)) return 'held';
  return sets.inBatch.add(owner) ? 'set' : 'setAgain';
}
