/**
 * The facts by which packages are grouped and priced: containers, forests, CAs, hosts of local groups, default and administrative groups.
 */

import { type AttackGraph, hasKind, type NodeSet, nameOf, objectIdOf } from '@clew/graph';
import { EdgeKind, NodeKind } from '@clew/model';
import type { AnalysisContext } from '../analysisContext.ts';
import { domains } from '../directory/domains.ts';
import { InheritanceSources } from '../directory/inheritance.ts';
import { connectorAccounts } from '../directory/synchronization.ts';
import { isInherited } from '../edgeRef.ts';
import { environments } from '../findings/environments.ts';
import { largeDefaultGroups } from '../findings/largeGroups.ts';
import type { Repair, RepairKind } from './repairs.ts';

/** Factor on the cost of objects that many work with, so that changing them takes a project. */
const DEAR = 4;
/** Principals that make a group large. */
const MAX_SMALL_GROUP = 50;

/** Groups to which accounts belong by their type: primary groups, and those of controllers. */
const GIVEN_GROUPS = /-(513|514|515|516|521|498)$/;
/** @returns whether accounts are in a group by their type: no one removes them */
export const isGivenGroup = (graph: AttackGraph, group: number): boolean =>
  GIVEN_GROUPS.test(objectIdOf(graph, group));

/** Containers in which Windows puts new accounts. */
const GIVEN_CONTAINERS = /^(USERS|COMPUTERS)@/i;
/** Names of groups that people create for administrators: whole words, digits may follow. */
const ADMINISTRATIVE = /(^|[^A-Z])(ADMINS?|ADMINISTRATORS?|OPERATORS?|T[0-2]|TIER ?[0-2])([^A-Z]|$)/i;

/** Repairs that are looked at one host, one account, one entry at a time; all others are of settings and whole domains. */
const NARROW: ReadonlySet<RepairKind> = new Set([
  ...(['remove-permission', 'change-owner', 'remove-enrollment', 'remove-local-member'] as const),
  ...(['remove-logon-right', 'remove-member', 'keep-off', 'remove-relation', 'remove-delegation'] as const),
  ...(['unsynchronize', 'remove-role', 'unlink-policy', 'move-object', 'computer-smb-signing'] as const),
  ...(['clear-sid-history', 'remove-policy-member'] as const),
]);

/** Whether repairs of the kind are wide, whatever principal loses something. */
export const isWideKind = (kind: RepairKind): boolean => !NARROW.has(kind);

export interface LocalGroupPlace {
  readonly relativeId: number;
  readonly unit: number | undefined;
  readonly domain: number | undefined;
}

export interface RepairFacts {
  readonly cost: number;
  /** Many work with it: a package with several of these costs as much as all of them. */
  readonly isDear: boolean;
  readonly isWide: boolean;
  readonly isLate: boolean;
  readonly isOfDefaultGroup: boolean;
}

export class PackageFacts {
  readonly #context: AnalysisContext;
  readonly #costs: Readonly<Record<RepairKind, number>>;
  readonly #defaultGroups: NodeSet;
  readonly #authorities: NodeSet;
  #sources: InheritanceSources | undefined;
  readonly #isLarge = new Map<number, boolean>();
  readonly #parents = new Map<number, number | undefined>();
  readonly #localGroups = new Map<number, LocalGroupPlace | undefined>();

  constructor(context: AnalysisContext, costs: Readonly<Record<RepairKind, number>>) {
    this.#context = context;
    this.#costs = costs;
    this.#defaultGroups = largeDefaultGroups(context).all;
    this.#authorities = context.nodesOf('EnterpriseCA');
  }

