import { type NodeSet, reachableNodes } from '@clew/graph';
import type { FindingFacts } from '../../../findingFacts.ts';
import { permissionInheritance } from '../../families/accounts.ts';
import { classed, type ListFindingType } from '../../findingType.ts';
import { CONTROL_RIGHTS } from './common.ts';

export const t0InheritanceEnabled = {
  kind: 'list',
  id: 'T0InheritanceEnabled',
  title: 'Tier Zero Objects That Inherit Permissions',
  ...classed({ platform: 'ad', category: 'LP', scope: 'tier-zero', nature: 'safeguard', floor: 'low' }),
  family: permissionInheritance,
  remedy: {
    risk: 'Anyone who is delegated on the unit gains the same right on the privileged object below it.',
    fix: 'Move the object to a unit of Tier Zero that is not delegated, or block inheritance on it.',
    steps: [
      'On the unit, check which principals outside the zone have rights that are inherited.',
      'Move the object to a unit that only the zone administers; domain controllers stay in the unit Domain Controllers.',
      'Where it must stay, copy the entries it needs first, those of backup and password management among them, and then block inheritance.',
    ],
  },
  what: 'A Tier Zero user, group or computer inherits permissions from a unit that is delegated outside Tier Zero.',
  needs: ['isaclprotected'],
  reads: {
    edges: ['GenericAll', 'GenericWrite', 'WriteDacl', 'WriteOwner', 'Owns', 'AllExtendedRights', 'Contains'],
  },
  find: inheritingBelowDelegatedUnits,
} as const satisfies ListFindingType;

function inheritingBelowDelegatedUnits(facts: FindingFacts): NodeSet {
  const inheriting = facts.users
    .or(facts.groups)
    .or(facts.computers)
    .and(facts.tierZero)
    .and(facts.is('isaclprotected', false));
  if (inheriting.isEmpty) return inheriting;
  const rights = facts.edges(...CONTROL_RIGHTS);
  const delegated = facts.of('OU').filter((unit) => !rights.startsOf(unit).isSubsetOf(facts.tierZero));
  const { graph, cancel } = facts.context;
  const below = reachableNodes(graph, delegated, { filter: facts.edges('Contains').filter, cancel });
  return inheriting.and(below);
}
