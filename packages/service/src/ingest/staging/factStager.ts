/**
 * Brings the facts of one job's files into the staging tables: ids and kinds become numbers, sets become sorted
 * arrays, and what a job says more than once about the same thing goes to the `_again` tables, in order.
 *
 * Files are staged one after the other in an order that does not depend on the upload (see `jobFiles.ts`), objects in
 * the order of their file; so equal files give equal results.
 */

import type {
  EdgeFact,
  EdgeSetFact,
  MatchedEdgeFact,
  NodeFact,
  NodeMatcher,
  ObjectFacts,
  Properties,
  ReadIssue,
} from '@clew/model';
import { ASPECTS, type AspectTraits } from '@clew/model';
import type { CopyRows } from '../../store/copyRows.ts';
import { type ObjectIdDictionary, objectIdFault } from './dictionary.ts';
import { EdgeColumns } from './edgeColumns.ts';
import { IdSet } from './idSet.ts';
import { baseKind, type KindNames, kindNameFault } from './kindNames.ts';
import type { StagingTables } from './stagingTables.ts';
import { storableJson, storableText } from './storableJson.ts';

/** What staging keeps of one file while it is read. */
export interface FileScope {
  /** Number of the file in the job. */
  readonly origin: number;
  readonly sourceId: number;
  /** Objects the file speaks of. */
  readonly seen: IdSet;
  /** What could not be kept, or only repaired. */
  readonly report: (issue: ReadIssue) => void;
}

/** Objects that carry a kind; with its base kind. */
interface KindMembers {
  readonly own: IdSet;
  readonly base: IdSet | undefined;
}

const ASPECT_BY_NAME: ReadonlyMap<string, AspectTraits> = new Map(
  ASPECTS.map((aspect) => [aspect.name, aspect]),
);
/** Property that names the environment of an object: OpenGraph, Active Directory, Entra ID. */
const ENVIRONMENT_KEYS = ['environmentid', 'domainsid', 'tenantid'];

export class FactStager {
  readonly #tables: StagingTables;
  readonly #dictionary: ObjectIdDictionary;
  readonly #kinds: KindNames;
  readonly #described = new IdSet();
  /** Owners that have a row in `stage_set`, by aspect and source. */
  readonly #staged = new Map<number, IdSet>();
  readonly #members = new Map<number, IdSet>();
  readonly #membersByName = new Map<string, KindMembers>();
  readonly #mentioned = new IdSet();
  /** Objects seen, by the file whose source and time stand for it. */
  readonly #seen = new Map<number, IdSet>();
  readonly #columns = new EdgeColumns();
  #sequence = 0;

  constructor(tables: StagingTables, dictionary: ObjectIdDictionary, kinds: KindNames) {
    this.#tables = tables;
    this.#dictionary = dictionary;
    this.#kinds = kinds;
  }

  /** Stages a batch. Batches come one after the other: await each call before the next. */
  async add(scope: FileScope, batch: readonly ObjectFacts[]): Promise<void> {
    await this.#resolveNames(batch);
    for (const facts of batch) this.#addObject(scope, facts);
    await this.#tables.written();
  }

  /**
   * The file is at its end.
   * @param sightingOrigin file of the same source and time under which its objects are noted as seen
   */
  endFile(seen: IdSet, sightingOrigin: number): void {
    this.#mentioned.addAll(seen);
    let known = this.#seen.get(sightingOrigin);
    if (known === undefined) {
      known = new IdSet();
      this.#seen.set(sightingOrigin, known);
    }
    known.addAll(seen);
  }

