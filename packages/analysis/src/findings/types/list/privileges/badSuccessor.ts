import { EdgeFlag } from '@clew/model';
import type { FindingFacts } from '../../../findingFacts.ts';
import { accessRights } from '../../families/directory.ts';
import { classed, type ListFindingType } from '../../findingType.ts';

/** Each of these allows creating any object there. Rights to create single classes are not collected. */
export const CREATION = ['GenericAll', 'Owns', 'WriteDacl', 'WriteOwner'] as const;

/** Controllers of this version support delegated managed service accounts; one is enough. Source: Microsoft, CVE-2025-53779. */
const DELEGATED_ACCOUNTS = /2025/;

export const badSuccessor = {
  kind: 'list',
  id: 'BadSuccessor',
  title: 'Container Where Outsiders May Create Delegated Service Accounts',
  ...classed({ platform: 'ad', category: 'LP', scope: 'hygiene', nature: 'opening' }),
  effort: 2,
  floor: 'moderate',
  family: accessRights,
  remedy: {
    risk: 'On domain controllers without the update of August 2025, anyone who can create a delegated managed service account can make it the successor of any account and gets the rights of that account. Whether a domain controller has the update is not collected.',
    fix: 'Update the domain controllers (CVE-2025-53779), and remove the right to create objects from all principals that do not need it.',
  },
  what: 'The domain has a domain controller that supports delegated managed service accounts, and a principal outside Tier Zero can create objects in this organizational unit or container.',
  needs: ['operatingsystem'],
  reads: { edges: CREATION },
  find: (facts) => {
    const domains = new Set(
      facts.controllers
        .filter((controller) => DELEGATED_ACCOUNTS.test(facts.text('operatingsystem', controller)))
        .toArray()
        .map((controller) => facts.domainOf(controller)),
    );
    return facts
      .of('OU')
      .or(facts.of('Container'))
      .filter((container) => domains.has(facts.domainOf(container)) && hasOutsideCreator(facts, container));
  },
  usedBy: (facts, container) =>
    facts
      .edges(...CREATION)
      .startsOf(container)
      .andNot(facts.tierZero),
} as const satisfies ListFindingType;

/** An inherited right is reported at its source. */
function hasOutsideCreator(facts: FindingFacts, container: number): boolean {
  let found = false;
  facts.edges(...CREATION).into(container, (holder, _, flags) => {
    if ((flags & EdgeFlag.Inherited) === 0 && !facts.tierZero.has(holder)) found = true;
  });
  return found;
}
