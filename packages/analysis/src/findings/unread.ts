/**
 * Finds the parts of each environment that were not read, from the content of the graph: a part without any data counts as not read,
 * because a forest without certificate services looks the same as one whose certificate services were not collected.
 *
 * Rule: `docs/findings.md#missing-data`.
 */
import { type AttackGraph, type JsonValue, NO_NODE, type NodeProperties, nodesOfKind } from '@clew/graph';
import type { NodeKindName, UnreadPart } from '@clew/model';
import { EdgeFlag, EdgeKind, NodeKind, UNREAD_PART_NAMES } from '@clew/model';
import type { ScannedComputers } from './findingFacts.ts';
import {
  AUTHORITY_REGISTRY,
  CONTROLLER_REGISTRY,
  LDAP_SETTINGS,
} from './types/list/infrastructure/notCollected.ts';

export interface UnreadInput {
  readonly graph: AttackGraph;
  /** Contains at least `UNREAD_PROPERTIES`. */
  readonly properties: NodeProperties;
  readonly scanned: ScannedComputers;
  readonly environments: readonly { readonly node: number; readonly collected: boolean }[];
}

export const UNREAD_PROPERTIES: readonly string[] = [
  'hasura',
  ...AUTHORITY_REGISTRY,
  ...CONTROLLER_REGISTRY,
  ...LDAP_SETTINGS,
];

const CERTIFICATE_SERVICES: readonly NodeKindName[] = [
  'EnterpriseCA',
  'RootCA',
  'AIACA',
  'NTAuthStore',
  'CertTemplate',
];

/** @returns the unread parts by node of the environment, in the order of `UNREAD_PARTS` */
export function unreadParts(input: UnreadInput): Map<number, readonly UnreadPart[]> {
  const read = new ReadParts(input);
  return new Map(
    input.environments.map(({ node, collected }) => {
      if (!collected) return [node, ['environment']];
      if (!read.isDomain(node)) return [node, []];
      return [node, UNREAD_PART_NAMES.filter((part) => part !== 'environment' && !read.has(part, node))];
    }),
  );
}

/** Domains by the parts that were read. */
class ReadParts {
  readonly #graph: AttackGraph;
  readonly #domains: ReadonlySet<number>;
  readonly #read = new Map<UnreadPart, Set<number>>();

  constructor({ graph, properties, scanned }: UnreadInput) {
    this.#graph = graph;
    this.#domains = new Set(nodesOfKind(graph, NodeKind.Domain));
    const computers = [...nodesOfKind(graph, NodeKind.Computer)];
    const controllers = computers.filter((node) => this.#hasEdge(graph.out, node, EdgeKind.DCFor));
    const authorities = [...nodesOfKind(graph, NodeKind.EnterpriseCA)];
    const says =
      (keys: readonly string[], isRead: (value: JsonValue | undefined) => boolean) =>
      (node: number): boolean =>
        keys.some((key) => isRead(properties.value(key, node)));

    this.#note('access-lists', this.#domains, (domain) => this.#hasAccessList(domain));
    this.#note('sessions', computers, (node) => scanned.sessions.has(node));
    this.#note('local-groups', computers, (node) => scanned.localGroups.has(node));
    this.#note('user-rights', computers, says(['hasura'], isTrue));
    this.#note('policies', nodesOfKind(graph, NodeKind.GPO));
    this.#note('controller-registry', controllers, says(CONTROLLER_REGISTRY, isNumber));
    this.#note('ldap-settings', controllers, says(LDAP_SETTINGS, isFlag));
    // Certificate services are in the root domain of a forest and serve the whole forest.
    const forests = new Forests(graph, this.#domains);
    for (const kind of CERTIFICATE_SERVICES)
      this.#note('certificate-services', nodesOfKind(graph, NodeKind[kind]), undefined, forests);
    this.#note('authority-registry', authorities, says(AUTHORITY_REGISTRY, isTrue), forests);
  }

  isDomain(node: number): boolean {
    return this.#domains.has(node);
  }

  has(part: UnreadPart, domain: number): boolean {
    return this.#read.get(part)?.has(domain) === true;
  }

  #note(
    part: UnreadPart,
    nodes: Iterable<number>,
    isRead: (node: number) => boolean = () => true,
    forests?: Forests,
  ): void {
    const domains = this.#read.get(part) ?? new Set();
    this.#read.set(part, domains);
    for (const node of nodes) {
      const domain = this.#domains.has(node) ? node : this.#graph.environmentOf[node];
      if (domain === NO_NODE || domains.has(domain) || !isRead(node)) continue;
      for (const one of forests?.of(domain) ?? [domain]) domains.add(one);
    }
  }

  #hasAccessList(domain: number): boolean {
    const { offsets, flags } = this.#graph.in;
    for (let at = offsets[domain]; at < offsets[domain + 1]; at++) {
      if ((flags[at] & EdgeFlag.Acl) !== 0 && (flags[at] & EdgeFlag.Derived) === 0) return true;
    }
    return false;
  }

  #hasEdge({ offsets, kinds }: AttackGraph['out'], node: number, kind: number): boolean {
    for (let at = offsets[node]; at < offsets[node + 1]; at++) if (kinds[at] === kind) return true;
    return false;
  }
}

/** Domains connected by trusts inside a forest, in any direction. */
class Forests {
  readonly #members = new Map<number, Set<number>>();

  constructor({ out }: AttackGraph, domains: ReadonlySet<number>) {
    for (const domain of domains) this.#members.set(domain, new Set([domain]));
    for (const domain of domains) {
      for (let at = out.offsets[domain]; at < out.offsets[domain + 1]; at++) {
        if (out.kinds[at] === EdgeKind.SameForestTrust) this.#merge(domain, out.neighbors[at]);
      }
    }
  }

  of(domain: number): Iterable<number> {
    return this.#members.get(domain) ?? [domain];
  }

  #merge(one: number, other: number): void {
    const [first, second] = [this.#members.get(one), this.#members.get(other)];
    if (first === undefined || second === undefined || first === second) return;
    for (const domain of second) {
      first.add(domain);
      this.#members.set(domain, first);
    }
  }
}

const isTrue = (value: JsonValue | undefined): boolean => value === true;
const isFlag = (value: JsonValue | undefined): boolean => typeof value === 'boolean';
const isNumber = (value: JsonValue | undefined): boolean => typeof value === 'number';
