import type { QuestionOfCategory } from './question.ts';

export const RIGHTS_QUESTIONS: readonly QuestionOfCategory[] = [
  {
    key: 'replication-rights',
    question: 'Who outside of Tier Zero can read all secrets of a domain?',
    description: 'Replication hands out the secrets of every account, that of KRBTGT included.',
    advice: 'Remove the right at once; if it was used, treat the domain as taken over.',
    query:
      'MATCH p = (s)-[:DCSync|GetChangesAll|GenericAll]->(d:Domain) WHERE NOT s:Tag_Tier_Zero RETURN p LIMIT 1000',
  },
  {
    key: 'group-policy-control',
    question: 'Who outside of Tier Zero can change a group policy?',
    description: 'A policy runs programs on every machine it applies to.',
    advice: 'Remove the right, or bound the policy to machines of the same zone.',
    query:
      'MATCH p = (s)-[:GenericAll|GenericWrite|WriteDacl|WriteOwner|Owns]->(g:GPO) WHERE NOT s:Tag_Tier_Zero RETURN p LIMIT 1000',
  },
  {
    key: 'organizational-unit-control',
    question: 'Who outside of Tier Zero controls an organizational unit?',
    description: 'Control of a unit is inherited by the accounts in it.',
    advice: 'Delegate single rights to single kinds of objects instead of full control.',
    query:
      'MATCH p = (s)-[:GenericAll|WriteDacl|WriteOwner|Owns|WriteGPLink]->(o:OU) WHERE NOT s:Tag_Tier_Zero RETURN p LIMIT 1000',
  },
  {
    key: 'password-resets',
    question: 'Who may reset the passwords of most users?',
    description:
      'Principals by the number of users whose password they may set without knowing the old one, directly or by a group.',
    advice: 'A help desk needs it for its own people only; take privileged accounts out of its units.',
    query:
      'MATCH (s)-[:ForceChangePassword]->(u:User) WHERE NOT s:Tag_Tier_Zero RETURN s.name, count(DISTINCT u) AS users ORDER BY users DESC, s.name LIMIT 100',
  },
  {
    key: 'managed-password-readers',
    question: 'Who may read the passwords of group managed service accounts?',
    description: 'Readers of such a password are the account.',
    advice: 'Only the machines that run the service should be able to.',
    query: 'MATCH p = (s)-[:ReadGMSAPassword]->(u:User) RETURN p LIMIT 1000',
  },
  {
    key: 'laps-readers',
    question: 'Who may read managed passwords of local administrators?',
    description: 'Principals by the number of computers whose password they may read.',
    advice: 'Give the right by unit, to those who support the machines in it.',
    query:
      'MATCH (s)-[:ReadLAPSPassword]->(c:Computer) WHERE NOT s:Tag_Tier_Zero RETURN s.name, count(DISTINCT c) AS computers ORDER BY computers DESC, s.name LIMIT 100',
  },
  {
    key: 'shadow-credentials',
    question: 'Who outside of Tier Zero may add keys to an account?',
    description:
      'With a key of his own an attacker signs in as the account, and its password stays as it is.',
    advice: 'Remove the right; look for keys that no device made.',
    query: 'MATCH p = (s)-[:AddKeyCredentialLink]->(t) WHERE NOT s:Tag_Tier_Zero RETURN p LIMIT 1000',
  },
  {
    key: 'owners-outside-tier-zero',
    question: 'Who outside of Tier Zero owns users, computers or groups?',
    description:
      'An owner may give himself every right over an object. Owners are those who once created it.',
    advice: 'Set the owner to Domain Admins.',
    query:
      'MATCH p = (s)-[:Owns]->(t) WHERE NOT s:Tag_Tier_Zero AND (t:User OR t:Computer OR t:Group) RETURN p LIMIT 1000',
  },
  {
    key: 'foreign-members',
    question: 'Which groups have members of another domain?',
    description: 'Their rights depend on how well the other domain is kept.',
    advice: 'Ask for each who needs it; take out what no one can explain.',
    query: 'MATCH p = (m:Base)-[:MemberOf]->(g:Group) WHERE m.domainsid <> g.domainsid RETURN p LIMIT 1000',
  },
  {
    key: 'badsuccessor',
    question: 'Who outside of Tier Zero may create objects in an organizational unit?',
    description:
      'On domain controllers of Windows Server 2025, anyone who may create a delegated managed service account can act as any account (BadSuccessor). Full control of a unit includes it.',
    advice:
      'Install the update of August 2025, and remove the right to create from all but those who need it.',
    query:
      'MATCH p = (s)-[:GenericAll|WriteDacl|WriteOwner|Owns]->(o) WHERE (o:OU OR o:Container) AND NOT s:Tag_Tier_Zero RETURN p LIMIT 1000',
  },
  {
    key: 'sql-administrators',
    question: 'Which users administer SQL servers?',
    description: 'An administrator of the database can run programs as its service account.',
    advice: 'Take people out of the role who are not administrators of the database.',
    query: 'MATCH p = (u:User)-[:SQLAdmin]->(c:Computer) RETURN p LIMIT 1000',
  },
  {
    key: 'computers-administering-computers',
    question: 'Which computers are administrators of others?',
    description: 'Anyone who takes over the one has the other; a forced sign-in is enough.',
    advice: 'Remove machine accounts from local administrators.',
    query: 'MATCH p = (a:Computer)-[:AdminTo]->(b:Computer) RETURN p LIMIT 1000',
  },
  {
    key: 'most-rights-of-users',
    question: 'Which users administer the most computers?',
    description: 'Users by the number of computers they administer, directly or through groups.',
    advice: 'Split such accounts by zone, and use them at machines of that zone only.',
    query:
      'MATCH (u:User)-[:MemberOf*0..]->(g)-[:AdminTo]->(c:Computer) RETURN u.name, count(DISTINCT c) AS computers ORDER BY computers DESC, u.name LIMIT 100',
  },
];
