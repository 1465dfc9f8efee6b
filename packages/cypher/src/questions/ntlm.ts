import type { QuestionOfCategory } from './question.ts';

export const NTLM_QUESTIONS: readonly QuestionOfCategory[] = [
  {
    key: 'smb-signing-not-required',
    question: 'Which computers do not require SMB signing?',
    description: 'The computer accepts relayed authentication as the authenticated user.',
    advice: 'Require signing by policy ("Microsoft network server: Digitally sign communications (always)").',
    query:
      'MATCH (c:Computer) WHERE c.enabled = true AND c.smbsigning = false RETURN c.name, c.operatingsystem ORDER BY c.name LIMIT 1000',
  },
  {
    key: 'servers-without-smb-signing',
    question: 'Which servers do not require SMB signing?',
    description: 'The same, only for servers: they are more valuable than workstations.',
    advice: 'Start with these; one policy covers all servers.',
    query:
      "MATCH (c:Computer) WHERE c.enabled = true AND c.smbsigning = false AND toUpper(c.operatingsystem) CONTAINS 'SERVER' RETURN c.name, c.operatingsystem ORDER BY c.name LIMIT 1000",
  },
  {
    key: 'domain-controllers-without-ldap-signing',
    question: 'Which domain controllers do not require LDAP signing?',
    description: 'An attacker can change the directory with relayed authentication over LDAP.',
    advice: 'Check event 2889, then require LDAP signing on all domain controllers.',
    query: 'MATCH (c:Computer) WHERE c.ldapsigning = false RETURN c.name ORDER BY c.name LIMIT 1000',
  },
  {
    key: 'domain-controllers-without-channel-binding',
    question: 'Which domain controllers provide LDAPS without channel binding?',
    description:
      'An attacker can change the directory with relayed authentication over LDAPS, even if LDAP signing is required.',
    advice: 'Require channel binding ("LDAP server channel binding token requirements: Always").',
    query:
      'MATCH (c:Computer) WHERE c.ldapsavailable = true AND c.ldapsepa = false RETURN c.name ORDER BY c.name LIMIT 1000',
  },
  {
    key: 'webclient-running',
    question: 'On which computers does the WebClient service run?',
    description:
      'It lets an attacker coerce the computer to authenticate over HTTP, which can be relayed to LDAP.',
    advice: 'Disable the service if no one uses WebDAV.',
    query:
      'MATCH (c:Computer) WHERE c.enabled = true AND c.webclientrunning = true RETURN c.name, c.operatingsystem ORDER BY c.name LIMIT 1000',
  },
  {
    key: 'outbound-ntlm-restricted',
    question: 'Which computers restrict outgoing NTLM?',
    description: "They cannot be coerced to authenticate to an attacker's computer.",
    advice: 'After a period of auditing, use the same setting on servers that are not in the list.',
    query: 'MATCH (c:Computer) WHERE c.restrictoutboundntlm = true RETURN c.name ORDER BY c.name LIMIT 1000',
  },
  {
    key: 'relay-to-smb',
    question: 'Which computer accounts can be relayed to a computer that they administer?',
    description:
      'An attacker coerces the computer to authenticate, and relays this to one without SMB signing.',
    advice: 'Require SMB signing on the target, and remove computer accounts from its administrators.',
    query: 'MATCH p = (s)-[:CoerceAndRelayNTLMToSMB]->(c:Computer) RETURN p LIMIT 1000',
  },
  {
    key: 'relay-to-ldap',
    question: 'Which computers can be taken over by relay to a domain controller?',
    description:
      'An attacker coerces the computer to authenticate, relays this to LDAP or LDAPS, and grants rights over the computer.',
    advice: 'Require LDAP signing and channel binding, and stop WebClient.',
    query:
      'MATCH p = (s)-[:CoerceAndRelayNTLMToLDAP|CoerceAndRelayNTLMToLDAPS]->(c:Computer) RETURN p LIMIT 1000',
  },
  {
    key: 'relay-to-certificates',
    question: 'Which computers can be taken over by relay to the web enrollment of a CA?',
    description:
      'An attacker coerces the computer to authenticate, and gets a certificate in its name (ESC8).',
    advice: 'Allow enrollment only over HTTPS with Extended Protection for Authentication, or turn it off.',
    query: 'MATCH p = (s)-[:CoerceAndRelayNTLMToADCS]->(c:Computer) RETURN p LIMIT 1000',
  },
];
