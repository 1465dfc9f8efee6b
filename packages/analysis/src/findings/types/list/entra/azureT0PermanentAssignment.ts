import { roleAssignments } from '../../families/cloud.ts';
import type { ListFindingType } from '../../findingType.ts';
import { holdersOfTierZeroRoles, PERMANENT_READS, permanentRolesOf, TIER_ZERO_SAFEGUARD } from './common.ts';

/** Emergency accounts intentionally have permanent roles; usual names of these accounts. */
const EMERGENCY_ACCOUNT = /BREAK.?GLASS|EMERGENCY/;

export const azureT0PermanentAssignment = {
  kind: 'list',
  id: 'AzureT0PermanentAssignment',
  title: 'Permanent Assignment of Tier Zero Role',
  ...TIER_ZERO_SAFEGUARD,
  floor: 'moderate',
  family: roleAssignments,
  remedy: {
    risk: 'Anyone who takes over the account has the role immediately, at any time.',
    fix: 'Make the assignment eligible, with an end date; keep permanent assignments only for break-glass accounts. This lowers the risk, but leaves the attack path: remove assignments that the work does not need.',
  },
  what: 'A user or group holds a Tier Zero role without being eligible for it. Collections do not tell an activated role of an eligible holder from a permanent one, so such holders are not listed.',
  needs: [],
  reads: { edges: PERMANENT_READS },
  // Service principals cannot activate a role; another finding covers them.
  find: (facts) =>
    holdersOfTierZeroRoles(facts)
      .and(facts.of('AZUser').or(facts.of('AZGroup')))
      .filter((node) => permanentRolesOf(facts, node).length > 0)
      .filter((node) => !EMERGENCY_ACCOUNT.test(facts.name(node).toUpperCase())),
} as const satisfies ListFindingType;
