/** Helpers and the classification shared by several findings of this folder. */
import { NodeSet } from '@clew/graph';
import { RoleTemplate } from '../../../../azure/roleTemplates.ts';
import { TENANTS } from '../../../../azure/tenants.ts';
import type { FindingFacts } from '../../../findingFacts.ts';
import { classed } from '../../findingType.ts';

/** Tier Zero of a tenant lacks a safeguard. */
export const TIER_ZERO_SAFEGUARD = classed({
  platform: 'azure',
  category: 'EN',
  scope: 'tier-zero',
  nature: 'safeguard',
});

export function tierZeroUsers(facts: FindingFacts): NodeSet {
  return facts.of('AZUser').and(facts.tierZero);
}

export function tierZeroApps(facts: FindingFacts): NodeSet {
  return facts.of('AZApp').and(facts.tierZero);
}

export function rolesWithout(facts: FindingFacts, requirement: string): NodeSet {
  return facts.of('AZRole').and(facts.tierZero).and(facts.is(requirement, false));
}

export function holdersOfTierZeroRoles(facts: FindingFacts): NodeSet {
  return facts.edges('AZHasRole').startsOfAny(facts.of('AZRole').and(facts.tierZero));
}

/** Collectors list an activated role like a permanent one: only its eligible assignment tells them apart. */
export const PERMANENT_READS = ['AZHasRole', 'AZRoleEligible', 'AZMemberOf'] as const;

/** @returns Tier Zero roles of a principal that it does not hold by activation: neither it nor a group with it is eligible for them */
export function permanentRolesOf(facts: FindingFacts, holder: number): number[] {
  const eligible = new Set<number>();
  const addEligible = (principal: number): void =>
    facts.edges('AZRoleEligible').outOf(principal, (role) => eligible.add(role));
  addEligible(holder);
  facts.edges('AZMemberOf').outOf(holder, (group) => addEligible(group));
  const found: number[] = [];
  facts.edges('AZHasRole').outOf(holder, (role) => {
    if (facts.tierZero.has(role) && !eligible.has(role)) found.push(role);
  });
  return found;
}

export function rolesByTemplate(facts: FindingFacts, template: string): NodeSet {
  const roles = facts.context
    .use(TENANTS)
    .flatMap(({ rolesByTemplate }) => rolesByTemplate.get(template) ?? []);
  return NodeSet.of(facts.context.graph.nodeCount, roles);
}

/** Tenants whose number of enabled global administrators, active or eligible, passes the test. */
export function tenantsWhere(facts: FindingFacts, test: (administrators: number) => boolean): NodeSet {
  const tenants = facts.context.use(TENANTS).filter(({ rolesByTemplate }) => {
    const roles = rolesByTemplate.get(RoleTemplate.globalAdministrator);
    // A tenant whose roles were not collected has no known administrators, which proves nothing.
    return roles !== undefined && test(administratorsOf(facts, roles));
  });
  return NodeSet.of(
    facts.context.graph.nodeCount,
    tenants.map(({ node }) => node),
  );
}

/** Number of holders, including direct members of holder groups: roles are not inherited through nested groups. */
export function administratorsOf(facts: FindingFacts, roles: readonly number[]): number {
  const holders = facts
    .edges('AZHasRole', 'AZRoleEligible')
    .startsOfAny(NodeSet.of(facts.context.graph.nodeCount, roles));
  const members = facts.edges('AZMemberOf').startsOfAny(holders.and(facts.of('AZGroup')));
  const accounts = facts.of('AZUser').or(facts.of('AZServicePrincipal'));
  return holders.or(members).and(accounts).andNot(facts.is('enabled', false)).size;
}
