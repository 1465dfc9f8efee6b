import { NodeSet } from '@clew/graph';
import { domains } from '../../../../directory/domains.ts';
import { sidHistory } from '../../families/directory.ts';
import { classed, type ListFindingType } from '../../findingType.ts';
import { accountsWithHistory, domainSid, formerDomainsOf } from './common.ts';

export const sidHistoryOwnDomain = {
  kind: 'list',
  id: 'SIDHistoryOwnDomain',
  title: 'SID History of the Own Domain',
  ...classed({ platform: 'ad', category: 'LP', scope: 'hygiene', nature: 'opening', floor: 'high' }),
  family: sidHistory,
  remedy: {
    risk: 'A migration brings SIDs of another domain. One of the same domain gives the account the rights of another account there, and no tool of Microsoft writes it: somebody may have put it there to come back.',
    fix: 'Find out who wrote the value and when, then clear it.',
    steps: [
      'Read whose SID it is (Get-ADObject -IncludeDeletedObjects -Filter "objectSid -eq \'SID\'"), and what that account may do.',
      'Read when the value was written, from the metadata of the attribute (repadmin /showobjmeta) and from events 4765 and 4766.',
      'Unless somebody can explain it, treat the account, and anyone who could write to the database of a controller, as taken over.',
      "Clear the value (Set-ADObject ACCOUNT -Remove @{sIDHistory='SID'}).",
    ],
    care: 'A few domains have such values because a migration was tested within them, or because a domain was restored under its old SID: then the account loses access that still names the old SID. Grant it again to the account.',
  },
  what: 'The SID history of an account contains a SID of its own domain.',
  needs: ['sidhistory'],
  reads: { shared: [domains] },
  find: (facts) =>
    accountsWithHistory(facts, () => true).filter((account) => {
      const own = domainSid(facts, account);
      return own !== undefined && formerDomainsOf(facts, account).includes(own);
    }),
  // Principals that control the account.
  usedBy: ({ context }, account) => NodeSet.of(context.graph.nodeCount, [account]),
} as const satisfies ListFindingType;