  /** All files are staged: notes which objects were seen, of which kinds, and sends the last rows. */
  async finish(): Promise<void> {
    for (const [origin, seen] of this.#seen) {
      const rows = this.#tables.rows('stage_seen');
      await this.#eachOf(seen, (id) => {
        rows.row(2);
        rows.int4(id);
        rows.int4(origin);
      });
    }
    const kinds = [...this.#members].sort(([a], [b]) => a - b);
    const rows = this.#tables.rows('stage_mention');
    await this.#eachOf(this.#mentioned, (id) => {
      rows.row(2);
      rows.int4(id);
      rows.int2Array(kinds.filter(([, members]) => members.has(id)).map(([kind]) => kind));
    });
    await this.#tables.flush();
  }

  async #eachOf(ids: IdSet, write: (id: number) => void): Promise<void> {
    let written = 0;
    for (const id of ids) {
      write(id);
      if (++written % 10_000 === 0) await this.#tables.written();
    }
  }

  async #resolveNames(batch: readonly ObjectFacts[]): Promise<void> {
    const names = new MissingNames(this.#dictionary, this.#kinds);
    for (const facts of batch) names.collect(facts);
    if (names.objectIds.size > 0) await this.#dictionary.resolve(names.objectIds);
    if (names.nodeKinds.size > 0) await this.#kinds.register('node_kind', names.nodeKinds);
    if (names.edgeKinds.size > 0) await this.#kinds.register('edge_kind', names.edgeKinds);
  }

  #addObject(scope: FileScope, facts: ObjectFacts): void {
    const place = new Place(scope, facts);
    const described = facts.nodes.filter((node) => node.described).map((node) => node.objectId);
    const enumerated = new Map<string, AspectBits>();
    for (const set of facts.edgeSets) {
      const own = described.includes(set.ownerId);
      if (own && set.replaces) bitsOf(enumerated, set.ownerId).add(aspectOf(set).id);
      this.#addSet(place, set, own);
    }
    for (const node of facts.nodes) this.#addNode(place, node, enumerated.get(node.objectId) ?? NO_ASPECTS);
    for (const objectId of facts.deletedIds ?? []) this.#addDeleted(place, objectId);
  }

  #addNode(place: Place, node: NodeFact, aspects: AspectBits): void {
    const id = this.#idOf(place, node.objectId);
    if (id === undefined) return;
    place.scope.seen.add(id);
    for (const kind of node.kinds) this.#markKind(place, id, kind);
    if (node.described && this.#described.add(id)) this.#addDescription(place, id, node.properties, aspects);
    else if (node.described) this.#addFurtherDescription(place, id, node.properties, aspects);
    else if (Object.keys(node.properties).length > 0) this.#addHint(place, id, node.properties);
  }

  #addDescription(place: Place, id: number, properties: Properties, aspects: AspectBits): void {
    const { kept, cleared } = splitNulls(properties);
    const rows = this.#tables.rows('stage_node');
    rows.row(6);
    rows.int4(id);
    rows.int4(place.scope.origin);
    rows.int8(aspects.high, aspects.low);
    this.#writeEnvironment(rows, kept);
    rows.jsonb(this.#json(place, kept));
    if (cleared.length === 0) rows.null();
    else rows.textArray(cleared.map(storableText));
  }

  #addFurtherDescription(place: Place, id: number, properties: Properties, aspects: AspectBits): void {
    const rows = this.#tables.rows('stage_node_again');
    rows.row(6);
    rows.int4(id);
    rows.int4(place.scope.origin);
    rows.int8(aspects.high, aspects.low);
    this.#writeEnvironment(rows, properties);
    rows.jsonb(this.#json(place, properties));
    rows.int4(this.#sequence++);
  }

  #addHint(place: Place, id: number, properties: Properties): void {
    const { kept } = splitNulls(properties);
    const rows = this.#tables.rows('stage_hint');
    rows.row(4);
    rows.int4(id);
    this.#writeEnvironment(rows, kept);
    rows.jsonb(this.#json(place, kept));
    rows.int4(this.#sequence++);
  }

  #addDeleted(place: Place, objectId: string): void {
    const id = this.#idOf(place, objectId);
    if (id === undefined) return;
    const rows = this.#tables.rows('stage_deleted');
    rows.row(1);
    rows.int4(id);
  }

  #addSet(place: Place, set: EdgeSetFact, own: boolean): void {
    const owner = this.#idOf(place, set.ownerId);
    if (owner === undefined) return;
    // The owner itself is not seen by this: of a local group without members there is nothing but its name.
    const aspect = aspectOf(set);
    this.#columns.clear();
    for (const edge of set.edges) this.#addEdge(place, edge);
    for (const edge of set.matchedEdges ?? []) this.#addMatched(place, owner, aspect, edge);
    this.#columns.normalise();
    if (aspect.nature === 'sample') this.#writeSamples(place, owner);
    else if (this.#columns.count > 0 || (set.matchedEdges ?? []).length > 0)
      this.#writeSet(place, owner, aspect, set, own);
    else if (set.replaces && !own) this.#writeEmptied(place, owner, aspect);
  }

  #addEdge(place: Place, edge: EdgeFact): void {
    const start = this.#idOf(place, edge.startId);
    const end = this.#idOf(place, edge.endId);
    const kind = this.#edgeKindOf(place, edge.kind);
    if (start === undefined || end === undefined || kind === undefined) return;
    this.#mention(place, start, edge.startKind);
    this.#mention(place, end, edge.endKind);
    this.#columns.add(start, kind, end, edge.flags, edge.properties);
  }

  /** Edges of a set go to `stage_set`; to `stage_set_again` if the job said something about that set before. */
  #writeSet(place: Place, owner: number, aspect: AspectTraits, set: EdgeSetFact, own: boolean): void {
    const { scope } = place;
    const again = !this.#stagedSets(aspect.id, scope.sourceId).add(owner);
    const rows = this.#tables.rows(again ? 'stage_set_again' : 'stage_set');
    rows.row(11);
    rows.int4(owner);
    rows.int2(aspect.id);
    rows.int2(scope.sourceId);
    rows.int4(scope.origin);
    rows.bool(set.replaces);
    if (again) rows.int4(this.#sequence++);
    else rows.bool(own);
    const { count, starts, kinds, ends, flags } = this.#columns;
    rows.int4Array(starts, count);
    rows.int2Array(kinds, count);
    rows.int4Array(ends, count);
    rows.int2Array(flags, count);
    const properties = this.#columns.sparseProperties();
    if (properties === undefined) rows.null();
    else rows.jsonb(this.#json(place, properties));
  }

  #writeEmptied(place: Place, owner: number, aspect: AspectTraits): void {
    const rows = this.#tables.rows('stage_emptied');
    rows.row(3);
    rows.int4(owner);
    rows.int2(aspect.id);
    rows.int2(place.scope.sourceId);
  }

  #writeSamples(place: Place, owner: number): void {
    const { count, starts, kinds, ends, flags } = this.#columns;
    const properties = this.#columns.sparseProperties();
    const rows = this.#tables.rows('stage_sample');
    for (let at = 0; at < count; at++) {
      rows.row(9);
      rows.int4(starts[at]);
      rows.int2(kinds[at]);
      rows.int4(ends[at]);
      rows.int2(place.scope.sourceId);
      rows.int4(owner);
      rows.int4(place.scope.origin);
      rows.int2(flags[at]);
      if (properties?.[at] === undefined) rows.null();
      else rows.jsonb(this.#json(place, properties[at]));
      rows.int4(this.#sequence++);
    }
  }

  #addMatched(place: Place, owner: number, aspect: AspectTraits, edge: MatchedEdgeFact): void {
    const kind = this.#edgeKindOf(place, edge.kind);
    const start = this.#endOf(place, edge.start, edge.startKind);
    const end = this.#endOf(place, edge.end, edge.endKind);
    if (kind === undefined || start === undefined || end === undefined) return;
    const rows = this.#tables.rows('stage_matched');
    rows.row(14);
    rows.int4(this.#sequence++);
    rows.int4(owner);
    rows.int2(aspect.id);
    rows.int2(place.scope.sourceId);
    rows.int4(place.scope.origin);
    rows.int2(kind);
    rows.int2(edge.flags);
    if (edge.properties === undefined) rows.null();
    else rows.jsonb(this.#json(place, edge.properties));
    rows.bool(edge.createMissing);
    rows.int4(place.facts.index);
    for (const { id, matcher } of [start, end]) {
      if (id === undefined) rows.null();
      else rows.int4(id);
      if (matcher === undefined) rows.null();
      else rows.jsonb(matcher);
    }
  }

  /** An end by its id, or the matcher that will find it, with the kinds a new node would get. */
  #endOf(
    place: Place,
    end: string | NodeMatcher,
    kind: string,
  ): { id?: number; matcher?: string } | undefined {
    if (typeof end === 'string') {
      const id = this.#idOf(place, end);
      if (id === undefined) return undefined;
      this.#mention(place, id, kind);
      return { id };
    }
    const wanted = end.kind === undefined ? undefined : this.#kinds.nodeKind(end.kind);
    if (end.kind !== undefined && wanted === undefined) {
      place.reject(`no node of kind ${end.kind.slice(0, 128)} is known`);
      return undefined;
    }
    const own = this.#kinds.nodeKind(kind);
    const kinds = [baseKind(kind), own].filter((number) => number !== undefined);
    return { matcher: this.#json(place, { matchers: end.matchers, kind: wanted ?? null, kinds }) };
  }

  #mention(place: Place, id: number, kind: string): void {
    place.scope.seen.add(id);
    // An end of an OpenGraph edge may be named by its id alone.
    if (kind !== '') this.#markKind(place, id, kind);
  }

  #markKind(place: Place, id: number, kind: string): void {
    const members = this.#membersByName.get(kind) ?? this.#membersOf(place, kind);
    if (members === undefined) return;
    members.own.add(id);
    members.base?.add(id);
  }

  #membersOf(place: Place, kind: string): KindMembers | undefined {
    const number = this.#kinds.nodeKind(kind);
    if (number === undefined) {
      place.reject(kindNameFault(kind) ?? 'the kind of an object could not be kept');
      return undefined;
    }
    const base = baseKind(kind);
    const members = {
      own: this.#membersByNumber(number),
      base: base === undefined ? undefined : this.#membersByNumber(base),
    };
    this.#membersByName.set(kind, members);
    return members;
  }

  #membersByNumber(kind: number): IdSet {
    let members = this.#members.get(kind);
    if (members === undefined) {
      members = new IdSet();
      this.#members.set(kind, members);
    }
    return members;
  }

  #stagedSets(aspect: number, sourceId: number): IdSet {
    const key = sourceId * 0x1_0000 + aspect;
    let owners = this.#staged.get(key);
    if (owners === undefined) {
      owners = new IdSet();
      this.#staged.set(key, owners);
    }
    return owners;
  }

  #edgeKindOf(place: Place, name: string): number | undefined {
    const kind = this.#kinds.edgeKind(name);
    if (kind === undefined) place.reject(kindNameFault(name) ?? 'the kind of an edge could not be kept');
    return kind;
  }

  #idOf(place: Place, objectId: string): number | undefined {
    const id = this.#dictionary.get(objectId);
    if (id !== undefined) return id;
    const fault = objectIdFault(objectId);
    if (fault === undefined) throw new Error('an object id was not resolved');
    place.reject(fault);
    return undefined;
  }

  #writeEnvironment(rows: CopyRows, properties: Properties): void {
    const environment = environmentOf(properties);
    const id = environment === undefined ? undefined : this.#dictionary.get(environment);
    if (id === undefined) rows.null();
    else rows.int4(id);
  }

  #json(place: Place, properties: Properties): string {
    const { json, repaired } = storableJson(properties);
    if (repaired) place.repair('NUL characters or broken Unicode in texts were removed');
    return json;
  }
}

