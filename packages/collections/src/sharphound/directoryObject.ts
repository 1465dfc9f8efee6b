/** A SharpHound object while it is read: access to its members, and its facts so far. */
import type { AspectName, EdgeSetFact, NodeFact, ObjectFacts, PropertyValue } from '@clew/model';
import type { CollectionHeader } from '../header.ts';
import type { JsonObject } from '../json/value.ts';
import type { ObjectPlace } from '../reader.ts';
import { Members } from './members.ts';
import { KNOWN_METHODS } from './methods.ts';
import type { Principal } from './principal.ts';
import { PrincipalCache } from './principalCache.ts';
import type { Problems } from './problems.ts';

/** The edges of an aspect. `matchedEdges` is omitted if empty. */
export type AspectEdges = Pick<EdgeSetFact, 'edges' | 'matchedEdges'>;

/**
 * Whether a list completely describes its aspect. `if entries`: the file does not name its collection methods, so a list is complete if it
 * has entries; an empty list is complete only if others of the job have some.
 */
export type Enumeration = boolean | 'if entries';

/** The properties of a file that apply to all its objects. */
export class SharpHoundFile {
  readonly principals = new PrincipalCache();
  /** Known bits of `meta.methods`; absent if the file does not have it. */
  readonly #methods: number | undefined;
  readonly #isAssumed: boolean;

  constructor(header: CollectionHeader) {
    const methods = Number((header.methods ?? 0n) & KNOWN_METHODS);
    this.#methods = methods === 0 ? undefined : methods;
    this.#isAssumed = header.assumed === true;
  }

  /**
   * Whether the collector looked for everything that the method finds, so that missing objects no longer exist. A file that does not name
   * its methods covers the methods whose members it has; a file that is cut off before `meta` covers none.
   */
  covers(method: number): boolean {
    return !this.#isAssumed && (this.#methods === undefined || (this.#methods & method) !== 0);
  }

  /** Whether the file names its methods: then an empty list of one of these methods is a fact. */
  get namesMethods(): boolean {
    return this.#methods !== undefined;
  }

  /** Used for remote results, which report whether they were collected. */
  get isWhole(): boolean {
    return !this.#isAssumed;
  }
}

export class DirectoryObject extends Members {
  readonly self: Principal;
  readonly file: SharpHoundFile;
  readonly problems: Problems;
  /** Properties of the node; filled and repaired during reading. */
  readonly properties: Record<string, PropertyValue>;
  /** Whether it is a short record of a well-known principal, without the parts that a full record enumerates. */
  readonly isStub: boolean;
  readonly #nodes: NodeFact[] = [];
  readonly #edgeSets: EdgeSetFact[] = [];

  constructor(json: JsonObject, self: Principal, file: SharpHoundFile, problems: Problems) {
    super(json, problems);
    this.self = self;
    this.file = file;
    this.problems = problems;
    this.properties = (this.child('Properties')?.json ?? {}) as Record<string, PropertyValue>;
    this.isStub = Object.hasOwn(this.properties, 'reconcile');
  }

  /** Whether the file enumerates the contents of the member: known entries that it lacks no longer exist. */
  enumerates(name: string, method: number): Enumeration {
    if (this.isStub || !this.has(name) || !this.file.covers(method)) return false;
    return this.file.namesMethods || 'if entries';
  }

  /** Adds an aspect. An empty aspect is a fact only if it was enumerated. If a part could not be read, the known entries stay. */
  addAspect(
    aspect: AspectName,
    enumeration: Enumeration,
    read: () => AspectEdges,
    owner: Principal = this.self,
  ): void {
    const lost = this.problems.lost;
    const { edges, matchedEdges } = read();
    const replaces = enumeration !== false && this.problems.lost === lost;
    const isEmpty = edges.length === 0 && matchedEdges === undefined;
    if (isEmpty && !replaces) return;
    const set: EdgeSetFact = { ownerId: owner.id, ownerKind: owner.kind, aspect, edges, replaces };
    if (isEmpty && enumeration === 'if entries') this.#edgeSets.push({ ...set, isOpen: true });
    else this.#edgeSets.push(matchedEdges === undefined ? set : { ...set, matchedEdges });
  }

  addNode(node: Principal, properties: Record<string, PropertyValue>): void {
    this.#nodes.push({ objectId: node.id, kinds: kindsOf(node.kind), properties, described: false });
  }

  facts(place: ObjectPlace): ObjectFacts {
    const { id, kind } = this.self;
    const node: NodeFact = {
      objectId: id,
      kinds: kindsOf(kind),
      properties: this.properties,
      described: true,
    };
    return {
      index: place.index,
      nodes: [node, ...this.#nodes],
      edgeSets: this.#edgeSets,
      issues: this.problems.issues(place, id),
    };
  }
}

const kinds = new Map<string, readonly string[]>();

/** The base kind and the kind itself; always the same array for a kind. */
export function kindsOf(kind: string): readonly string[] {
  let known = kinds.get(kind);
  if (known === undefined) {
    known = kind === 'Base' ? ['Base'] : kind.startsWith('AZ') ? ['AZBase', kind] : ['Base', kind];
    kinds.set(kind, known);
  }
  return known;
}
