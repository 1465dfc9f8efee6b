/** Helpers shared by several findings of this folder. */
import type { NodeSet } from '@clew/graph';
import type { FindingFacts } from '../../../findingFacts.ts';

export const KRBTGT = '-502';

export const PROTECTED_USERS = '-525';

export function kerberoastable(facts: FindingFacts): NodeSet {
  return facts
    .enabled(facts.users)
    .and(facts.is('hasspn', true))
    .andNot(facts.managed())
    .andNot(facts.withSuffix(facts.users, KRBTGT));
}

export function withoutPreAuthentication(facts: FindingFacts): NodeSet {
  return facts.enabled(facts.users).and(facts.is('dontreqpreauth', true));
}

export function enabledTierZeroUsers(facts: FindingFacts): NodeSet {
  return facts.enabled(facts.users.and(facts.tierZero));
}

export function protectedUsers(facts: FindingFacts): NodeSet {
  return facts.membersOf(facts.withSuffix(facts.groups, PROTECTED_USERS));
}
