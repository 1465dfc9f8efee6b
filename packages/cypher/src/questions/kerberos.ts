import type { QuestionOfCategory } from './question.ts';

export const KERBEROS_QUESTIONS: readonly QuestionOfCategory[] = [
  {
    key: 'kerberoastable',
    question: 'Which enabled accounts are Kerberoastable?',
    description:
      'Users with a service principal name: anyone in the domain can request a ticket and guess the password offline.',
    advice: 'Convert them to group managed service accounts, or set passwords of 25 random characters.',
    query:
      'MATCH (u:User) WHERE u.hasspn = true AND u.enabled = true RETURN u.name, u.pwdlastset, u:Tag_Tier_Zero AS tier_zero ORDER BY u.pwdlastset LIMIT 1000',
  },
  {
    key: 'kerberoastable-most-rights',
    question: 'Which of these accounts administer the most computers?',
    description: 'Kerberoastable accounts, ordered by the rights that an attacker gains with their password.',
    advice: 'Start at the top: change the password, then remove rights.',
    query:
      'MATCH (u:User) WHERE u.hasspn = true AND u.enabled = true MATCH (u)-[:MemberOf*0..]->(g)-[:AdminTo]->(c:Computer) RETURN u.name, count(DISTINCT c) AS computers ORDER BY computers DESC, u.name LIMIT 100',
  },
  {
    key: 'kerberoastable-old-password',
    question: 'Which of these accounts have had their password for more than a year?',
    description: 'Old passwords of service accounts are often short, and were chosen by people.',
    advice: 'Change them, and record where they are used.',
    query:
      'MATCH (u:User) WHERE u.hasspn = true AND u.enabled = true AND u.pwdlastset > 0 AND u.pwdlastset < datetime().epochseconds - 365 * 86400 RETURN u.name, u.pwdlastset ORDER BY u.pwdlastset LIMIT 1000',
  },
  {
    key: 'kerberoastable-rc4',
    question: 'Which of these accounts support only RC4 tickets?',
    description: 'An RC4 ticket allows guessing a thousand times faster than an AES ticket.',
    advice: 'Enable AES for the account, and change its password to create AES keys.',
    query:
      "MATCH (u:User) WHERE u.hasspn = true AND any(type IN u.supportedencryptiontypes WHERE type STARTS WITH 'RC4') RETURN u.name, u.supportedencryptiontypes ORDER BY u.name LIMIT 1000",
  },
  {
    key: 'no-preauthentication',
    question: 'Which enabled users do not require pre-authentication?',
    description: 'Anyone on the network can request data that allows offline guessing of their password.',
    advice: 'Clear "Do not require Kerberos preauthentication", and change the password.',
    query:
      'MATCH (u:User) WHERE u.dontreqpreauth = true AND u.enabled = true RETURN u.name ORDER BY u.name LIMIT 1000',
  },
  {
    key: 'unconstrained-delegation',
    question: 'Which computers that are not domain controllers have unconstrained delegation?',
    description:
      'They store the tickets of everyone who signs in, including domain controllers that are coerced to authenticate.',
    advice:
      'Replace it with constrained delegation; until then, protect the computer like a domain controller.',
    query:
      "MATCH (c:Computer) WHERE c.unconstraineddelegation = true AND NOT EXISTS { (c)-[:MemberOf*1..]->(g:Group) WHERE g.objectid ENDS WITH '-516' } RETURN c.name ORDER BY c.name LIMIT 1000",
  },
  {
    key: 'constrained-delegation',
    question: 'Who can act on behalf of others, and where?',
    description: 'Constrained delegation: the principal can sign in to the target as nearly any user.',
    advice: 'Remove entries that no application uses; no target should be in Tier Zero.',
    query: 'MATCH p = (s)-[:AllowedToDelegate]->(c:Computer) RETURN p LIMIT 1000',
  },
  {
    key: 'protocol-transition',
    question: 'Which principals can act on behalf of others without their sign-in?',
    description: 'With protocol transition, no password or ticket of the user is needed.',
    advice: 'Select "Use Kerberos only" in the delegation settings of the account.',
    query:
      'MATCH (s) WHERE s.trustedtoauth = true RETURN s.name, labels(s)[0] AS kind, s.allowedtodelegate ORDER BY s.name LIMIT 1000',
  },
  {
    key: 'resource-based-delegation',
    question: 'Which computers let other accounts act on behalf of their users?',
    description: 'Resource-based delegation: the principal can sign in to the computer as anyone.',
    advice:
      'If no one can explain an entry, it may be part of an attack: preserve the evidence, then remove it.',
    query: 'MATCH p = (s)-[:AllowedToAct]->(c:Computer) RETURN p LIMIT 1000',
  },
  {
    key: 'reversible-encryption',
    question: 'Which users store their password with reversible encryption?',
    description: 'Anyone who can replicate the domain can read the password itself.',
    advice:
      'Clear the setting, and change the password: the readable copy remains until the password changes.',
    query:
      'MATCH (u:User) WHERE u.encryptedtextpwdallowed = true RETURN u.name, u.enabled, u.pwdlastset ORDER BY u.name LIMIT 1000',
  },
  {
    key: 'des-only',
    question: 'Which accounts support only DES keys?',
    description: 'DES keys can be cracked within a day.',
    advice: 'Clear "Use Kerberos DES encryption types for this account", and change the password.',
    query: 'MATCH (u:User) WHERE u.usedeskeyonly = true RETURN u.name, u.enabled ORDER BY u.name LIMIT 1000',
  },
  {
    key: 'rc4-only',
    question: 'Which enabled accounts support only RC4?',
    description: 'Their keys have no salt, and their tickets allow fast guessing.',
    advice: 'Enable AES for them, change their passwords, and then disable RC4 in the domain.',
    query:
      "MATCH (a:Base) WHERE a.enabled = true AND size(a.supportedencryptiontypes) > 0 AND all(type IN a.supportedencryptiontypes WHERE type STARTS WITH 'RC4') RETURN a.name, labels(a)[0] AS kind ORDER BY a.name LIMIT 1000",
  },
  {
    key: 'password-never-expires',
    question: 'Which enabled users have a password that never expires?',
    description: 'They are exempt from the password policy.',
    advice: 'Clear the setting for people; use group managed service accounts for services.',
    query:
      'MATCH (u:User) WHERE u.enabled = true AND u.pwdneverexpires = true RETURN u.name, u.pwdlastset ORDER BY u.pwdlastset LIMIT 1000',
  },
  {
    key: 'password-not-required',
    question: 'Which enabled users need no password?',
    description: 'Their password may be empty, regardless of the policy.',
    advice: 'Clear the flag, and set a password.',
    query:
      'MATCH (u:User) WHERE u.enabled = true AND u.passwordnotreqd = true RETURN u.name ORDER BY u.name LIMIT 1000',
  },
  {
    key: 'password-older-than-a-year',
    question: 'Which enabled users have had their password for more than a year?',
    description: 'These passwords were in use during all leaks of the past year.',
    advice: 'Start with privileged accounts and services.',
    query:
      'MATCH (u:User) WHERE u.enabled = true AND u.pwdlastset > 0 AND u.pwdlastset < datetime().epochseconds - 365 * 86400 RETURN u.name, u.pwdlastset ORDER BY u.pwdlastset LIMIT 1000',
  },
  {
    key: 'password-in-attributes',
    question: 'Which users have a password in a readable attribute?',
    description:
      'Old attributes for other systems contain passwords. The result shows that one is set, but not its value.',
    advice: 'Clear the attribute, and change the password.',
    query:
      'MATCH (u:User) WHERE u.userpassword IS NOT NULL OR u.unixpassword IS NOT NULL OR u.unicodepassword IS NOT NULL OR u.sfupassword IS NOT NULL RETURN u.name, u.enabled ORDER BY u.name LIMIT 1000',
  },
];
