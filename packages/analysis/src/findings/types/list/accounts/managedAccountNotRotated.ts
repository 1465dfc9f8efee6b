import { managedPasswords } from '../../families/directory.ts';
import { REFERENCE } from '../../family.ts';
import { classed, type ListFindingType } from '../../findingType.ts';
import { UNUSED_DAYS } from './common.ts';

/** Three times the 30-day interval at which a controller renews such a password by default. */
const DAYS = 90;

export const managedAccountNotRotated = {
  kind: 'list',
  id: 'ManagedAccountNotRotated',
  title: 'Managed Service Account Whose Password Is Not Renewed',
  ...classed({ platform: 'ad', category: 'AH', scope: 'hygiene', nature: 'safeguard', floor: 'low' }),
  family: managedPasswords,
  remedy: {
    risk: 'Anyone who read the password once can keep using the account. Managed accounts exist to prevent this, because their passwords change automatically.',
    fix: "Find out why the password does not change. Possible reasons are the account's interval, the hosts that use it, or the root key of the Key Distribution Service.",
    steps: [
      'Read the interval of the account (Get-ADServiceAccount -Properties msDS-ManagedPasswordInterval). It is set when the account is created and cannot be changed; collectors do not read it by default.',
      'If the interval is too long, create a new account with an interval of 30 days, and move the services to it.',
      'Otherwise test the account on each host that uses it (Test-ADServiceAccount), and check the errors on the domain controllers.',
      'If someone unauthorized may have read the password, create a new account immediately: you cannot reset the old password manually.',
    ],
    verify: ['The password was changed within the interval, and the services still run.'],
    care: 'A service stops if you move it to an account whose password its host cannot read.',
    prevent:
      'Create managed accounts with an interval of 30 days, and check the dates of their password changes every quarter.',
    references: [REFERENCE.managedAccounts],
  },
  what: 'A managed service account logged on recently, but its password has not changed for 90 days.',
  needs: ['pwdlastset'],
  find: (facts) =>
    facts
      .enabled(facts.managed())
      .filter((node) => facts.olderThan('pwdlastset', node, DAYS) && facts.usedWithin(node, UNUSED_DAYS)),
} as const satisfies ListFindingType;
