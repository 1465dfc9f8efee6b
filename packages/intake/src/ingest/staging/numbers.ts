/** Numbers for the names in facts: resolved for a whole batch at once, then looked up individually. */
import type { MatchedEdgeFact, ObjectFacts, Properties } from '@clew/model';
import { type ObjectIdDictionary, objectIdFault } from '@clew/store';
import type { Place } from './fileScope.ts';
import { IdSet } from './idSet.ts';
import { type KindNames, kindNameFault } from './kindNames.ts';

/** Properties with the environment of an object: OpenGraph, Active Directory, Entra ID. */
const ENVIRONMENT_KEYS = ['environmentid', 'domainsid', 'tenantid'];

export class Numbers {
  readonly #dictionary: ObjectIdDictionary;
  readonly #kinds: KindNames;
  readonly #environments = new Environments();
  readonly #made = new IdSet();
  #lastObjectId: string | undefined;
  #lastId = 0;

  constructor(dictionary: ObjectIdDictionary, kinds: KindNames) {
    this.#dictionary = dictionary;
    this.#kinds = kinds;
  }

  /** Assigns a number to every valid name of the batch. */
  async resolve(batch: readonly ObjectFacts[]): Promise<void> {
    const names = new MissingNames(this.#dictionary, this.#kinds, this.#environments);
    for (const facts of batch) names.collect(facts);
    if (names.objectIds.size > 0) await this.#dictionary.resolve(names.objectIds, (id) => this.#made.add(id));
    if (names.nodeKinds.size > 0) await this.#kinds.register('node_kind', names.nodeKinds);
    if (names.edgeKinds.size > 0) await this.#kinds.register('edge_kind', names.edgeKinds);
  }

  /** Whether the number was created in this job: the store then has only rows of this job about it. */
  isNew(id: number): boolean {
    return this.#made.has(id);
  }

  /** @returns `undefined` for an id that cannot be stored, which is reported */
  id(place: Place, objectId: string): number | undefined {
    // Caches the last id, because a record repeats its own object as owner of sets and as an end of most
    // edges.
    if (objectId === this.#lastObjectId) return this.#lastId;
    const id = this.#dictionary.get(objectId);
    if (id !== undefined) return id;
    const fault = objectIdFault(objectId);
    if (fault === undefined) throw new Error('an object id was not resolved');
    place.reject(fault);
    return undefined;
  }

  /** Like `id`, for the owner of a set, because its edges will repeat the owner. */
  ownerId(place: Place, objectId: string): number | undefined {
    const id = this.id(place, objectId);
    if (id !== undefined) {
      this.#lastObjectId = objectId;
      this.#lastId = id;
    }
    return id;
  }

  edgeKind(place: Place, name: string): number | undefined {
    const kind = this.#kinds.edgeKind(name);
    if (kind === undefined) place.reject(kindNameFault(name) ?? 'the kind of an edge could not be stored');
    return kind;
  }

  nodeKind(place: Place, name: string): number | undefined {
    const kind = this.#kinds.nodeKind(name);
    if (kind === undefined) place.reject(kindNameFault(name) ?? 'the kind of an object could not be stored');
    return kind;
  }

  /** @returns `undefined` if no node has the kind */
  knownNodeKind(name: string): number | undefined {
    return this.#kinds.nodeKind(name);
  }

  /** @returns the environment that the properties name, if any */
  environment(properties: Properties): number | undefined {
    const environment = this.#environments.of(properties);
    return environment === undefined ? undefined : this.#dictionary.get(environment);
  }
}

/** Names of a batch that have no number yet. */
class MissingNames {
  readonly objectIds = new Set<string>();
  readonly nodeKinds = new Set<string>();
  readonly edgeKinds = new Set<string>();
  readonly #dictionary: ObjectIdDictionary;
  readonly #kinds: KindNames;
  readonly #environments: Environments;
  /** The last names that were looked up: the edges of a record share an end and its kind, and often both kinds. */
  #lastOwner = '';
  #last = '';
  #lastStartKind = '';
  #lastEndKind = '';

  constructor(dictionary: ObjectIdDictionary, kinds: KindNames, environments: Environments) {
    this.#dictionary = dictionary;
    this.#kinds = kinds;
    this.#environments = environments;
  }

  collect(facts: ObjectFacts): void {
    for (const node of facts.nodes) {
      this.#ownerId(node.objectId);
      for (const kind of node.kinds) this.#nodeKind(kind);
      const environment = this.#environments.of(node.properties);
      if (environment !== undefined) this.#objectId(environment);
    }
    for (const set of facts.edgeSets) {
      this.#ownerId(set.ownerId);
      for (const edge of set.edges) {
        if (edge.startId !== set.ownerId) this.#objectId(edge.startId);
        if (edge.endId !== set.ownerId) this.#objectId(edge.endId);
        this.#edgeKinds(edge);
      }
      if (set.matchedEdges !== undefined) for (const edge of set.matchedEdges) this.#matchedEdge(edge);
    }
    if (facts.deletedIds !== undefined) for (const objectId of facts.deletedIds) this.#objectId(objectId);
  }

  #matchedEdge(edge: MatchedEdgeFact): void {
    if (typeof edge.start === 'string') this.#objectId(edge.start);
    if (typeof edge.end === 'string') this.#objectId(edge.end);
    this.#edgeKinds(edge);
    // The edge may refer to an object, or even to a kind, that only a later file describes.
    for (const end of [edge.start, edge.end])
      if (typeof end !== 'string' && end.kind !== undefined) this.#nodeKind(end.kind);
  }

  #ownerId(objectId: string): void {
    if (objectId === this.#lastOwner) return;
    this.#lastOwner = objectId;
    this.#objectId(objectId);
  }

  #objectId(objectId: string): void {
    if (objectId === this.#last) return;
    this.#last = objectId;
    if (this.#dictionary.get(objectId) === undefined && objectIdFault(objectId) === undefined) {
      this.objectIds.add(objectId);
    }
  }

  #nodeKind(name: string): void {
    if (this.#kinds.nodeKind(name) === undefined) this.nodeKinds.add(name);
  }

  #edgeKinds(edge: { readonly kind: string; readonly startKind: string; readonly endKind: string }): void {
    if (edge.startKind !== this.#lastStartKind && edge.startKind !== '') this.#nodeKind(edge.startKind);
    if (edge.endKind !== this.#lastEndKind && edge.endKind !== '') this.#nodeKind(edge.endKind);
    this.#lastStartKind = edge.startKind;
    this.#lastEndKind = edge.endKind;
    if (this.#kinds.edgeKind(edge.kind) === undefined) this.edgeKinds.add(edge.kind);
  }
}

/** Placeholders that collectors write if they did not find the environment. */
const PLACEHOLDER = /^(?:domain_sid|not found|unknown|undefined|null|none|n\/a)$/i;

/** Resolves the environment that properties name. Adjacent objects in a file usually have the same one. */
class Environments {
  #lastText = '';
  #lastKey = '';
  #lastId = '';

  of(properties: Properties): string | undefined {
    for (const key of ENVIRONMENT_KEYS) {
      const value = properties[key];
      if (typeof value !== 'string' || value === '' || PLACEHOLDER.test(value)) continue;
      if (value !== this.#lastText || key !== this.#lastKey) {
        this.#lastText = value;
        this.#lastKey = key;
        // The value has the same case as ids of its source, because readers have normalized it.
        this.#lastId = key === 'environmentid' ? value : value.toUpperCase();
      }
      return this.#lastId;
    }
    return undefined;
  }
}
