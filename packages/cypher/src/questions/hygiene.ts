import type { QuestionOfCategory } from './question.ts';

export const HYGIENE_QUESTIONS: readonly QuestionOfCategory[] = [
  {
    key: 'not-signed-in-for-90-days',
    question: 'Which enabled users have not signed in for 90 days?',
    description: 'No one notices if someone else changes their passwords.',
    advice: 'Disable them, and delete them later.',
    query:
      'MATCH (u:User) WHERE u.enabled = true AND u.lastlogontimestamp > 0 AND u.lastlogontimestamp < datetime().epochseconds - 90 * 86400 RETURN u.name, u.lastlogontimestamp ORDER BY u.lastlogontimestamp LIMIT 1000',
  },
  {
    key: 'never-signed-in',
    question: 'Which enabled users have never signed in?',
    description: 'Their first password may still be valid, and known to the people who set it.',
    advice: 'Disable them until they are needed.',
    query:
      'MATCH (u:User) WHERE u.enabled = true AND u.lastlogontimestamp <= 0 RETURN u.name, u.whencreated ORDER BY u.whencreated LIMIT 1000',
  },
  {
    key: 'computers-not-seen-for-90-days',
    question: 'Which enabled computers have not signed in for 90 days?',
    description: 'Accounts of computers that may no longer exist, and whose passwords never change.',
    advice: 'Disable the accounts.',
    query:
      'MATCH (c:Computer) WHERE c.enabled = true AND c.lastlogontimestamp > 0 AND c.lastlogontimestamp < datetime().epochseconds - 90 * 86400 RETURN c.name, c.lastlogontimestamp ORDER BY c.lastlogontimestamp LIMIT 1000',
  },
  {
    key: 'old-systems',
    question: 'Which enabled computers run an unsupported version of Windows?',
    description: 'Their known vulnerabilities are no longer fixed.',
    advice: 'Replace them; until then, restrict who can reach them and who signs in there.',
    query:
      "MATCH (c:Computer) WHERE c.enabled = true AND c.operatingsystem =~ '(?i).*windows.* (2000|2003|2008|2012|xp|vista|7|8|me).*' RETURN c.operatingsystem AS system, count(*) AS computers, collect(c.name)[0..10] AS some ORDER BY computers DESC LIMIT 1000",
  },
  {
    key: 'no-laps',
    question: 'Which enabled computers have no managed local administrator password?',
    description: 'They often share one password: anyone who knows it for one computer knows it for all.',
    advice: 'Deploy LAPS to them.',
    query:
      'MATCH (c:Computer) WHERE c.enabled = true AND c.haslaps = false RETURN c.name, c.operatingsystem ORDER BY c.name LIMIT 1000',
  },
  {
    key: 'administrators-by-computer',
    question: 'Which computers have the most administrators?',
    description: 'Computers by the number of principals in their local Administrators group.',
    advice: 'Replace individual entries with one group for each type of computer.',
    query:
      'MATCH (a)-[:AdminTo]->(c:Computer) RETURN c.name, count(DISTINCT a) AS administrators ORDER BY administrators DESC, c.name LIMIT 100',
  },
  {
    key: 'most-sessions',
    question: 'Which users are signed in at the most computers?',
    description: 'Each of these computers stores secrets of the account.',
    advice: 'Run services under separate accounts, and ask people to sign out.',
    query:
      'MATCH (c:Computer)-[:HasSession]->(u:User) RETURN u.name, count(DISTINCT c) AS computers ORDER BY computers DESC, u.name LIMIT 100',
  },
  {
    key: 'largest-groups',
    question: 'Which groups have the most direct members?',
    description: 'Groups by direct members.',
    advice: 'A right of such a group is a right of nearly everyone: review these rights.',
    query:
      'MATCH (m)-[:MemberOf]->(g:Group) RETURN g.name, count(m) AS members ORDER BY members DESC, g.name LIMIT 100',
  },
  {
    key: 'largest-groups-nested',
    question: 'Which groups have the most users, including nested members?',
    description: 'Groups by the number of users that are direct or nested members.',
    advice: 'Nesting hides how large a group is: split groups whose users do different work.',
    query:
      'MATCH (u:User)-[:MemberOf*1..]->(g:Group) RETURN g.name, count(DISTINCT u) AS users ORDER BY users DESC, g.name LIMIT 100',
  },
  {
    key: 'deepest-nesting',
    question: 'Which groups are nested three levels deep?',
    description: 'Chains of three memberships: rights of the first group are hard to see.',
    advice: 'Grant rights to the group that needs them, and keep two levels.',
    query:
      'MATCH p = (a:Group)-[:MemberOf]->(b:Group)-[:MemberOf]->(c:Group) WHERE a <> c RETURN p LIMIT 1000',
  },
  {
    key: 'empty-groups',
    question: 'Which groups have no members?',
    description: 'The first member of an empty group gets all its rights.',
    advice: 'Delete the group, or remove its rights.',
    query: 'MATCH (g:Group) WHERE NOT (g)<-[:MemberOf]-() RETURN g.name ORDER BY g.name LIMIT 1000',
  },
  {
    key: 'formerly-protected',
    question: 'Which accounts were privileged once, and are no longer?',
    description:
      'They still have the access control lists of protected accounts: they do not inherit rights.',
    advice: 'Clear adminCount, and enable inheritance.',
    query:
      'MATCH (u:User) WHERE u.admincount = true AND NOT u:Tag_Tier_Zero RETURN u.name, u.enabled ORDER BY u.name LIMIT 1000',
  },
  {
    key: 'guest-enabled',
    question: 'Where is the guest account enabled?',
    description: 'Guest does not need a password.',
    advice: 'Disable it.',
    query: "MATCH (u:User) WHERE u.objectid ENDS WITH '-501' AND u.enabled = true RETURN u.name LIMIT 1000",
  },
];
