/**
 * Prices of removing members from groups, from local groups of computers, and from policies that add members to local groups.
 *
 * Rule: `docs/plan.md#prices`.
 */
import { type AnalysisContext, environments, LocalGroup } from '@clew/analysis';
import { findEdge, getOrMake, hasKind, NO_EDGE, objectIdOf } from '@clew/graph';
import { EdgeKind, NodeKind } from '@clew/model';
import { misplacedAs } from '../../repairs/misplaced.ts';
import type { Repair } from '../../repairs/repair.ts';
import type { Administration } from './administration.ts';
import { groupSizes } from './groupSizes.ts';
import { isClient, isCrowded } from './hosts.ts';
import { localAdministrators } from './localAdministrators.ts';
import { containerOf, hostOf, localGroupsOf, membersOf, sessionsOn } from './neighborFilters.ts';
import { isOfProduct } from './productServers.ts';
import { type Damage, damage, type PriceFacts } from './reasons.ts';
import { shownKindOf } from './shownKinds.ts';

/** Account, Server and Print Operators: empty by default. */
const EMPTY_BY_DEFAULT = /-S-1-5-32-(548|549|550)$/;
/** Maximum number of members of a group to compare. */
const MAX_SAMPLED = 50;
/** Maximum number of computers on which an administrator, or a member of another local group, counts as an exception. */
const MAX_FEW_HOSTS = 3;

/** @returns the suffix of a local group's id, which is the same on all computers: "-580" */
const kindOfGroup = (id: string): string => id.slice(id.lastIndexOf('-'));

export class MemberPrices {
  readonly #context: AnalysisContext;
  readonly #administration: Administration;
  /** Keyed by member and kind of local group. */
  readonly #same = new Map<string, number>();
  readonly #all = new Map<string, number>();

  constructor(context: AnalysisContext, administration: Administration) {
    this.#context = context;
    this.#administration = administration;
  }

  /** @param group a group of Active Directory or Entra ID */
  ofGroup(member: number, group: number): Damage {
    const { graph } = this.#context;
    const administration = this.#administration;
    const facts = this.#size(member);
    const isGone = administration.isGone(member);
    if (!hasKind(graph, group, NodeKind.Group) || !administration.isAdministrative(group))
      return damage(isGone ? 'left-behind' : 'membership', facts);
    if (isGone) return damage('left');
    if (administration.isStray(member)) return damage('intruder', facts);
    const { of } = this.#context.use(environments);
    const isUnwanted =
      of[member] !== of[group] ||
      this.#isServiceOfZone(member, group) ||
      (EMPTY_BY_DEFAULT.test(objectIdOf(graph, group)) && !hasKind(graph, member, NodeKind.Group)) ||
      this.#isUnlikeOthers(member, group);
    return damage(isUnwanted ? 'exception' : 'design', facts);
  }

  /** @param group a local group of one computer */
  ofLocalGroup(member: number, group: number): Damage {
    const { graph } = this.#context;
    const administration = this.#administration;
    if (administration.isGone(member)) return damage('left');
    const host = hostOf(graph, group);
    if (host === undefined) return damage('design');
    const facts = this.#size(member);
    const isBroad = this.#isBroad(member);
    if (!objectIdOf(graph, group).endsWith(LocalGroup.administrators)) {
      if (administration.isAgainstTier(member, host)) {
        const counts = this.#counts(member, group);
        return counts.same > MAX_FEW_HOSTS ? damage('shared', counts) : damage('against-tier', facts);
      }
      const users = { sessions: sessionsOn(graph, host).length };
      return isCrowded(graph, host) || isBroad
        ? damage('crowd', { ...facts, ...users })
        : damage('design', facts);
    }
    if (administration.readsNames && isOfProduct(graph, member, host)) return damage('default', facts);
    if (isBroad && administration.isStray(member)) return damage('intruder', facts);
    const around = this.#context.use(localAdministrators).around(member, host);
    if (hasKind(graph, member, NodeKind.User)) {
      const worksHere =
        findEdge(graph, host, EdgeKind.HasSession, member) !== NO_EDGE && !isClient(this.#context, host);
      return damage(worksHere ? 'in-use' : 'exception', around);
    }
    const isDesign =
      around.hosts > MAX_FEW_HOSTS ||
      (!hasKind(graph, member, NodeKind.Computer) && administration.isAdministrative(member));
    return damage(isDesign ? 'design' : 'exception', around);
  }

  /** @param repair removes a principal from the policies that add it to a local group of all computers of a unit */
  ofPolicy({ principal, edgeKinds, change }: Repair): Damage {
    const member = principal as number;
    const facts = this.#size(member);
    if (this.#administration.isGone(member)) return damage('left', facts);
    const isBroad = this.#isBroad(member);
    if (edgeKinds.includes('AdminTo')) {
      if (!this.#administration.isStray(member)) return damage('design', facts);
      return damage(isBroad ? 'intruder' : 'exception', facts);
    }
    const hosts = change.removed.map(({ end }) => hostOf(this.#context.graph, end));
    if (hosts.some((host) => host !== undefined && this.#administration.isAgainstTier(member, host)))
      return damage('against-tier', facts);
    return damage(isBroad ? 'crowd' : 'design', facts);
  }

  /** Number of computers whose local group of this kind contains the member, and number of computers whose group of this kind was read. */
  #counts(member: number, group: number): { readonly same: number; readonly all: number } {
    const { graph } = this.#context;
    const kind = kindOfGroup(objectIdOf(graph, group));
    const key = `${member}${kind}`;
    const same = getOrMake(this.#same, key, () => {
      const isOfKind = (node: number): boolean => objectIdOf(graph, node).endsWith(kind);
      return localGroupsOf(graph, member).filter(isOfKind).length;
    });
    const all = getOrMake(
      this.#all,
      kind,
      () =>
        this.#context.nodesOf('ADLocalGroup').filter((node) => objectIdOf(graph, node).endsWith(kind)).size,
    );
    return { same, all };
  }

  /** A service account in a group of the zone: every computer that runs the service can reach the zone. */
  #isServiceOfZone(member: number, group: number): boolean {
    return this.#administration.zone.has(group) && misplacedAs(this.#context, member) === 'service';
  }

  #isBroad(member: number): boolean {
    return (
      hasKind(this.#context.graph, member, NodeKind.Group) && this.#context.use(groupSizes).isBroad(member)
    );
  }

  #size(member: number): PriceFacts {
    return { principals: this.#context.use(groupSizes).of(member) };
  }

  /** Whether the member differs from all other members in kind and place. */
  #isUnlikeOthers(member: number, group: number): boolean {
    const { graph } = this.#context;
    const others = membersOf(graph, group)
      .slice(0, MAX_SAMPLED)
      .filter((other) => other !== member);
    if (others.length < 2) return false;
    const looks = (node: number): string => `${shownKindOf(graph, node)} ${containerOf(graph, node)}`;
    const own = looks(member);
    return others.every((other) => looks(other) !== own);
  }
}
