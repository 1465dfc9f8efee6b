import type { QuestionOfCategory } from './question.ts';

export const HYGIENE_QUESTIONS: readonly QuestionOfCategory[] = [
  {
    key: 'not-signed-in-for-90-days',
    question: 'Which enabled users have not signed in for 90 days?',
    description: 'No one misses them when their password changes.',
    advice: 'Disable them; delete them after a while.',
    query:
      'MATCH (u:User) WHERE u.enabled = true AND u.lastlogontimestamp > 0 AND u.lastlogontimestamp < datetime().epochseconds - 90 * 86400 RETURN u.name, u.lastlogontimestamp ORDER BY u.lastlogontimestamp LIMIT 1000',
  },
  {
    key: 'never-signed-in',
    question: 'Which enabled users have never signed in?',
    description: 'Their first password may still be valid, and known to those who set it.',
    advice: 'Disable them until they are needed.',
    query:
      'MATCH (u:User) WHERE u.enabled = true AND u.lastlogontimestamp <= 0 RETURN u.name, u.whencreated ORDER BY u.whencreated LIMIT 1000',
  },
  {
    key: 'computers-not-seen-for-90-days',
    question: 'Which enabled computers have not signed in for 90 days?',
    description: 'Accounts of machines that no longer exist, and whose passwords never change.',
    advice: 'Disable the accounts.',
    query:
      'MATCH (c:Computer) WHERE c.enabled = true AND c.lastlogontimestamp > 0 AND c.lastlogontimestamp < datetime().epochseconds - 90 * 86400 RETURN c.name, c.lastlogontimestamp ORDER BY c.lastlogontimestamp LIMIT 1000',
  },
  {
    key: 'old-systems',
    question: 'Which enabled computers run a Windows that gets no updates?',
    description: 'Known faults of theirs stay open.',
    advice: 'Replace them; bound who can reach them and who signs in there until then.',
    query:
      "MATCH (c:Computer) WHERE c.enabled = true AND c.operatingsystem =~ '(?i).*windows.* (2000|2003|2008|2012|xp|vista|7|8|me).*' RETURN c.operatingsystem AS system, count(*) AS computers, collect(c.name)[0..10] AS some ORDER BY computers DESC LIMIT 1000",
  },
  {
    key: 'no-laps',
    question: 'Which enabled computers have no managed password of their local administrator?',
    description: 'They often share one password: who has it of one has it of all.',
    advice: 'Roll out LAPS to them.',
    query:
      'MATCH (c:Computer) WHERE c.enabled = true AND c.haslaps = false RETURN c.name, c.operatingsystem ORDER BY c.name LIMIT 1000',
  },
  {
    key: 'administrators-by-computer',
    question: 'Which computers have the most administrators?',
    description: 'Computers by the number of principals in their local Administrators.',
    advice: 'Replace single entries by one group for each kind of machine.',
    query:
      'MATCH (a)-[:AdminTo]->(c:Computer) RETURN c.name, count(DISTINCT a) AS administrators ORDER BY administrators DESC, c.name LIMIT 100',
  },
  {
    key: 'most-sessions',
    question: 'Which users are signed in at the most computers?',
    description: 'Each of these computers holds secrets of the account.',
    advice: 'Services run under accounts of their own; people sign out.',
    query:
      'MATCH (c:Computer)-[:HasSession]->(u:User) RETURN u.name, count(DISTINCT c) AS computers ORDER BY computers DESC, u.name LIMIT 100',
  },
  {
    key: 'largest-groups',
    question: 'Which groups have the most direct members?',
    description: 'Groups by direct members.',
    advice: 'A right for such a group is a right for nearly all: review their rights.',
    query:
      'MATCH (m)-[:MemberOf]->(g:Group) RETURN g.name, count(m) AS members ORDER BY members DESC, g.name LIMIT 100',
  },
  {
    key: 'largest-groups-nested',
    question: 'Which groups have the most users, also through other groups?',
    description: 'Groups by the users that are members, directly or through others.',
    advice: 'Nesting hides how large a group is: split those whose users do different work.',
    query:
      'MATCH (u:User)-[:MemberOf*1..]->(g:Group) RETURN g.name, count(DISTINCT u) AS users ORDER BY users DESC, g.name LIMIT 100',
  },
  {
    key: 'deepest-nesting',
    question: 'Which groups are members of groups of groups?',
    description: 'Chains of three memberships: no one sees the rights of the first group.',
    advice: 'Give rights to the group that needs them, and keep two levels.',
    query:
      'MATCH p = (a:Group)-[:MemberOf]->(b:Group)-[:MemberOf]->(c:Group) WHERE a <> c RETURN p LIMIT 1000',
  },
  {
    key: 'empty-groups',
    question: 'Which groups have no member?',
    description: 'Rights of an empty group wait for the first member.',
    advice: 'Delete the group, or take its rights away.',
    query: 'MATCH (g:Group) WHERE NOT (g)<-[:MemberOf]-() RETURN g.name ORDER BY g.name LIMIT 1000',
  },
  {
    key: 'formerly-protected',
    question: 'Which accounts were privileged once, and are no longer?',
    description: 'Their access lists stayed those of protected accounts: no inherited right reaches them.',
    advice: 'Clear admincount, and let the access list inherit again.',
    query:
      'MATCH (u:User) WHERE u.admincount = true AND NOT u:Tag_Tier_Zero RETURN u.name, u.enabled ORDER BY u.name LIMIT 1000',
  },
  {
    key: 'guest-enabled',
    question: 'Where is the guest account enabled?',
    description: 'It needs no password.',
    advice: 'Disable it.',
    query: "MATCH (u:User) WHERE u.objectid ENDS WITH '-501' AND u.enabled = true RETURN u.name LIMIT 1000",
  },
];
