import type { QuestionOfCategory } from './question.ts';

export const DOMAIN_QUESTIONS: readonly QuestionOfCategory[] = [
  {
    key: 'machine-account-quota',
    question: 'In which domains can every user add computers?',
    description:
      'Several attacks need a computer that the attacker created. The default is ten computers per user.',
    advice: 'Set ms-DS-MachineAccountQuota to 0, and delegate the right to the people who join computers.',
    query:
      'MATCH (d:Domain) WHERE d.machineaccountquota > 0 RETURN d.name, d.machineaccountquota ORDER BY d.name LIMIT 1000',
  },
  {
    key: 'functional-level',
    question: 'Which domains have an old functional level?',
    description:
      'Protections of newer levels, such as Protected Users and authentication policies, are missing or incomplete.',
    advice: 'Retire the old domain controllers, and raise the level.',
    query:
      "MATCH (d:Domain) WHERE d.functionallevel =~ '(2000|2003|2008|2012).*' RETURN d.name, d.functionallevel ORDER BY d.name LIMIT 1000",
  },
  {
    key: 'krbtgt-password-age',
    question: 'In which domains has the krbtgt password not changed for half a year?',
    description: 'Anyone who ever had its key can still forge tickets for all users.',
    advice: 'Change it twice, at least ten hours apart; then twice a year.',
    query:
      "MATCH (u:User) WHERE u.objectid ENDS WITH '-502' AND u.pwdlastset < datetime().epochseconds - 180 * 86400 RETURN u.name, u.pwdlastset ORDER BY u.pwdlastset LIMIT 1000",
  },
  {
    key: 'administrator-password-age',
    question: 'In which domains has the password of the built-in Administrator not changed for a year?',
    description: 'The account cannot be locked out, and its password is often shared.',
    advice: 'Change it, store it in a safe, and use it only in emergencies.',
    query:
      "MATCH (u:User) WHERE u.objectid ENDS WITH '-500' AND u.pwdlastset < datetime().epochseconds - 365 * 86400 RETURN u.name, u.pwdlastset ORDER BY u.pwdlastset LIMIT 1000",
  },
  {
    key: 'anonymous-access',
    question: 'Which domains let anonymous users read the directory?',
    description: 'The seventh character of dSHeuristics is 2: anyone can list all users without an account.',
    advice: 'Set the character back to 0.',
    query: "MATCH (d:Domain) WHERE d.dsheuristics =~ '.{6}2.*' RETURN d.name, d.dsheuristics LIMIT 1000",
  },
  {
    key: 'protected-groups-left-out',
    question: 'Which domains exclude operator groups from protection?',
    description:
      'The sixteenth character of dSHeuristics is set: access control lists of these groups are not reset every hour.',
    advice: 'Set the character back to 0.',
    query: "MATCH (d:Domain) WHERE d.dsheuristics =~ '.{15}[^0].*' RETURN d.name, d.dsheuristics LIMIT 1000",
  },
  {
    key: 'short-passwords',
    question: 'Which domains allow short passwords?',
    description: 'Domains whose policy requires fewer than twelve characters.',
    advice: 'Increase the minimum length, and check new passwords against lists of known passwords.',
    query:
      'MATCH (d:Domain) WHERE d.minpwdlength < 12 RETURN d.name, d.minpwdlength ORDER BY d.minpwdlength LIMIT 1000',
  },
  {
    key: 'no-lockout',
    question: 'Which domains do not lock accounts after wrong passwords?',
    description: 'Attackers can try an unlimited number of passwords.',
    advice: 'Lock accounts for several minutes after ten or more wrong passwords.',
    query: 'MATCH (d:Domain) WHERE d.lockoutthreshold = 0 RETURN d.name LIMIT 1000',
  },
  {
    key: 'smartcard-secrets',
    question: 'Which domains never change the secrets of accounts with smart cards?',
    description: 'The account with the smart card has a password hash that stays the same for years.',
    advice: 'Enable the rolling of expiring NTLM secrets in the domain (functional level 2016 and later).',
    query: 'MATCH (d:Domain) WHERE d.expirepasswordsonsmartcardonlyaccounts = false RETURN d.name LIMIT 1000',
  },
  {
    key: 'trusts',
    question: 'Which domains trust which?',
    description: 'All trusts within forests and between them.',
    advice: 'Remove unused trusts.',
    query: 'MATCH p = (:Domain)-[:SameForestTrust|CrossForestTrust]->(:Domain) RETURN p LIMIT 1000',
  },
  {
    key: 'trusts-without-filter',
    question: 'Over which trusts can SID history be forged?',
    description:
      'A compromised domain can add groups of other domains to its tickets, because the trust does not filter them.',
    advice: 'Enable SID filtering (quarantine) on the trust.',
    query: 'MATCH p = (:Domain)-[:SpoofSIDHistory]->(:Domain) RETURN p LIMIT 1000',
  },
  {
    key: 'sid-history',
    question: 'Who has a SID history?',
    description:
      'The account has the rights of another account, in addition to its own. SID history is left from migrations, or added by an attacker.',
    advice: 'Clear it after the migration.',
    query: 'MATCH p = (s)-[:HasSIDHistory]->(t) RETURN p LIMIT 1000',
  },
  {
    key: 'sid-history-tier-zero',
    question: 'Whose SID history leads into Tier Zero?',
    description: 'Accounts that have Tier Zero rights, but belong to none of its groups.',
    advice: 'Clear the SID history immediately, and find out who set it.',
    query: 'MATCH p = (s)-[:HasSIDHistory]->(t:Tag_Tier_Zero) WHERE NOT s:Tag_Tier_Zero RETURN p LIMIT 1000',
  },
  {
    key: 'read-only-domain-controllers',
    question: 'Which domain controllers are read-only?',
    description: 'They store passwords of some accounts, and are often in less protected places.',
    advice: 'Check that they cannot store the password of a privileged account.',
    query: 'MATCH (c:Computer) WHERE c.isreadonlydc = true RETURN c.name, c.operatingsystem LIMIT 1000',
  },
];