  idOf(node: number): string {
    return node < 0 ? String(-node) : objectIdOf(this.#context.graph, node);
  }

  /** @returns false for changes that no one makes, or that would only move the problem */
  isPossible({ kind, object, principal, edgeKinds }: Repair): boolean {
    const { graph } = this.#context;
    if (kind === 'remove-member') return !isGivenGroup(graph, object);
    if (kind === 'move-object') return !GIVEN_CONTAINERS.test(nameOf(graph, principal as number));
    const isReplication = edgeKinds.some((name) => name.startsWith('GetChanges'));
    // Accounts of directory synchronization replicate by design.
    return !(isReplication && principal !== undefined && this.#context.use(connectorAccounts).has(principal));
  }

  of(repair: Repair): RepairFacts {
    const { kind, object, principal } = repair;
    const isOfDefaultGroup = principal !== undefined && this.#defaultGroups.has(principal);
    return {
      ...this.#costOf(repair, isOfDefaultGroup),
      isWide: isWideKind(kind) || isOfDefaultGroup,
      isLate: kind === 'remove-member' && this.#isAdministration(object, principal as number),
      isOfDefaultGroup,
    };
  }

  /** @returns the domain that represents a forest */
  forestOf(domain: number): number {
    const known = this.#context.use(domains);
    if (!known.nodes.has(domain)) return domain;
    return known.forestOf(domain).toArray()[0] ?? domain;
  }

  get authorities(): NodeSet {
    return this.#authorities;
  }

  templatesOf(ca: number): NodeSet {
    return this.#context.edges('PublishedTo').startsOf(ca);
  }

  #costOf({ kind, object, principal, edgeKinds, cost: own }: Repair, isOfDefaultGroup: boolean) {
    const cost = own ?? this.#costs[kind];
    // Principals that really enroll need another group first.
    const isEnrollAtCa = isOfDefaultGroup && edgeKinds.includes('Enroll') && this.#authorities.has(object);
    const isDear =
      isEnrollAtCa ||
      (kind === 'remove-member' &&
        (this.#isLargeGroup(principal as number) || this.#isAdministration(object, principal as number)));
    return { cost: isDear ? Math.max(cost, DEAR) : cost, isDear };
  }

  /** An account in an administrative group is there because someone wanted it; a group in it may be a mistake. */
  #isAdministration(group: number, member: number): boolean {
    const { graph } = this.#context;
    if (hasKind(graph, member, NodeKind.Group)) return false;
    const isProtected = this.#context.properties.flag('admincount', group) === true;
    return isProtected || ADMINISTRATIVE.test(nameOf(graph, group).split('@')[0]);
  }

  #isLargeGroup(group: number): boolean {
    let known = this.#isLarge.get(group);
    if (known === undefined) {
      known = this.#hasMoreMembers(group, MAX_SMALL_GROUP);
      this.#isLarge.set(group, known);
    }
    return known;
  }

  #hasMoreMembers(group: number, count: number): boolean {
    const { offsets, neighbors, kinds } = this.#context.graph.in;
    const { principals } = this.#context.use(environments);
    const seen = new Set([group]);
    let members = 0;
    for (const node of seen) {
      for (let at = offsets[node]; at < offsets[node + 1]; at++) {
        const member = neighbors[at];
        const isMember = kinds[at] === EdgeKind.MemberOf || kinds[at] === EdgeKind.AZMemberOf;
        if (!isMember || seen.has(member)) continue;
        seen.add(member);
        if (principals.has(member) && ++members > count) return true;
      }
    }
    return false;
  }

  /** @returns the container whose own entry this is */
  sourceOf({ change }: Repair): number | undefined {
    const { graph } = this.#context;
    const inherited = change.removed.find((ref) => isInherited(graph, ref));
    this.#sources ??= new InheritanceSources(this.#context);
    return inherited && this.#sources.of(inherited);
  }

  /** @returns the container of an object */
  parentOf(object: number): number | undefined {
    return remembered(this.#parents, object, () => this.#before(object, EdgeKind.Contains));
  }

  localGroupOf(group: number): LocalGroupPlace | undefined {
    return remembered(this.#localGroups, group, () => this.#localGroup(group));
  }

  /** @returns the first node with a relation of this kind to this one */
  #before(node: number, kind: number): number | undefined {
    const { offsets, neighbors, kinds } = this.#context.graph.in;
    for (let at = offsets[node]; at < offsets[node + 1]; at++) if (kinds[at] === kind) return neighbors[at];
    return undefined;
  }

  #localGroup(group: number): LocalGroupPlace | undefined {
    const { offsets, neighbors, kinds } = this.#context.graph.out;
    const relativeId = Number(/-(\d+)$/.exec(this.idOf(group))?.[1]);
    if (!Number.isInteger(relativeId)) return undefined;
    for (let at = offsets[group]; at < offsets[group + 1]; at++) {
      if (kinds[at] !== EdgeKind.LocalToComputer) continue;
      const host = neighbors[at];
      const { of, nodes } = this.#context.use(environments);
      return { relativeId, unit: this.parentOf(host), domain: nodes[of[host]] };
    }
    return undefined;
  }
}

function remembered<Value>(
  known: Map<number, Value | undefined>,
  node: number,
  find: () => Value | undefined,
): Value | undefined {
  if (known.has(node)) return known.get(node);
  const found = find();
  known.set(node, found);
  return found;
}
