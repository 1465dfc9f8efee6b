import type { QuestionOfCategory } from './question.ts';

export const KERBEROS_QUESTIONS: readonly QuestionOfCategory[] = [
  {
    key: 'kerberoastable',
    question: 'Which enabled accounts give away tickets that can be cracked?',
    description:
      'Users with a service principal name: everyone in the domain can ask for a ticket and guess the password offline.',
    advice: 'Make them group managed service accounts; else give them 25 random characters.',
    query:
      'MATCH (u:User) WHERE u.hasspn = true AND u.enabled = true RETURN u.name, u.pwdlastset, u:Tag_Tier_Zero AS tier_zero ORDER BY u.pwdlastset LIMIT 1000',
  },
  {
    key: 'kerberoastable-most-rights',
    question: 'Which of these accounts administer the most computers?',
    description:
      'Accounts with a crackable ticket, by the rights that an attacker gains with their password.',
    advice: 'Begin at the top: change the password, then take rights away.',
    query:
      'MATCH (u:User) WHERE u.hasspn = true AND u.enabled = true MATCH (u)-[:MemberOf*0..]->(g)-[:AdminTo]->(c:Computer) RETURN u.name, count(DISTINCT c) AS computers ORDER BY computers DESC, u.name LIMIT 100',
  },
  {
    key: 'kerberoastable-old-password',
    question: 'Which of these accounts have had their password for more than a year?',
    description: 'Old passwords of service accounts are often short, and were typed by people.',
    advice: 'Change them, and note where they are used while you do.',
    query:
      'MATCH (u:User) WHERE u.hasspn = true AND u.enabled = true AND u.pwdlastset > 0 AND u.pwdlastset < datetime().epochseconds - 365 * 86400 RETURN u.name, u.pwdlastset ORDER BY u.pwdlastset LIMIT 1000',
  },
  {
    key: 'kerberoastable-rc4',
    question: 'Which of these accounts take RC4 tickets only?',
    description: 'A ticket in RC4 is guessed a thousand times as quickly as one in AES.',
    advice: 'Set AES for the account, and change its password so that it has AES keys.',
    query:
      "MATCH (u:User) WHERE u.hasspn = true AND any(type IN u.supportedencryptiontypes WHERE type STARTS WITH 'RC4') RETURN u.name, u.supportedencryptiontypes ORDER BY u.name LIMIT 1000",
  },
  {
    key: 'no-preauthentication',
    question: 'Which enabled users need no pre-authentication?',
    description: 'Anyone on the network can ask for something their password can be guessed from.',
    advice: 'Clear "Do not require Kerberos preauthentication", and change the password.',
    query:
      'MATCH (u:User) WHERE u.dontreqpreauth = true AND u.enabled = true RETURN u.name ORDER BY u.name LIMIT 1000',
  },
  {
    key: 'unconstrained-delegation',
    question: 'Which computers that are not domain controllers keep the tickets of their visitors?',
    description:
      'With unconstrained delegation they hold tickets of all who sign in, domain controllers that are made to included.',
    advice: 'Replace it by constrained delegation; protect the machine like a domain controller until then.',
    query:
      "MATCH (c:Computer) WHERE c.unconstraineddelegation = true AND NOT EXISTS { (c)-[:MemberOf*1..]->(g:Group) WHERE g.objectid ENDS WITH '-516' } RETURN c.name ORDER BY c.name LIMIT 1000",
  },
  {
    key: 'constrained-delegation',
    question: 'Who may act for others, and where?',
    description: 'Constrained delegation: the principal can sign in at the target as nearly any user.',
    advice: 'Remove what no application uses; no target should be in Tier Zero.',
    query: 'MATCH p = (s)-[:AllowedToDelegate]->(c:Computer) RETURN p LIMIT 1000',
  },
  {
    key: 'protocol-transition',
    question: 'Which principals may act for others without their sign-in?',
    description: 'With protocol transition no password or ticket of the user is needed.',
    advice: 'Choose "use Kerberos only" in the delegation of the account.',
    query:
      'MATCH (s) WHERE s.trustedtoauth = true RETURN s.name, labels(s)[0] AS kind, s.allowedtodelegate ORDER BY s.name LIMIT 1000',
  },
  {
    key: 'resource-based-delegation',
    question: 'Which computers let others act for their users?',
    description: 'Resource-based delegation: the principal signs in at the computer as anyone.',
    advice:
      'An entry that no one can explain is a sign of an attack: keep it for the investigation, then remove it.',
    query: 'MATCH p = (s)-[:AllowedToAct]->(c:Computer) RETURN p LIMIT 1000',
  },
  {
    key: 'reversible-encryption',
    question: 'Which users store their password so that it can be read?',
    description: 'Reversible encryption: anyone who can replicate the domain reads the password itself.',
    advice: 'Clear the setting, and change the password: it is stored the old way until then.',
    query:
      'MATCH (u:User) WHERE u.encryptedtextpwdallowed = true RETURN u.name, u.enabled, u.pwdlastset ORDER BY u.name LIMIT 1000',
  },
  {
    key: 'des-only',
    question: 'Which accounts take DES keys only?',
    description: 'DES is guessed within a day.',
    advice: 'Clear "Use Kerberos DES encryption types for this account", and change the password.',
    query: 'MATCH (u:User) WHERE u.usedeskeyonly = true RETURN u.name, u.enabled ORDER BY u.name LIMIT 1000',
  },
  {
    key: 'rc4-only',
    question: 'Which enabled accounts take RC4 only?',
    description: 'Their keys have no salt, and their tickets are guessed quickly.',
    advice: 'Allow AES for them, change their passwords, and then forbid RC4 in the domain.',
    query:
      "MATCH (a:Base) WHERE a.enabled = true AND size(a.supportedencryptiontypes) > 0 AND all(type IN a.supportedencryptiontypes WHERE type STARTS WITH 'RC4') RETURN a.name, labels(a)[0] AS kind ORDER BY a.name LIMIT 1000",
  },
  {
    key: 'password-never-expires',
    question: 'Which enabled users have a password that never expires?',
    description: 'They were left out of the rules for passwords.',
    advice: 'Clear the setting for people; make services group managed.',
    query:
      'MATCH (u:User) WHERE u.enabled = true AND u.pwdneverexpires = true RETURN u.name, u.pwdlastset ORDER BY u.pwdlastset LIMIT 1000',
  },
  {
    key: 'password-not-required',
    question: 'Which enabled users need no password?',
    description: 'Their password may be empty, whatever the policy says.',
    advice: 'Clear the flag, and set a password.',
    query:
      'MATCH (u:User) WHERE u.enabled = true AND u.passwordnotreqd = true RETURN u.name ORDER BY u.name LIMIT 1000',
  },
  {
    key: 'password-older-than-a-year',
    question: 'Which enabled users have had their password for more than a year?',
    description: 'Passwords that were in use during all leaks of a year.',
    advice: 'Begin with privileged accounts and services.',
    query:
      'MATCH (u:User) WHERE u.enabled = true AND u.pwdlastset > 0 AND u.pwdlastset < datetime().epochseconds - 365 * 86400 RETURN u.name, u.pwdlastset ORDER BY u.pwdlastset LIMIT 1000',
  },
  {
    key: 'password-in-attributes',
    question: 'Which users have a password in an attribute that can be read?',
    description:
      'Old attributes for other systems hold passwords. That one is set is shown, and not its value.',
    advice: 'Clear the attribute, and change the password.',
    query:
      'MATCH (u:User) WHERE u.userpassword IS NOT NULL OR u.unixpassword IS NOT NULL OR u.unicodepassword IS NOT NULL OR u.sfupassword IS NOT NULL RETURN u.name, u.enabled ORDER BY u.name LIMIT 1000',
  },
];
