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
    risk: 'Anyone with delegated rights on the organizational unit has the same rights on the privileged object.',
    fix: 'Move the object to a Tier Zero organizational unit without delegation, or block inheritance on it.',
    steps: [
      'On the organizational unit, check which principals outside the zone have inheritable rights.',
      'Move the object to an organizational unit that only the zone administers; domain controllers must stay in the organizational unit Domain Controllers.',
      'If it has to stay, first copy the entries that it needs, including the entries of backup and password management, and then block inheritance.',
    ],
  },
  what: 'A Tier Zero user, group or computer inherits permissions from an organizational unit that is delegated outside Tier Zero.',
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
