/** Helpers shared by several findings of this folder. */
import type { NodeSet } from '@clew/graph';
import type { FindingFacts } from '../../../findingFacts.ts';

export const KRBTGT = '-502';

export const GUEST = '-501';

export const YEAR = 365;

/** Number of days without a logon after which a service account counts as unused. */
export const UNUSED_DAYS = 90;

/** Texts for passwords that never expire: their age counts as soon as the setting is cleared. */
export const EXPIRING = {
  steps: [
    'List the accounts and their owners, and find every place where the password is stored.',
    'Set a new password together with the owner before you clear the setting. A password that is older than the maximum age of the policy expires at once.',
    'Clear the setting.',
    'Replace service accounts with managed accounts, or give them their own fine-grained password policy. Plan the password changes of break-glass accounts: an expired password fails in an emergency.',
  ],
  care: 'If the password is older than the maximum age of the policy, it expires as soon as the setting is cleared. Services, scheduled tasks and break-glass accounts then fail to log on until someone sets a new password: set it first, in every place where it is stored.',
} as const;

export function neverExpiring(facts: FindingFacts): NodeSet {
  return facts.enabled(facts.users).and(facts.is('pwdneverexpires', true)).andNot(facts.managed());
}

/** Enabled computers, without domain controllers and accounts whose password Windows renews. */
export function ordinaryComputers(facts: FindingFacts): NodeSet {
  return facts.enabled(facts.computers).andNot(facts.controllers).andNot(facts.managed());
}

/** Enabled accounts made for a person or service, not used for this many days, and without a session. */
export function unused(facts: FindingFacts, accounts: NodeSet, days: number): NodeSet {
  const sessions = facts.edges('HasSession');
  return facts
    .enabled(accounts)
    .filter(
      (node) => facts.unusedFor(node, days) && !facts.isBuiltIn(node) && sessions.startsOf(node).isEmpty,
    );
}
