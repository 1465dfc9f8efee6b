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
    risk: 'Who read the password once keeps the account, although such accounts are used because their passwords change by themselves.',
    fix: 'Find out why the password does not change: the interval of the account, the hosts that use it, or the root key of the key distribution service.',
    steps: [
      'Read the interval of the account (Get-ADServiceAccount -Properties msDS-ManagedPasswordInterval). It is set once, when the account is made; collectors do not read it by default.',
      'If the interval is longer than you want, make a new account with 30 days and move the services to it.',
      'Else test the account on each host that uses it (Test-ADServiceAccount), and read the errors of the controllers.',
      'If somebody outside may have read the password, make a new account at once: the old password cannot be reset by hand.',
    ],
    verify: ['The date of the last password change is within the interval, and the services still run.'],
    care: 'A service that runs under the account stops when it is moved to an account that its host may not read.',
    prevent: 'Create managed accounts with the interval of 30 days, and look at the dates every quarter.',
    references: [REFERENCE.managedAccounts],
  },
  what: 'A managed service account logged on lately, but its password has not changed for 90 days.',
  needs: ['pwdlastset'],
  find: (facts) =>
    facts
      .enabled(facts.managed())
      .filter((node) => facts.olderThan('pwdlastset', node, DAYS) && facts.usedWithin(node, UNUSED_DAYS)),
} as const satisfies ListFindingType;
