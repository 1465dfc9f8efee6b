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
    risk: 'On controllers without the update of August 2025, who creates a delegated managed service account can name any account as the one it succeeds, and gets the rights of that one. Whether a controller is updated is not collected.',
    fix: 'Update the controllers (CVE-2025-53779), and remove the right to create objects from everyone who does not need it.',
  },
  what: 'The domain has a controller that knows delegated managed service accounts, and a principal outside Tier Zero may create objects in this unit or container.',
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
