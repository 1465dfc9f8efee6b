/** The facts that the conditions of list findings read: the graph, Tier Zero, and structures that several of them use. */
import {
  type AttackGraph,
  encodeText,
  getOrMake,
  type JsonValue,
  type NodeProperties,
  NodeSet,
  textEndsWith,
} from '@clew/graph';
import type { EdgeKindName, NodeKindName } from '@clew/model';
import type { AnalysisContext, Reads } from '../analysisContext.ts';
import { domains } from '../directory/domains.ts';
import { membership } from '../directory/membership.ts';
import { connectorAccounts, synchronizationServers } from '../directory/synchronization.ts';
import { collectionTimes } from './collectionTimes.ts';
import { environments } from './environments.ts';
import { LARGE_DEFAULT_GROUPS } from './largeGroups.ts';

/** Computers a collector looked at, where that is known. */
export interface ScannedComputers {
  readonly sessions: NodeSet;
  readonly localGroups: NodeSet;
}

/** The reads that a list finding declares; see `ListFindingType`. */
export interface FindingReads {
  readonly id: string;
  readonly needs: readonly string[];
  readonly seenBy?: string;
  readonly reads?: Reads;
}

/** The facts that a type read through `FindingFacts`. */
export interface FactsRead {
  /** Properties. */
  readonly keys: ReadonlySet<string>;
  /** Groups whose members it read; nothing where it read none. */
  readonly groups: NodeSet | undefined;
  /** Whether it read the members of Tier Zero. */
  readonly isTierZero: boolean;
}

const DAY_SECONDS = 86_400;

const EVERYBODY = LARGE_DEFAULT_GROUPS.map(encodeText);

/** Computers that stand for Entra ID. */
const BUILT_IN_NAMES = ['AZUREADSSOACC', 'AZUREADKERBEROS'] as const;
const BUILT_IN_ADMINISTRATOR = encodeText('-500');

/** Group of each domain. */
const READ_ONLY_CONTROLLERS = '-521';

/** Nodes by property and value. Graphs that differ in edges alone have the same properties. */
const FLAGGED = new WeakMap<NodeProperties, Map<string, NodeSet>>();

/** Nodes by the set that they are of, and by the beginnings of their names. Graphs that differ in edges alone have the same names. */
const WITH_NAME = new WeakMap<NodeProperties, WeakMap<NodeSet, Map<string, NodeSet>>>();

/** Nodes by the set that they are of, and by the ends of object ids. Graphs that differ in edges alone have the same ids. */
const WITH_SUFFIX = new WeakMap<AttackGraph['objectIds'], WeakMap<NodeSet, Map<string, NodeSet>>>();

export class FindingFacts {
  readonly context: AnalysisContext;
  /** Seconds since 1970. */
  readonly now: number;
  readonly scanned: ScannedComputers | undefined;
  readonly users: NodeSet;
  readonly computers: NodeSet;
  readonly groups: NodeSet;
  /** Computers that are domain controllers. */
  readonly controllers: NodeSet;
  readonly #keysRead = new Set<string>();
  #groupsRead: NodeSet[] = [];
  readonly #tierZero: NodeSet;
  #isTierZeroRead = false;

  constructor(context: AnalysisContext, tierZero: NodeSet, now: number, scanned?: ScannedComputers) {
    this.context = context;
    this.#tierZero = tierZero;
    this.now = now;
    this.scanned = scanned;
    this.users = context.nodesOf('User');
    this.computers = context.nodesOf('Computer');
    this.groups = context.nodesOf('Group');
    this.controllers = context.edges('DCFor').startsOfAny(context.nodesOf('Domain')).and(this.computers);
  }

