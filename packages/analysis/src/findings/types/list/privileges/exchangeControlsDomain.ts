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
    risk: 'Anyone who takes over one Exchange server, or administers one, can give themselves every right in the domain. Exchange has not needed these rights on the domain object since its updates of February 2019.',
    fix: 'Update Exchange, and let its setup remove the rights (Setup /PrepareAD and /PrepareDomain); change to split permissions if Exchange does not have to create accounts.',
    steps: [
      'List the Exchange servers and their versions; each has to have at least the cumulative update of February 2019.',
      'Export the access list of the domain object and of AdminSDHolder, and note which entries name groups of Exchange.',
      'Run Setup /PrepareAD and then /PrepareDomain of the newest cumulative update: they limit the entries to the objects that Exchange manages.',
      'Remove entries that are still there on AdminSDHolder, and those for full control, WriteDacl or WriteOwner on the domain object itself.',
      'Where no Exchange server is left, remove the entries and then the groups of Exchange.',
    ],
    verify: [
      'The access lists of the domain object and of AdminSDHolder have no entry of a group of Exchange with full control, WriteDacl or WriteOwner that applies to this object.',
      'A test mailbox can be created, and a distribution group changed, with the tools of Exchange.',
    ],
    care: 'If they are removed by hand on an old version, the rights come back with the next setup, or mailboxes can no longer be created and groups no longer be changed in Exchange. With split permissions, accounts are made with the tools of the directory only.',
    prevent: 'Look at both access lists after each setup of Exchange.',
  },
  what: 'A group of Exchange that belongs to Tier Zero controls this object: the domain, or AdminSDHolder, whose permissions all protected accounts get.',
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
