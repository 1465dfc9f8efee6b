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
    risk: 'What the value gives access to is not known: its domain was not collected, and no collected domain has a trust with it. Mostly it no longer exists, and the value is left over.',
    fix: 'Find out which domain it was; clear the value if the migration is over, or collect that domain.',
    steps: [
      'Ask when the accounts were migrated, and from which domain. All accounts with the same beginning of the SID came from one.',
      'If the domain still exists, collect it, so that its rights are known.',
      'If it no longer exists, look for servers moved from it whose files still name the old SIDs, and grant the access to the new ones.',
      'Clear the attribute in small batches.',
    ],
    care: 'Access to files and mailboxes that still name the old SID is lost. Keep a list of the old values, so that you can find out which account lost something.',
  },
  what: 'The SID history of an account holds a SID of a domain that was not collected and that no collected domain trusts.',
  needs: ['sidhistory'],
  reads: { shared: [domains] },
  find: (facts) => {
    const known = facts.context.use(domains);
    return accountsWithHistory(facts, () => true).filter((account) =>
      formerDomainsOf(facts, account).some((sid) => known.bySid(sid) === NO_NODE),
    );
  },
} as const satisfies ListFindingType;
