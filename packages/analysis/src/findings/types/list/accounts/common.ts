/** Helpers shared by several findings of this folder. */
import type { NodeSet } from '@clew/graph';
import type { FindingFacts } from '../../../findingFacts.ts';

export const KRBTGT = '-502';

export const GUEST = '-501';

export const YEAR = 365;

/** Number of days without a logon after which a service account counts as unused. */
export const UNUSED_DAYS = 90;

export function neverExpiring(facts: FindingFacts): NodeSet {
  return facts.enabled(facts.users).and(facts.is('pwdneverexpires', true)).andNot(facts.managed());
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
