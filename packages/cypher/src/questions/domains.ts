import type { QuestionOfCategory } from './question.ts';

export const DOMAIN_QUESTIONS: readonly QuestionOfCategory[] = [
  {
    key: 'machine-account-quota',
    question: 'In which domains may every user add computers?',
    description:
      'Several attacks need a computer that the attacker created. The default is ten for each user.',
    advice: 'Set ms-DS-MachineAccountQuota to 0, and delegate the right to those who join machines.',
    query:
      'MATCH (d:Domain) WHERE d.machineaccountquota > 0 RETURN d.name, d.machineaccountquota ORDER BY d.name LIMIT 1000',
  },
  {
    key: 'functional-level',
    question: 'Which domains have an old functional level?',
    description:
      'Protections of newer levels, such as Protected Users and authentication policies, are missing or partial.',
    advice: 'Retire the old domain controllers, and raise the level.',
    query:
      "MATCH (d:Domain) WHERE d.functionallevel =~ '(2000|2003|2008|2012).*' RETURN d.name, d.functionallevel ORDER BY d.name LIMIT 1000",
  },
  {
    key: 'krbtgt-password-age',
    question: 'Where has the password of KRBTGT not changed for half a year?',
    description: 'Anyone who once had its key can still write tickets for everyone.',
    advice: 'Change it twice, ten hours apart or more; then twice a year.',
    query:
      "MATCH (u:User) WHERE u.objectid ENDS WITH '-502' AND u.pwdlastset < datetime().epochseconds - 180 * 86400 RETURN u.name, u.pwdlastset ORDER BY u.pwdlastset LIMIT 1000",
  },
  {
    key: 'administrator-password-age',
    question: 'Where has the password of the built-in Administrator not changed for a year?',
    description: 'The account cannot be locked, and its password is often shared.',
    advice: 'Change it, keep it in a safe, and use it in emergencies only.',
    query:
      "MATCH (u:User) WHERE u.objectid ENDS WITH '-500' AND u.pwdlastset < datetime().epochseconds - 365 * 86400 RETURN u.name, u.pwdlastset ORDER BY u.pwdlastset LIMIT 1000",
  },
  {
    key: 'anonymous-access',
    question: 'Which domains let anonymous users read the directory?',
    description: 'The seventh character of dsHeuristics is 2: no account is needed to list all users.',
    advice: 'Set the character back to 0.',
    query: "MATCH (d:Domain) WHERE d.dsheuristics =~ '.{6}2.*' RETURN d.name, d.dsheuristics LIMIT 1000",
  },
  {
    key: 'protected-groups-left-out',
    question: 'Which domains leave groups of operators out of their protection?',
    description:
      'The sixteenth character of dsHeuristics is set: access lists of these groups are not reset each hour.',
    advice: 'Set the character back to 0.',
    query: "MATCH (d:Domain) WHERE d.dsheuristics =~ '.{15}[^0].*' RETURN d.name, d.dsheuristics LIMIT 1000",
  },
  {
    key: 'short-passwords',
    question: 'Which domains allow short passwords?',
    description: 'Domains whose policy asks for fewer than twelve characters.',
    advice: 'Raise the length, and check new passwords against lists of known ones.',
    query:
      'MATCH (d:Domain) WHERE d.minpwdlength < 12 RETURN d.name, d.minpwdlength ORDER BY d.minpwdlength LIMIT 1000',
  },
  {
    key: 'no-lockout',
    question: 'Which domains lock no account after wrong passwords?',
    description: 'Passwords can be tried without end.',
    advice: 'Lock for some minutes after ten wrong passwords or more.',
    query: 'MATCH (d:Domain) WHERE d.lockoutthreshold = 0 RETURN d.name LIMIT 1000',
  },
  {
    key: 'smartcard-secrets',
    question: 'Which domains never change the secrets of accounts with smart cards?',
    description: 'Behind a smart card stands a password hash that stays the same for years.',
    advice: 'Let the domain roll expiring NTLM secrets (level 2016 and later).',
    query: 'MATCH (d:Domain) WHERE d.expirepasswordsonsmartcardonlyaccounts = false RETURN d.name LIMIT 1000',
  },
  {
    key: 'trusts',
    question: 'Which domains trust which?',
    description: 'All trusts, within forests and between them.',
    advice: 'Remove those that no one uses.',
    query: 'MATCH p = (:Domain)-[:SameForestTrust|CrossForestTrust]->(:Domain) RETURN p LIMIT 1000',
  },
  {
    key: 'trusts-without-filter',
    question: 'Over which trusts can SID history be forged?',
    description:
      'A taken-over domain can put groups of other domains into its tickets: the trust does not filter them.',
    advice: 'Enable SID filtering (quarantine) on the trust.',
    query: 'MATCH p = (:Domain)-[:SpoofSIDHistory]->(:Domain) RETURN p LIMIT 1000',
  },
  {
    key: 'sid-history',
    question: 'Who has a SID history?',
    description:
      'The account has the rights of another one, in addition to its own. Left from migrations, or added by an attacker.',
    advice: 'Clear it when the migration is over.',
    query: 'MATCH p = (s)-[:HasSIDHistory]->(t) RETURN p LIMIT 1000',
  },
  {
    key: 'sid-history-tier-zero',
    question: 'Whose SID history leads into Tier Zero?',
    description: 'Accounts that have rights of Tier Zero, and are in none of its groups.',
    advice: 'Clear the history at once, and find out who set it.',
    query: 'MATCH p = (s)-[:HasSIDHistory]->(t:Tag_Tier_Zero) WHERE NOT s:Tag_Tier_Zero RETURN p LIMIT 1000',
  },
  {
    key: 'read-only-domain-controllers',
    question: 'Which domain controllers are read-only?',
    description: 'They keep passwords of some accounts, and stand where they are less protected.',
    advice: 'Check that no privileged account may be kept there.',
    query: 'MATCH (c:Computer) WHERE c.isreadonlydc = true RETURN c.name, c.operatingsystem LIMIT 1000',
  },
];
