import type { FindingFacts } from '../../../findingFacts.ts';
import { accessRights } from '../../families/directory.ts';
import { classed, type ListFindingType } from '../../findingType.ts';
import { adminSdHolders, CONTROL_RIGHTS } from './common.ts';

/** Setup uses these names in every language. */
const EXCHANGE =
  /^(EXCHANGE WINDOWS PERMISSIONS|EXCHANGE TRUSTED SUBSYSTEM|EXCHANGE SERVERS|ORGANIZATION MANAGEMENT)@/i;

export const exchangeControlsDomain = {
  kind: 'list',
  id: 'ExchangeControlsDomain',
  title: 'Exchange May Change the Permissions of the Domain',
  ...classed({ platform: 'ad', category: 'TZ', scope: 'hygiene', nature: 'opening', floor: 'moderate' }),
  family: accessRights,
  remedy: {
    risk: 'Anyone who takes over or administers an Exchange server can grant themselves every right in the domain. Exchange has not needed these rights on the domain object since the cumulative updates of February 2019.',
    fix: 'Update Exchange, and let its setup remove the rights (Setup /PrepareAD and /PrepareDomain). Change to split permissions if Exchange does not have to create accounts.',
    steps: [
      'List the Exchange servers and their versions. Each server needs the cumulative update of February 2019 or later.',
      'Export the access control lists of the domain object and of AdminSDHolder, and record the entries of Exchange groups.',
      'Run Setup /PrepareAD and then /PrepareDomain of the latest cumulative update: they limit the entries to the objects that Exchange manages.',
      'Remove the remaining entries on AdminSDHolder, and the entries for full control, WriteDacl or WriteOwner on the domain object itself.',
      'If no Exchange server remains, remove the entries and then the Exchange groups.',
    ],
    verify: [
      'The access control lists of the domain object and of AdminSDHolder contain no entry of an Exchange group with full control, WriteDacl or WriteOwner that applies to this object.',
      'With Exchange tools, you can create a test mailbox and change a distribution group.',
    ],
    care: 'If you remove the entries manually on an old version, the next setup restores them, or Exchange can no longer create mailboxes and change groups. With split permissions, accounts can be created only with Active Directory tools.',
    prevent: 'Check both access control lists after each Exchange setup.',
  },
  what: 'An Exchange group in Tier Zero controls this object: the domain, or AdminSDHolder, whose permissions are copied to all protected accounts.',
  needs: [],
  reads: { edges: CONTROL_RIGHTS, nodeProperties: ['distinguishedname'] },
  find: (facts) =>
    facts
      .of('Domain')
      .or(adminSdHolders(facts))
      .filter((object) => !exchangeHolders(facts, object).isEmpty),
  usedBy: exchangeHolders,
} as const satisfies ListFindingType;

/** Excludes groups outside Tier Zero, whose relationships have their own findings. */
export function isExchangeOfZone(facts: FindingFacts, group: number): boolean {
  return facts.groups.has(group) && facts.tierZero.has(group) && EXCHANGE.test(facts.name(group));
}

function exchangeHolders(facts: FindingFacts, object: number) {
  return facts
    .edges(...CONTROL_RIGHTS)
    .startsOf(object)
    .filter((group) => isExchangeOfZone(facts, group));
}
