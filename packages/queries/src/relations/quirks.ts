/**
 * Differences between the read side and the original, and the switch between both. `clean` is the default: the answers that a defender
 * needs. `parity` repeats the original for comparisons; differences that only hide or lose something are not repeated.
 *
 * | topic | original | clean | parity |
 * | --- | --- | --- | --- |
 * | last steps of a walk | a node met twice counts as an end of the walk and slips into lists of ends | set semantics, each node judged by its own edges | clean |
 * | delegation chains | A -> B -> C lists only C for A | B and C | repeated |
 * | objects in an OU that contain objects | missing from the lists of the OU | listed | repeated |
 * | policies of objects in containers (CN=Users) | none | those of the places above | repeated |
 * | blocked inheritance | shields only units nested below the blocking one | shields all in and below it, as for exposure | repeated |
 * | foreign administrators, foreign policy controllers | the walk below a group follows edges of any kind | membership only | clean |
 * | outsiders of domains never collected | lost where `domainsid` is missing | judged by their SID | clean |
 * | graph of DC syncers | paths over GetChanges to any domain | the DCSync edges listed | clean |
 * | graph of a list | every node of every path | the entries; objects between with `connecting=true` | clean |
 * | ADCSESC15, ADCSESC16 among the escalations | absent | listed when an analysis makes it | clean |
 * | `type=count` | 400 | empty page with the count | clean |
 * | `sort_by` of related lists | ignored | sorts | clean |
 * | unknown object, `skip` past the end of a related list | 500 | 200, empty page | clean |
 * | fuzzy graph-search | omits the exactly named object | includes it | repeated |
 * | search by several types | a node of two of them appears twice | once | clean |
 * | Azure: outbound control of containers | containers with contents are left out, as are groups in other groups | listed, with the content | containers are left out |
 * | Azure: execution rights | the walk goes on from a device reached | ends there | clean |
 * | Azure: assignments of app roles | followed as a chain | one step | clean |
 * | Azure: readers of vaults | owners of owners | owners of the vault | clean |
 * | Azure: `pim-assignments` | follows kinds nothing makes | eligibility | clean |
 * | Azure: `descendent-function-apps` | 404 | listed | clean |
 * | Azure: `skip` past the end | 400 | 200, empty page | clean |
 * | Azure: unknown object with a related type | 500 | 404 | clean |
 * | Azure: counts with `counts=false` | 0 | absent: 0 would read as "none" | clean |
 * | shortest path without `only_traversable` | every kind is walked | traversable kinds, unless kinds are named: asked for is a way to control | clean |
 *
 * Sources: `docs/reference/queries.md#related-lists`, `docs/reference/queries.md#search` and `docs/reference/queries.md#paths`,
 * `docs/reference/azurehound.md#entity-lists` and `docs/reference/api.md#errors` and `docs/reference/api.md#filters-and-sorting`.
 */

import type { RelatedListKey } from '@clew/api';
import type { RulesMode } from '@clew/model';
import { AZURE_LISTS, AZURE_PARITY, type AzureListKey } from './azureLists.ts';
import { endsChain, isTierZeroObject } from './conditions.ts';
import { affectedBy, affectingPolicies, RELATED_LISTS, UNITS_BELOW } from './relatedLists.ts';
import { closure, type Relation } from './relation.ts';

const policiesOutsideContainers = affectingPolicies(['Domain', 'OU'], UNITS_BELOW);
const lastDelegationTargets = closure('out', ['AllowedToDelegate'], {
  keep: endsChain('out', 'AllowedToDelegate'),
});
const containedLeaves = (kind: 'User' | 'Group' | 'Computer'): Relation =>
  closure('out', ['Contains'], { kinds: [kind], keep: endsChain('out', 'Contains') });

/** Key of any related list. */
export type ListKey = RelatedListKey | AzureListKey;

const CLEAN: Readonly<Record<ListKey, Relation>> = { ...RELATED_LISTS, ...AZURE_LISTS };

const PARITY: Readonly<Partial<Record<ListKey, Relation>>> = {
  ...AZURE_PARITY,
  'users/constrained-delegation-rights': lastDelegationTargets,
  'computers/constrained-delegation-rights': lastDelegationTargets,
  'computers/constrained-users': closure('in', ['AllowedToDelegate'], {
    keep: endsChain('in', 'AllowedToDelegate'),
  }),
  'users/gpos': policiesOutsideContainers,
  'computers/gpos': policiesOutsideContainers,
  'ous/gpos': policiesOutsideContainers,
  'domains/linked-gpos': policiesOutsideContainers,
  'gpos/ous': affectedBy({ kinds: ['OU', 'Domain'] }, UNITS_BELOW),
  'gpos/computers': affectedBy({ kinds: ['Computer'] }, UNITS_BELOW),
  'gpos/users': affectedBy({ kinds: ['User'] }, UNITS_BELOW),
  'gpos/tier-zero': affectedBy({ keep: isTierZeroObject }, UNITS_BELOW),
  'ous/users': containedLeaves('User'),
  'ous/groups': containedLeaves('Group'),
  'ous/computers': containedLeaves('Computer'),
};

/** @returns how a related list is computed under these rules */
export function relationOf(list: ListKey, rules: RulesMode): Relation {
  return (rules === 'parity' ? PARITY[list] : undefined) ?? CLEAN[list];
}