/** Where in which file something is said. */
class Place {
  readonly scope: FileScope;
  readonly facts: ObjectFacts;

  constructor(scope: FileScope, facts: ObjectFacts) {
    this.scope = scope;
    this.facts = facts;
  }

  reject(reason: string): void {
    this.#report('rejected', reason);
  }

  repair(reason: string): void {
    this.#report('repaired', reason);
  }

  #report(severity: ReadIssue['severity'], reason: string): void {
    const object = this.facts.nodes.find((node) => node.described)?.objectId.slice(0, 128);
    this.scope.report({
      severity,
      index: this.facts.index,
      ...(object === undefined ? {} : { object }),
      reason,
    });
  }
}

/** Names of a batch that have no number yet. */
class MissingNames {
  readonly objectIds = new Set<string>();
  readonly nodeKinds = new Set<string>();
  readonly edgeKinds = new Set<string>();
  readonly #dictionary: ObjectIdDictionary;
  readonly #kinds: KindNames;

  constructor(dictionary: ObjectIdDictionary, kinds: KindNames) {
    this.#dictionary = dictionary;
    this.#kinds = kinds;
  }

  collect(facts: ObjectFacts): void {
    for (const node of facts.nodes) {
      this.#objectId(node.objectId);
      for (const kind of node.kinds) this.#nodeKind(kind);
      const environment = environmentOf(node.properties);
      if (environment !== undefined) this.#objectId(environment);
    }
    for (const set of facts.edgeSets) {
      this.#objectId(set.ownerId);
      for (const edge of set.edges) {
        if (edge.startId !== set.ownerId) this.#objectId(edge.startId);
        if (edge.endId !== set.ownerId) this.#objectId(edge.endId);
        this.#edgeKinds(edge);
      }
      for (const edge of set.matchedEdges ?? []) {
        if (typeof edge.start === 'string') this.#objectId(edge.start);
        if (typeof edge.end === 'string') this.#objectId(edge.end);
        this.#edgeKinds(edge);
      }
    }
    for (const objectId of facts.deletedIds ?? []) this.#objectId(objectId);
  }

