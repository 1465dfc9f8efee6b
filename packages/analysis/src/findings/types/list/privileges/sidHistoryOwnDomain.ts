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
    risk: 'A migration adds SIDs of another domain. A SID of the same domain gives the account the rights of another account there, and no Microsoft tool writes it: an attacker may have added it as a backdoor.',
    fix: 'Find out who wrote the value and when, then clear it.',
    steps: [
      'Find the account of the SID (Get-ADObject -IncludeDeletedObjects -Filter "objectSid -eq \'SID\'"), and check its rights.',
      'Find out when the value was written, from the metadata of the attribute (repadmin /showobjmeta) and from events 4765 and 4766.',
      'If no one can explain the value, treat the account as compromised, and also everyone who could write to the database of a domain controller.',
      "Clear the value (Set-ADObject ACCOUNT -Remove @{sIDHistory='SID'}).",
    ],
    care: 'A few domains have such values because a migration was tested within them, or because a domain was restored with its old SID. In this case, the account loses access that still depends on the old SID. Grant this access to the account again.',
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
