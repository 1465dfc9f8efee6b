import { addCount } from '@clew/graph';
import type { FindingFacts } from '../../../findingFacts.ts';
import { staleAccounts } from '../../families/accounts.ts';
import { classed, type ListFindingType } from '../../findingType.ts';

/** The key account that Windows creates for a read-only controller. The account of Entra Kerberos has no number. */
const KEY_ACCOUNT = /^KRBTGT_\d+@/i;

/** Represents Entra ID, and has a key account with another name. */
const ENTRA_KERBEROS = /^AZUREADKERBEROS\b/i;

export const rodcKrbtgtOrphaned = {
  kind: 'list',
  id: 'RodcKrbtgtOrphaned',
  title: 'Key Account Without Its Read-Only Controller',
  ...classed({ platform: 'ad', category: 'KR', scope: 'hygiene', nature: 'safeguard', floor: 'low' }),
  family: staleAccounts,
  remedy: {
    risk: 'The key of a read-only controller that was stolen or removed still signs tickets for the accounts it was allowed to keep, for as long as the account exists.',
    fix: 'Find out which key account no read-only controller uses, and delete that one.',
    steps: [
      'List the read-only controllers with the key account of each (Get-ADComputer -LDAPFilter "(msDS-KrbTgtLink=*)" -Properties msDS-KrbTgtLink).',
      'For each key account that none of them names, find out whether its controller was removed, lost or stolen.',
      'If the controller was lost or stolen, reset the passwords that it had stored first.',
      'Delete the key account. Windows deletes it by itself when a read-only controller is removed the usual way.',
    ],
    verify: ['Each account krbtgt_NUMBER is named by msDS-KrbTgtLink of a read-only controller that runs.'],
    care: 'If you delete the account of a read-only controller that runs, users of its site can no longer log on there. Where the domain has more key accounts than read-only controllers, some of them are in use: check each.',
    prevent: 'Remove read-only controllers with the tools of Windows, not by deleting their computer.',
  },
  what: 'The domain has more accounts named krbtgt_NUMBER, which hold the keys of read-only controllers, than read-only controllers.',
  needs: ['isreadonlydc'],
  find: (facts) => {
    const accounts = facts.named(facts.users, 'KRBTGT_').filter((node) => KEY_ACCOUNT.test(facts.name(node)));
    if (accounts.isEmpty) return accounts;
    const controllers = countByDomain(
      facts,
      [...facts.readOnlyControllers()].filter((node) => !ENTRA_KERBEROS.test(facts.name(node))),
    );
    const known = countByDomain(facts, [...accounts]);
    return accounts.filter((account) => {
      const domain = facts.domainOf(account);
      return (known.get(domain) ?? 0) > (controllers.get(domain) ?? 0);
    });
  },
} as const satisfies ListFindingType;

function countByDomain(facts: FindingFacts, nodes: readonly number[]): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  for (const node of nodes) {
    const domain = facts.domainOf(node);
    addCount(counts, domain);
  }
  return counts;
}
