import { roleAssignments } from '../../families/cloud.ts';
import type { ListFindingType } from '../../findingType.ts';
import { holdersOfTierZeroRoles, TIER_ZERO_SAFEGUARD } from './common.ts';

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
    fix: 'Make the assignment eligible, with an end date; keep permanent assignments only for break-glass accounts.',
  },
  what: 'A principal holds a Tier Zero role permanently instead of activating it.',
  needs: [],
  reads: { edges: ['AZHasRole'] },
  // Service principals cannot activate a role; another finding covers them.
  find: (facts) =>
    holdersOfTierZeroRoles(facts)
      .and(facts.of('AZUser').or(facts.of('AZGroup')))
      .filter((node) => !EMERGENCY_ACCOUNT.test(facts.name(node).toUpperCase())),
} as const satisfies ListFindingType;