  /** @returns the facts as one finding type sees them. */
  readingFor(type: FindingReads): FindingFacts {
    const context = this.context.readingFor(type.id, readsOfListed(type));
    return context === this.context
      ? this
      : new FindingFacts(context, this.#tierZero, this.now, this.scanned);
  }

  /** Its members. */
  get tierZero(): NodeSet {
    this.#isTierZeroRead = true;
    return this.#tierZero;
  }

  of(kind: NodeKindName): NodeSet {
    return this.context.nodesOf(kind);
  }

  edges(...kinds: readonly EdgeKindName[]) {
    return this.context.edges(...kinds);
  }

  /** The facts read so far, for callers that later ask what a type reads. */
  get read(): FactsRead {
    return {
      keys: new Set(this.#keysRead),
      groups:
        this.#groupsRead.length === 0
          ? undefined
          : NodeSet.union(this.context.graph.nodeCount, this.#groupsRead),
      isTierZero: this.#isTierZeroRead,
    };
  }

  forgetRead(): void {
    this.#keysRead.clear();
    this.#groupsRead = [];
    this.#isTierZeroRead = false;
  }

  is(key: string, value: boolean): NodeSet {
    this.#keysRead.add(key);
    const { properties } = this.context;
    const flagged = FLAGGED.get(properties) ?? new Map<string, NodeSet>();
    FLAGGED.set(properties, flagged);
    const question = `${key} ${value}`;
    const nodes = flagged.get(question) ?? properties.nodesWhere(key, value);
    flagged.set(question, nodes);
    return nodes;
  }

  /** @returns objects whose property passes the test; each value is tested once */
  where(key: string, test: (value: NonNullable<JsonValue>) => boolean): NodeSet {
    this.#keysRead.add(key);
    return this.context.properties.nodesMatching(key, test);
  }

  text(key: string, node: number): string {
    this.#keysRead.add(key);
    return this.context.properties.text(key, node) ?? '';
  }

  texts(key: string, node: number): readonly string[] {
    this.#keysRead.add(key);
    return this.context.properties.texts(key, node);
  }

  number(key: string, node: number): number | undefined {
    this.#keysRead.add(key);
    return this.context.properties.number(key, node);
  }

  name(node: number): string {
    return this.text('name', node);
  }

  /** Known to be enabled: an object without collected properties does not count as an account in use. */
  enabled(nodes: NodeSet): NodeSet {
    return nodes.and(this.is('enabled', true));
  }

  withSuffix(nodes: NodeSet, ...suffixes: readonly string[]): NodeSet {
    const { objectIds } = this.context.graph;
    const ofIds = WITH_SUFFIX.get(objectIds) ?? new WeakMap<NodeSet, Map<string, NodeSet>>();
    WITH_SUFFIX.set(objectIds, ofIds);
    const known = ofIds.get(nodes) ?? new Map<string, NodeSet>();
    ofIds.set(nodes, known);
    const question = suffixes.join();
    return getOrMake(known, question, () => {
      const ends = suffixes.map(encodeText);
      return nodes.filter((node) => ends.some((end) => textEndsWith(objectIds, node, end)));
    });
  }

  /** @returns nodes whose name begins like this */
  named(nodes: NodeSet, beginning: string): NodeSet {
    this.#keysRead.add('name');
    const { properties } = this.context;
    const ofNames = WITH_NAME.get(properties) ?? new WeakMap<NodeSet, Map<string, NodeSet>>();
    WITH_NAME.set(properties, ofNames);
    const known = ofNames.get(nodes) ?? new Map<string, NodeSet>();
    ofNames.set(nodes, known);
    return getOrMake(known, beginning, () => nodes.filter((node) => this.name(node).startsWith(beginning)));
  }

  /** Group managed and standalone managed service accounts: Windows renews their passwords. */
  managed(): NodeSet {
    return this.is('gmsa', true).or(this.is('msa', true));
  }

  /** The groups and everybody in them, at any depth. */
  membersOf(groups: NodeSet): NodeSet {
    this.#groupsRead.push(groups);
    return this.context.use(membership).expand(groups);
  }

  directMembersOf(groups: NodeSet): NodeSet {
    this.#groupsRead.push(groups);
    return this.context.use(membership).directMembersOf(groups);
  }

  /** Read-only domain controllers. They hold no local accounts, and Windows itself trusts them to delegate. */
  readOnlyControllers(): NodeSet {
    const members = this.membersOf(this.withSuffix(this.groups, READ_ONLY_CONTROLLERS));
    return this.is('isreadonlydc', true).or(members).and(this.computers);
  }

  /** Accounts that directory synchronization makes for itself. */
  connectorAccounts(): NodeSet {
    this.#keysRead.add('name');
    return this.context.use(connectorAccounts);
  }

  /** The accounts with which each server of directory synchronization reads the password hashes or writes the users. */
  synchronizationServers(): ReadonlyMap<number, readonly number[]> {
    this.#keysRead.add('name').add('description');
    return this.context.use(synchronizationServers);
  }

  /** Domain node of each object's domain. */
  domainOf(node: number): number {
    const { nodes, of } = this.context.use(environments);
    return nodes[of[node]];
  }

  /** @returns domain nodes of the objects' domains */
  environmentsOf(objects: NodeSet): Set<number> {
    const { nodes, of } = this.context.use(environments);
    const isThere = new Uint8Array(nodes.length);
    objects.forEach((node) => {
      isThere[of[node]] = 1;
    });
    return new Set(nodes.filter((_, place) => isThere[place] === 1));
  }

  sameForest(a: number, b: number): boolean {
    return this.context.use(domains).forestOf(this.domainOf(a)).has(this.domainOf(b));
  }

  /** The time from which ages of the object count: that of its collection, where that is long ago. */
  nowOf(node: number): number {
    const { of } = this.context.use(environments);
    return this.context.use(collectionTimes).of(of[node], this.now);
  }

  /** A group that nearly everybody belongs to. */
  isEverybody(group: number): boolean {
    const { objectIds } = this.context.graph;
    return EVERYBODY.some((end) => textEndsWith(objectIds, group, end));
  }

  /** Accounts that Windows and synchronization make, which no person uses. */
  isBuiltIn(node: number): boolean {
    return (
      BUILT_IN_NAMES.some((name) => this.name(node).toUpperCase().startsWith(name)) ||
      textEndsWith(this.context.graph.objectIds, node, BUILT_IN_ADMINISTRATOR)
    );
  }

  /** Whether a time property is known, and longer ago than that. Collectors write 0 and -1 for "never". */
  olderThan(key: string, node: number, days: number): boolean {
    const time = this.number(key, node);
    return time !== undefined && time > 0 && time < this.nowOf(node) - days * DAY_SECONDS;
  }

  /** Last logon known of, in seconds since 1970; 0 for never; `undefined` when nothing was collected. */
  lastLogon(node: number): number | undefined {
    const times = [this.number('lastlogon', node), this.number('lastlogontimestamp', node)];
    const known = times.filter((time) => time !== undefined);
    return known.length === 0 ? undefined : Math.max(0, ...known);
  }

  /** Last used so long ago, or never although it is older than that. */
  unusedFor(node: number, days: number): boolean {
    const last = this.lastLogon(node);
    if (last === undefined) return false;
    return last === 0
      ? this.olderThan('whencreated', node, days)
      : last < this.nowOf(node) - days * DAY_SECONDS;
  }

  usedWithin(node: number, days: number): boolean {
    return (this.lastLogon(node) ?? 0) >= this.nowOf(node) - days * DAY_SECONDS;
  }
}

/**
 * @returns all inputs of a list finding
 * @param read facts that it read through `FindingFacts`, members of groups if it says so; where they are not known, all of them
 */
export function readsOfListed({ needs, seenBy, reads = {} }: FindingReads, read?: FactsRead): Reads {
  const properties = [...needs, ...(seenBy === undefined ? [] : [seenBy]), ...(reads.nodeProperties ?? [])];
  const ofFacts = read?.keys ?? FACTS_READS.nodeProperties ?? [];
  const isMembership = read === undefined || read.groups !== undefined;
  return {
    ...reads,
    edges: [...(reads.edges ?? []), ...(FACTS_READS.edges ?? [])],
    nodeProperties: [...properties, ...ofFacts],
    shared: [
      ...(reads.shared ?? []),
      ...(FACTS_READS.shared ?? []).filter((shared) => isMembership || shared !== membership),
    ],
  };
}

/** The inputs of `FindingFacts` itself. */
export const FACTS_READS: Reads = {
  edges: ['DCFor'],
  nodeProperties: [
    'enabled',
    'name',
    'gmsa',
    'msa',
    'isreadonlydc',
    'lastlogon',
    'lastlogontimestamp',
    'whencreated',
  ],
  shared: [environments, domains, membership, collectionTimes, connectorAccounts],
};
