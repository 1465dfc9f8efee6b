import type { QuestionOfCategory } from './question.ts';

export const RIGHTS_QUESTIONS: readonly QuestionOfCategory[] = [
  {
    key: 'replication-rights',
    question: 'Who outside of Tier Zero can read all secrets of a domain?',
    description: 'Replication provides the secrets of every account, including krbtgt.',
    advice: 'Remove the right immediately; if it was used, treat the domain as compromised.',
    query:
      'MATCH p = (s)-[:DCSync|GetChangesAll|GenericAll]->(d:Domain) WHERE NOT s:Tag_Tier_Zero RETURN p LIMIT 1000',
  },
  {
    key: 'group-policy-control',
    question: 'Who outside of Tier Zero can change a group policy?',
    description: 'A policy can run programs on every computer in its scope.',
    advice: 'Remove the right, or limit the policy to computers of the same zone.',
    query:
      'MATCH p = (s)-[:GenericAll|GenericWrite|WriteDacl|WriteOwner|Owns]->(g:GPO) WHERE NOT s:Tag_Tier_Zero RETURN p LIMIT 1000',
  },
  {
    key: 'organizational-unit-control',
    question: 'Who outside of Tier Zero controls an organizational unit?',
    description: 'The accounts in an organizational unit inherit control of it.',
    advice: 'Delegate individual rights on specific object types instead of full control.',
    query:
      'MATCH p = (s)-[:GenericAll|WriteDacl|WriteOwner|Owns|WriteGPLink]->(o:OU) WHERE NOT s:Tag_Tier_Zero RETURN p LIMIT 1000',
  },
  {
    key: 'password-resets',
    question: 'Who can reset the passwords of most users?',
    description:
      'Principals by the number of users whose password they can set without knowing the old one, directly or through a group.',
    advice:
      'A help desk needs this right only for ordinary users; move privileged accounts out of the delegated organizational units.',
    query:
      'MATCH (s)-[:ForceChangePassword]->(u:User) WHERE NOT s:Tag_Tier_Zero RETURN s.name, count(DISTINCT u) AS users ORDER BY users DESC, s.name LIMIT 100',
  },
  {
    key: 'managed-password-readers',
    question: 'Who can read the passwords of group managed service accounts?',
    description: 'Anyone who can read such a password can act as the account.',
    advice: 'Only the computers that run the service should be able to read it.',
    query: 'MATCH p = (s)-[:ReadGMSAPassword]->(u:User) RETURN p LIMIT 1000',
  },
  {
    key: 'laps-readers',
    question: 'Who can read managed passwords of local administrators?',
    description: 'Principals by the number of computers whose password they can read.',
    advice: 'Grant the right per organizational unit, to the support staff of its computers.',
    query:
      'MATCH (s)-[:ReadLAPSPassword]->(c:Computer) WHERE NOT s:Tag_Tier_Zero RETURN s.name, count(DISTINCT c) AS computers ORDER BY computers DESC, s.name LIMIT 100',
  },
  {
    key: 'shadow-credentials',
    question: 'Who outside of Tier Zero can add key credentials to an account?',
    description:
      'With an added key credential, an attacker can sign in as the account, and its password does not change.',
    advice: 'Remove the right; look for key credentials that no device created.',
    query: 'MATCH p = (s)-[:AddKeyCredentialLink]->(t) WHERE NOT s:Tag_Tier_Zero RETURN p LIMIT 1000',
  },
  {
    key: 'owners-outside-tier-zero',
    question: 'Who outside of Tier Zero owns users, computers or groups?',
    description:
      'An owner can grant themselves every right on an object. The owner is often the account that created the object.',
    advice: 'Set the owner to Domain Admins.',
    query:
      'MATCH p = (s)-[:Owns]->(t) WHERE NOT s:Tag_Tier_Zero AND (t:User OR t:Computer OR t:Group) RETURN p LIMIT 1000',
  },
  {
    key: 'foreign-members',
    question: 'Which groups have members of another domain?',
    description: 'Their rights depend on the security of the other domain.',
    advice: 'For each member, find out who needs it; remove members that no one can explain.',
    query: 'MATCH p = (m:Base)-[:MemberOf]->(g:Group) WHERE m.domainsid <> g.domainsid RETURN p LIMIT 1000',
  },
  {
    key: 'badsuccessor',
    question: 'Who outside of Tier Zero can create objects in an organizational unit?',
    description:
      'On domain controllers of Windows Server 2025, anyone who can create a delegated managed service account can act as any account (BadSuccessor). Full control of an organizational unit includes this right.',
    advice:
      'Install the update of August 2025, and remove the right to create objects from all principals that do not need it.',
    query:
      'MATCH p = (s)-[:GenericAll|WriteDacl|WriteOwner|Owns]->(o) WHERE (o:OU OR o:Container) AND NOT s:Tag_Tier_Zero RETURN p LIMIT 1000',
  },
  {
    key: 'sql-administrators',
    question: 'Which users administer SQL servers?',
    description: 'An administrator of the database can run programs as its service account.',
    advice: 'Remove people who are not database administrators from the role.',
    query: 'MATCH p = (u:User)-[:SQLAdmin]->(c:Computer) RETURN p LIMIT 1000',
  },
  {
    key: 'computers-administering-computers',
    question: 'Which computers are administrators of other computers?',
    description:
      'Anyone who takes over one computer can take over the other; coerced authentication is enough.',
    advice: 'Remove computer accounts from local administrators.',
    query: 'MATCH p = (a:Computer)-[:AdminTo]->(b:Computer) RETURN p LIMIT 1000',
  },
  {
    key: 'most-rights-of-users',
    question: 'Which users administer the most computers?',
    description: 'Users by the number of computers that they administer, directly or through groups.',
    advice: 'Split such accounts by zone, and use each account only on computers of its zone.',
    query:
      'MATCH (u:User)-[:MemberOf*0..]->(g)-[:AdminTo]->(c:Computer) RETURN u.name, count(DISTINCT c) AS computers ORDER BY computers DESC, u.name LIMIT 100',
  },
];
