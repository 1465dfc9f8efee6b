/** The facts that conditions of list findings read: the graph, Tier Zero, and structures shared by several conditions. */
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

/** Computers that a collector scanned, if known. */
export interface ScannedComputers {
  readonly sessions: NodeSet;
  readonly localGroups: NodeSet;
}

/** The reads declared by a list finding; see `ListFindingType`. */
export interface FindingReads {
  readonly id: string;
  readonly needs: readonly string[];
  readonly seenBy?: string;
  readonly reads?: Reads;
}

/** The facts that a type has read through `FindingFacts`. */
export interface FactsRead {
  /** Property keys. */
  readonly keys: ReadonlySet<string>;
  /** Groups whose members it has read; undefined if none. */
  readonly groups: NodeSet | undefined;
  /** Whether it has read the members of Tier Zero. */
  readonly isTierZero: boolean;
}

const DAY_SECONDS = 86_400;

const EVERYBODY = LARGE_DEFAULT_GROUPS.map(encodeText);

/** Computers that represent Entra ID. */
const BUILT_IN_NAMES = ['AZUREADSSOACC', 'AZUREADKERBEROS'] as const;
const BUILT_IN_ADMINISTRATOR = encodeText('-500');

/** Id suffix of the group in each domain. */
const READ_ONLY_CONTROLLERS = '-521';

/** Nodes by property and value, shared by graphs that differ only in edges. */
const FLAGGED = new WeakMap<NodeProperties, Map<string, NodeSet>>();

/** Nodes by base set and name prefix, shared by graphs that differ only in edges. */
const WITH_NAME = new WeakMap<NodeProperties, WeakMap<NodeSet, Map<string, NodeSet>>>();

/** Nodes by base set and object id suffix, shared by graphs that differ only in edges. */
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

  /** @returns the facts as seen by one finding type */
  readingFor(type: FindingReads): FindingFacts {
    const context = this.context.readingFor(type.id, readsOfListed(type));
    return context === this.context
      ? this
      : new FindingFacts(context, this.#tierZero, this.now, this.scanned);
  }

  /** Members of Tier Zero. */
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

  /** The facts read so far, for callers that later need the inputs of a type. */
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

  /** @returns objects whose property passes the test; each distinct value is tested once */
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

  /** Nodes that are known to be enabled: an object without collected properties is not an account in use. */
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

  /** @returns nodes whose name has this prefix */
  named(nodes: NodeSet, beginning: string): NodeSet {
    this.#keysRead.add('name');
    const { properties } = this.context;
    const ofNames = WITH_NAME.get(properties) ?? new WeakMap<NodeSet, Map<string, NodeSet>>();
    WITH_NAME.set(properties, ofNames);
    const known = ofNames.get(nodes) ?? new Map<string, NodeSet>();
    ofNames.set(nodes, known);
    return getOrMake(known, beginning, () => nodes.filter((node) => this.name(node).startsWith(beginning)));
  }

  /** Group managed and standalone managed service accounts, whose passwords Windows renews. */
  managed(): NodeSet {
    return this.is('gmsa', true).or(this.is('msa', true));
  }

  /** The groups and their direct and indirect members. */
  membersOf(groups: NodeSet): NodeSet {
    this.#groupsRead.push(groups);
    return this.context.use(membership).expand(groups);
  }

  directMembersOf(groups: NodeSet): NodeSet {
    this.#groupsRead.push(groups);
    return this.context.use(membership).directMembersOf(groups);
  }

  /** Read-only domain controllers. They have no local accounts, and Windows itself trusts them for delegation. */
  readOnlyControllers(): NodeSet {
    const members = this.membersOf(this.withSuffix(this.groups, READ_ONLY_CONTROLLERS));
    return this.is('isreadonlydc', true).or(members).and(this.computers);
  }

  /** Accounts that directory synchronization creates. */
  connectorAccounts(): NodeSet {
    this.#keysRead.add('name');
    return this.context.use(connectorAccounts);
  }

  /** The accounts with which each directory synchronization server reads password hashes or writes users. */
  synchronizationServers(): ReadonlyMap<number, readonly number[]> {
    this.#keysRead.add('name').add('description');
    return this.context.use(synchronizationServers);
  }

  /** The domain node of an object. */
  domainOf(node: number): number {
    const { nodes, of } = this.context.use(environments);
    return nodes[of[node]];
  }

  /** @returns domain nodes of the objects */
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

  /** The time from which ages of the object are counted: the time of its collection if that is long ago. */
  nowOf(node: number): number {
    const { of } = this.context.use(environments);
    return this.context.use(collectionTimes).of(of[node], this.now);
  }

  /** Whether nearly everyone is a member of the group. */
  isEverybody(group: number): boolean {
    const { objectIds } = this.context.graph;
    return EVERYBODY.some((end) => textEndsWith(objectIds, group, end));
  }

  /** Accounts created by Windows and by synchronization, which no person uses. */
  isBuiltIn(node: number): boolean {
    return (
      BUILT_IN_NAMES.some((name) => this.name(node).toUpperCase().startsWith(name)) ||
      textEndsWith(this.context.graph.objectIds, node, BUILT_IN_ADMINISTRATOR)
    );
  }

  /** Whether a time property is known and older than this. Collectors write 0 and -1 for "never". */
  olderThan(key: string, node: number, days: number): boolean {
    const time = this.number(key, node);
    return time !== undefined && time > 0 && time < this.nowOf(node) - days * DAY_SECONDS;
  }

  /** Last known logon in seconds since 1970; 0 for never; `undefined` if nothing was collected. */
  lastLogon(node: number): number | undefined {
    const times = [this.number('lastlogon', node), this.number('lastlogontimestamp', node)];
    const known = times.filter((time) => time !== undefined);
    return known.length === 0 ? undefined : Math.max(0, ...known);
  }

  /** Whether the last use is at least this long ago, or a node older than this was never used. */
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
 * @param read facts that the type has read through `FindingFacts`, including members of groups; if unknown, all are assumed
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
