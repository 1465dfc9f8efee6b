import type { QuestionOfCategory } from './question.ts';

export const TIER_ZERO_QUESTIONS: readonly QuestionOfCategory[] = [
  {
    key: 'tier-zero',
    question: 'What is in Tier Zero?',
    description:
      'All objects that control an environment, by kind. Anyone who controls one of them controls the environment.',
    advice:
      'Read it as a whole once. What should not be there is removed from the groups and roles that put it there.',
    query:
      'MATCH (n:Tag_Tier_Zero) RETURN n.name, labels(n)[0] AS kind, n.objectid ORDER BY kind, n.name LIMIT 1000',
  },
  {
    key: 'tier-zero-users-disabled',
    question: 'Which accounts in Tier Zero are disabled, and could be taken out?',
    description: 'A disabled account keeps its memberships. Anyone who may enable it has them at once.',
    advice: 'Remove them from their privileged groups, or delete them.',
    query:
      'MATCH (u:User:Tag_Tier_Zero) WHERE u.enabled = false RETURN u.name, u.lastlogontimestamp ORDER BY u.name LIMIT 1000',
  },
  {
    key: 'tier-zero-inactive',
    question: 'Which enabled accounts in Tier Zero have not signed in for 90 days?',
    description: 'Privileged accounts that no one uses: no one notices when somebody else does.',
    advice: 'Ask their owners, disable them, and take them out of their groups.',
    query:
      'MATCH (u:User:Tag_Tier_Zero) WHERE u.enabled = true AND u.lastlogontimestamp < datetime().epochseconds - 90 * 86400 RETURN u.name, u.lastlogontimestamp ORDER BY u.lastlogontimestamp LIMIT 1000',
  },
  {
    key: 'tier-zero-computers-inactive',
    question: 'Which enabled computers in Tier Zero have not signed in for 90 days?',
    description:
      'Machines that hold secrets of Tier Zero and may be switched off, forgotten, or restored from a copy.',
    advice: 'Retire them: remove their accounts and their rights, and wipe their disks.',
    query:
      'MATCH (c:Computer:Tag_Tier_Zero) WHERE c.enabled = true AND c.lastlogontimestamp < datetime().epochseconds - 90 * 86400 RETURN c.name, c.lastlogontimestamp ORDER BY c.lastlogontimestamp LIMIT 1000',
  },
  {
    key: 'tier-zero-not-protected',
    question: 'Which enabled users in Tier Zero are not in Protected Users?',
    description:
      'Members of Protected Users leave no reusable secrets on the machines they sign in to, and cannot be delegated.',
    advice: 'Add people to Protected Users after a test; service accounts need another way.',
    query:
      "MATCH (u:User:Tag_Tier_Zero) WHERE u.enabled = true AND NOT EXISTS { (u)-[:MemberOf*1..]->(g:Group) WHERE g.objectid ENDS WITH '-525' } RETURN u.name ORDER BY u.name LIMIT 1000",
  },
  {
    key: 'tier-zero-delegable',
    question: 'Which enabled users in Tier Zero may be delegated?',
    description:
      'A machine with delegation can act as them: they are neither marked as sensitive nor in Protected Users.',
    advice: 'Mark each as "sensitive and cannot be delegated".',
    query:
      "MATCH (u:User:Tag_Tier_Zero) WHERE u.enabled = true AND u.sensitive = false AND NOT EXISTS { (u)-[:MemberOf*1..]->(g:Group) WHERE g.objectid ENDS WITH '-525' } RETURN u.name ORDER BY u.name LIMIT 1000",
  },
  {
    key: 'tier-zero-password-never-expires',
    question: 'Which users in Tier Zero have a password that never expires?',
    description: 'The longer a password stays, the more places have seen it.',
    advice: 'Clear the setting and change the passwords; make service accounts group managed ones.',
    query:
      'MATCH (u:User:Tag_Tier_Zero) WHERE u.enabled = true AND u.pwdneverexpires = true RETURN u.name, u.pwdlastset ORDER BY u.pwdlastset LIMIT 1000',
  },
  {
    key: 'tier-zero-sessions',
    question: 'On which computers outside of Tier Zero are its users signed in?',
    description:
      'Anyone who is administrator of such a computer can take over the session, and with it the account.',
    advice: 'Let privileged users sign in at privileged machines only, and forbid the others by policy.',
    query:
      'MATCH p = (c:Computer)-[:HasSession]->(u:User:Tag_Tier_Zero) WHERE NOT c:Tag_Tier_Zero RETURN p LIMIT 1000',
  },
  {
    key: 'tier-zero-service-accounts',
    question: 'Which accounts in Tier Zero have a service principal name?',
    description:
      'Every user of the domain can ask for a ticket to them and guess their passwords without being seen.',
    advice:
      'Remove the name, or replace the account by a group managed service account outside of Tier Zero.',
    query:
      'MATCH (u:User:Tag_Tier_Zero) WHERE u.hasspn = true AND u.enabled = true RETURN u.name, u.serviceprincipalnames ORDER BY u.name LIMIT 1000',
  },
  {
    key: 'domain-admins',
    question: 'Who is a domain administrator, directly or through groups?',
    description: 'All members of Domain Admins, with the groups that lead there.',
    advice: 'Five are many. Remove people whose work needs less, and groups altogether.',
    query:
      "MATCH p = (u:Base)-[:MemberOf*1..]->(g:Group) WHERE g.objectid ENDS WITH '-512' AND (u:User OR u:Computer) RETURN p LIMIT 1000",
  },
  {
    key: 'operators',
    question: 'Who is in the built-in groups of operators?',
    description:
      'Account, Server, Print and Backup Operators can take over domain controllers, though their names say less.',
    advice: 'Empty these groups: what their members do is delegated to groups of your own.',
    query:
      "MATCH p = (m:Base)-[:MemberOf*1..]->(g:Group) WHERE g.objectid ENDS WITH '-S-1-5-32-548' OR g.objectid ENDS WITH '-S-1-5-32-549' OR g.objectid ENDS WITH '-S-1-5-32-550' OR g.objectid ENDS WITH '-S-1-5-32-551' RETURN p LIMIT 1000",
  },
  {
    key: 'forest-administrators',
    question: 'Who is an enterprise or schema administrator?',
    description: 'These groups control the whole forest. They are needed for a few changes a year.',
    advice: 'Keep both groups empty, and add a member for the hour of a change.',
    query:
      "MATCH p = (u:Base)-[:MemberOf*1..]->(g:Group) WHERE (g.objectid ENDS WITH '-518' OR g.objectid ENDS WITH '-519') AND (u:User OR u:Computer) RETURN p LIMIT 1000",
  },
];
