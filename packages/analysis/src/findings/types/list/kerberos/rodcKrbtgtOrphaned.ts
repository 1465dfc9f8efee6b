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
    risk: 'If a read-only domain controller was stolen or removed, its key still signs tickets for the accounts that it could cache, until the key account is deleted.',
    fix: 'Find the key account that no read-only domain controller uses, and delete it.',
    steps: [
      'List the read-only domain controllers with their key accounts (Get-ADComputer -LDAPFilter "(msDS-KrbTgtLink=*)" -Properties msDS-KrbTgtLink).',
      'For each key account that no read-only domain controller uses, find out whether its domain controller was removed, lost or stolen.',
      'If the domain controller was lost or stolen, first reset the passwords that it had stored.',
      'Delete the key account. Windows deletes it automatically when you demote a read-only domain controller normally.',
    ],
    verify: [
      'Each account krbtgt_NUMBER is the value of msDS-KrbTgtLink on a running read-only domain controller.',
    ],
    care: 'If you delete the key account of a running read-only domain controller, users at its site can no longer log on there. Only some of the key accounts are unused: check each one.',
    prevent:
      'Remove read-only domain controllers with Windows tools, not by deleting their computer accounts.',
  },
  what: 'The domain has more key accounts of read-only domain controllers (named krbtgt_NUMBER) than read-only domain controllers.',
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
