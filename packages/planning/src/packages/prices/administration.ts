/**
 * Classifies groups and accounts: groups created for administrators, their accounts, and other groups with administrative rights.
 *
 * Rule: `docs/plan.md#prices`.
 */
import {
  type AnalysisContext,
  environments,
  isOfAccount,
  largeDefaultGroups,
  NO_ENVIRONMENT,
} from '@clew/analysis';
import { findEdge, getOrMake, hasKind, NO_EDGE, type NodeSet, nameOf } from '@clew/graph';
import { EdgeKind, NodeKind } from '@clew/model';
import { type GroupSizes, groupSizes } from './groupSizes.ts';
import { type LocalAdministrators, localAdministrators } from './localAdministrators.ts';
import { groupsOf, membersOf } from './neighborFilters.ts';

/**
 * Usual names of groups of administrators: whole words, optionally followed by digits. A hint in addition to marks and facts, never
 * decisive alone.
 */
const NAMED = /(^|[^A-Z])(ADMINS?|ADMINISTRATORS?|OPERATORS?|T[0-2]|TIER ?[0-2])([^A-Z]|$)/i;
/** Maximum number of accounts of a group to examine. */
const MAX_SAMPLED = 50;

export class Administration {
  readonly zone: NodeSet;
  readonly readsNames: boolean;
  readonly #context: AnalysisContext;
  readonly #sizes: GroupSizes;
  readonly #hosts: LocalAdministrators;
  readonly #large: NodeSet;
  readonly #marked = new Map<number, boolean>();
  readonly #ofAdministrators = new Map<number, boolean>();

  /** @param zone members of the zone and of more privileged ones @param readsNames whether names of groups count */
  constructor(context: AnalysisContext, zone: NodeSet, readsNames = true) {
    this.zone = zone;
    this.readsNames = readsNames;
    this.#context = context;
    this.#sizes = context.use(groupSizes);
    this.#hosts = context.use(localAdministrators);
    this.#large = largeDefaultGroups(context).all;
  }

  /**
   * Whether the group was created for administrators: by mark, zone or name; because it administers most of a unit and has a
   * privileged member, unlike a department to which a policy grants administrative rights; or because it administers computers
   * and most of its accounts are administrators.
   */
  isAdministrative(group: number): boolean {
    if (this.#isMarked(group)) return true;
    if (this.#large.has(group)) return false;
    return (
      (this.#hosts.runsUnit(group) && this.#hasPrivileged(group)) ||
      (this.#hosts.hostsOf(group) > 1 && this.#isOfAdministrators(group))
    );
  }

  /** Whether the account is a member of a group that was created for administrators. */
  isAdministrator(account: number): boolean {
    return groupsOf(this.#context.graph, account).some((group) => this.#isMarked(group));
  }

  /** Whether the member is a group of ordinary accounts that was not created for administrators. */
  isStray(member: number): boolean {
    if (!hasKind(this.#context.graph, member, NodeKind.Group) || this.isAdministrative(member)) return false;
    return this.#sizes.isBroad(member) || !this.#isOfAdministrators(member);
  }

  /** Whether the account administers the computer, directly or through groups created for that. */
  administers(account: number, host: number): boolean {
    const { graph } = this.#context;
    const seen = new Set([account]);
    for (const node of seen) {
      if (findEdge(graph, node, EdgeKind.AdminTo, host) !== NO_EDGE) return true;
      for (const group of groupsOf(graph, node)) if (this.#isMarked(group)) seen.add(group);
    }
    return false;
  }

  isAgainstTier(holder: number, object: number): boolean {
    return this.zone.has(object) && !this.zone.has(holder);
  }

  /**
   * Whether the account is disabled or deleted. A deleted account has the id of a collected domain, but is not in the collection;
   * the state of an account in an uncollected domain is unknown.
   */
  isGone(node: number): boolean {
    const { graph, properties } = this.#context;
    if (properties.flag('enabled', node) === false) return true;
    if (nameOf(graph, node) !== '' || !isOfAccount(graph, node)) return false;
    const { of, nodes } = this.#context.use(environments);
    return of[node] !== NO_ENVIRONMENT && properties.flag('collected', nodes[of[node]]) === true;
  }

  #isMarked(group: number): boolean {
    let known = this.#marked.get(group);
    if (known === undefined) {
      const { graph, properties } = this.#context;
      known =
        !this.#large.has(group) &&
        (properties.flag('admincount', group) === true ||
          this.zone.has(group) ||
          (this.readsNames && NAMED.test(nameOf(graph, group).split('@')[0])));
      this.#marked.set(group, known);
    }
    return known;
  }

  #hasPrivileged(group: number): boolean {
    const { graph, properties } = this.#context;
    return membersOf(graph, group)
      .slice(0, MAX_SAMPLED)
      .some((member) => this.zone.has(member) || properties.flag('admincount', member) === true);
  }

  /** Whether most accounts of the group are administrators. */
  #isOfAdministrators(group: number): boolean {
    return getOrMake(this.#ofAdministrators, group, () => {
      const accounts = this.#sizes.accountsOf(group, MAX_SAMPLED);
      return accounts.filter((account) => this.isAdministrator(account)).length * 2 > accounts.length;
    });
  }
}
