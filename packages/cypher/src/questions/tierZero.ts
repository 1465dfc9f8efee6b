import type { QuestionOfCategory } from './question.ts';

export const TIER_ZERO_QUESTIONS: readonly QuestionOfCategory[] = [
  {
    key: 'tier-zero',
    question: 'What is in Tier Zero?',
    description:
      'All objects that control an environment, by kind. Anyone who controls one of them controls the environment.',
    advice:
      'Review the whole list once. Remove objects that should not be in it from the groups and roles that cause this.',
    query:
      'MATCH (n:Tag_Tier_Zero) RETURN n.name, labels(n)[0] AS kind, n.objectid ORDER BY kind, n.name LIMIT 1000',
  },
  {
    key: 'tier-zero-users-disabled',
    question: 'Which accounts in Tier Zero are disabled, and could be removed from it?',
    description: 'A disabled account keeps its memberships. Anyone who can enable it gets them immediately.',
    advice: 'Remove them from their privileged groups, or delete them.',
    query:
      'MATCH (u:User:Tag_Tier_Zero) WHERE u.enabled = false RETURN u.name, u.lastlogontimestamp ORDER BY u.name LIMIT 1000',
  },
  {
    key: 'tier-zero-inactive',
    question: 'Which enabled accounts in Tier Zero have not signed in for 90 days?',
    description: 'Privileged accounts that no one uses: no one notices if someone else uses them.',
    advice: 'Ask their owners, disable the accounts, and remove them from their groups.',
    query:
      'MATCH (u:User:Tag_Tier_Zero) WHERE u.enabled = true AND u.lastlogontimestamp < datetime().epochseconds - 90 * 86400 RETURN u.name, u.lastlogontimestamp ORDER BY u.lastlogontimestamp LIMIT 1000',
  },
  {
    key: 'tier-zero-computers-inactive',
    question: 'Which enabled computers in Tier Zero have not signed in for 90 days?',
    description:
      'Computers that store Tier Zero secrets and may be turned off, forgotten, or restored from a copy.',
    advice: 'Retire them: remove their accounts and their rights, and wipe their disks.',
    query:
      'MATCH (c:Computer:Tag_Tier_Zero) WHERE c.enabled = true AND c.lastlogontimestamp < datetime().epochseconds - 90 * 86400 RETURN c.name, c.lastlogontimestamp ORDER BY c.lastlogontimestamp LIMIT 1000',
  },
  {
    key: 'tier-zero-not-protected',
    question: 'Which enabled users in Tier Zero are not in Protected Users?',
    description:
      'Members of Protected Users leave no reusable secrets on the computers that they sign in to, and cannot be delegated.',
    advice: 'Add people to Protected Users after a test; service accounts need another protection.',
    query:
      "MATCH (u:User:Tag_Tier_Zero) WHERE u.enabled = true AND NOT EXISTS { (u)-[:MemberOf*1..]->(g:Group) WHERE g.objectid ENDS WITH '-525' } RETURN u.name ORDER BY u.name LIMIT 1000",
  },
  {
    key: 'tier-zero-delegable',
    question: 'Which enabled users in Tier Zero can be delegated?',
    description:
      'A computer with delegation can act as them: they are neither marked as sensitive nor in Protected Users.',
    advice: 'Mark each of them as "Account is sensitive and cannot be delegated".',
    query:
      "MATCH (u:User:Tag_Tier_Zero) WHERE u.enabled = true AND u.sensitive = false AND NOT EXISTS { (u)-[:MemberOf*1..]->(g:Group) WHERE g.objectid ENDS WITH '-525' } RETURN u.name ORDER BY u.name LIMIT 1000",
  },
  {
    key: 'tier-zero-password-never-expires',
    question: 'Which users in Tier Zero have a password that never expires?',
    description: 'The longer a password stays unchanged, the more places have stored it.',
    advice:
      'Clear the setting and change the passwords; convert service accounts to group managed service accounts.',
    query:
      'MATCH (u:User:Tag_Tier_Zero) WHERE u.enabled = true AND u.pwdneverexpires = true RETURN u.name, u.pwdlastset ORDER BY u.pwdlastset LIMIT 1000',
  },
  {
    key: 'tier-zero-sessions',
    question: 'On which computers outside of Tier Zero are its users signed in?',
    description: 'Anyone who administers such a computer can take over the session and the account.',
    advice: 'Allow privileged users to sign in only to privileged computers, and deny all others by policy.',
    query:
      'MATCH p = (c:Computer)-[:HasSession]->(u:User:Tag_Tier_Zero) WHERE NOT c:Tag_Tier_Zero RETURN p LIMIT 1000',
  },
  {
    key: 'tier-zero-service-accounts',
    question: 'Which accounts in Tier Zero have a service principal name?',
    description:
      'Every user of the domain can request a ticket for them and guess their passwords without being noticed.',
    advice:
      'Remove the name, or replace the account with a group managed service account outside of Tier Zero.',
    query:
      'MATCH (u:User:Tag_Tier_Zero) WHERE u.hasspn = true AND u.enabled = true RETURN u.name, u.serviceprincipalnames ORDER BY u.name LIMIT 1000',
  },
  {
    key: 'domain-admins',
    question: 'Who is a domain administrator, directly or through groups?',
    description: 'All members of Domain Admins, with the groups that make them members.',
    advice: 'Five are already many. Remove people who need fewer rights, and remove all groups.',
    query:
      "MATCH p = (u:Base)-[:MemberOf*1..]->(g:Group) WHERE g.objectid ENDS WITH '-512' AND (u:User OR u:Computer) RETURN p LIMIT 1000",
  },
  {
    key: 'operators',
    question: 'Who is in the built-in operator groups?',
    description:
      'Account, Server, Print and Backup Operators can take over domain controllers, although their names do not suggest this.',
    advice: 'Empty these groups: delegate the tasks of their members to your own groups.',
    query:
      "MATCH p = (m:Base)-[:MemberOf*1..]->(g:Group) WHERE g.objectid ENDS WITH '-S-1-5-32-548' OR g.objectid ENDS WITH '-S-1-5-32-549' OR g.objectid ENDS WITH '-S-1-5-32-550' OR g.objectid ENDS WITH '-S-1-5-32-551' RETURN p LIMIT 1000",
  },
  {
    key: 'forest-administrators',
    question: 'Who is an enterprise or schema administrator?',
    description: 'These groups control the whole forest. They are needed only for a few changes a year.',
    advice: 'Keep both groups empty, and add a member only for the duration of a change.',
    query:
      "MATCH p = (u:Base)-[:MemberOf*1..]->(g:Group) WHERE (g.objectid ENDS WITH '-518' OR g.objectid ENDS WITH '-519') AND (u:User OR u:Computer) RETURN p LIMIT 1000",
  },
];