  #objectId(objectId: string): void {
    if (this.#dictionary.get(objectId) === undefined && objectIdFault(objectId) === undefined) {
      this.objectIds.add(objectId);
    }
  }

  #nodeKind(name: string): void {
    if (this.#kinds.nodeKind(name) === undefined) this.nodeKinds.add(name);
  }

  #edgeKinds(edge: { readonly kind: string; readonly startKind: string; readonly endKind: string }): void {
    this.#nodeKind(edge.startKind);
    this.#nodeKind(edge.endKind);
    if (this.#kinds.edgeKind(edge.kind) === undefined) this.edgeKinds.add(edge.kind);
  }
}

/** Bits of aspects, as halves of an int8. Aspects from 62 on (OpenGraph) are not noted here. */
class AspectBits {
  high = 0;
  low = 0;

  add(aspect: number): void {
    if (aspect < 32) this.low |= 1 << aspect;
    else if (aspect < LAST_ASPECT_BIT) this.high |= 1 << (aspect - 32);
  }
}

const LAST_ASPECT_BIT = 62;
const NO_ASPECTS = new AspectBits();

function bitsOf(enumerated: Map<string, AspectBits>, objectId: string): AspectBits {
  let bits = enumerated.get(objectId);
  if (bits === undefined) {
    bits = new AspectBits();
    enumerated.set(objectId, bits);
  }
  return bits;
}

function aspectOf(set: EdgeSetFact): AspectTraits {
  return ASPECT_BY_NAME.get(set.aspect) as AspectTraits;
}

function environmentOf(properties: Properties): string | undefined {
  for (const key of ENVIRONMENT_KEYS) {
    const value = properties[key];
    if (typeof value === 'string' && value !== '') return value.toUpperCase();
  }
  return undefined;
}

function splitNulls(properties: Properties): {
  readonly kept: Properties;
  readonly cleared: readonly string[];
} {
  const cleared = Object.keys(properties).filter((key) => properties[key] === null);
  if (cleared.length === 0) return { kept: properties, cleared };
  const kept = Object.fromEntries(Object.entries(properties).filter(([, value]) => value !== null));
  return { kept, cleared };
}
