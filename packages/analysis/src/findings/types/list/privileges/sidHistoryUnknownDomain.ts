import { NO_NODE } from '@clew/graph';
import { domains } from '../../../../directory/domains.ts';
import { sidHistory } from '../../families/directory.ts';
import { classed, type ListFindingType } from '../../findingType.ts';
import { accountsWithHistory, formerDomainsOf } from './common.ts';

export const sidHistoryUnknownDomain = {
  kind: 'list',
  id: 'SIDHistoryUnknownDomain',
  title: 'SID History of an Unknown Domain',
  ...classed({ platform: 'ad', category: 'LP', scope: 'hygiene', nature: 'safeguard', floor: 'low' }),
  family: sidHistory,
  remedy: {
    risk: 'The rights of the value are unknown: its domain was not collected, and no collected domain has a trust with it. Usually the domain no longer exists, and the value is a leftover.',
    fix: 'Find out which domain it was. Clear the value if the migration is over, or collect the domain.',
    steps: [
      'Find out when the accounts were migrated, and from which domain. SIDs that start with the same domain part are from the same domain.',
      'If the domain still exists, collect it to find out its rights.',
      'If it no longer exists, look for migrated servers whose files still name the old SIDs, and grant access to the new SIDs.',
      'Clear the attribute in small batches.',
    ],
    care: 'Access to files and mailboxes that still name the old SID is lost. Keep a list of the old values to find out which account lost access.',
  },
  what: 'The SID history of an account contains a SID of a domain that was not collected and that no collected domain trusts.',
  needs: ['sidhistory'],
  reads: { shared: [domains] },
  find: (facts) => {
    const known = facts.context.use(domains);
    return accountsWithHistory(facts, () => true).filter((account) =>
      formerDomainsOf(facts, account).some((sid) => known.bySid(sid) === NO_NODE),
    );
  },
} as const satisfies ListFindingType;
