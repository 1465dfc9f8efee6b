import type { QuestionOfCategory } from './question.ts';

export const NTLM_QUESTIONS: readonly QuestionOfCategory[] = [
  {
    key: 'smb-signing-not-required',
    question: 'Which computers do not require SMB signing?',
    description: 'A sign-in that an attacker forwards is accepted there as that of its user.',
    advice: 'Require signing by policy ("Microsoft network server: Digitally sign communications (always)").',
    query:
      'MATCH (c:Computer) WHERE c.enabled = true AND c.smbsigning = false RETURN c.name, c.operatingsystem ORDER BY c.name LIMIT 1000',
  },
  {
    key: 'servers-without-smb-signing',
    question: 'Which servers do not require SMB signing?',
    description: 'As before, of servers alone: they hold more than a workstation does.',
    advice: 'Begin with these; a policy for all servers is one change.',
    query:
      "MATCH (c:Computer) WHERE c.enabled = true AND c.smbsigning = false AND toUpper(c.operatingsystem) CONTAINS 'SERVER' RETURN c.name, c.operatingsystem ORDER BY c.name LIMIT 1000",
  },
  {
    key: 'domain-controllers-without-ldap-signing',
    question: 'Which domain controllers do not require LDAP signing?',
    description: 'A forwarded sign-in can change the directory over LDAP.',
    advice: 'Require LDAP signing on all domain controllers after a look at event 2889.',
    query: 'MATCH (c:Computer) WHERE c.ldapsigning = false RETURN c.name ORDER BY c.name LIMIT 1000',
  },
  {
    key: 'domain-controllers-without-channel-binding',
    question: 'Which domain controllers serve LDAPS without channel binding?',
    description: 'A forwarded sign-in can change the directory over LDAPS, though LDAP is signed.',
    advice: 'Require channel binding ("LDAP server channel binding token requirements: Always").',
    query:
      'MATCH (c:Computer) WHERE c.ldapsavailable = true AND c.ldapsepa = false RETURN c.name ORDER BY c.name LIMIT 1000',
  },
  {
    key: 'webclient-running',
    question: 'On which computers does the WebClient service run?',
    description: 'It lets an attacker make the machine sign in over HTTP, which can be forwarded to LDAP.',
    advice: 'Disable the service where no one uses WebDAV.',
    query:
      'MATCH (c:Computer) WHERE c.enabled = true AND c.webclientrunning = true RETURN c.name, c.operatingsystem ORDER BY c.name LIMIT 1000',
  },
  {
    key: 'outbound-ntlm-restricted',
    question: 'Which computers restrict outgoing NTLM?',
    description: 'They cannot be made to sign in at the machine of an attacker.',
    advice: 'Servers that are not in the list are worth the same setting, after a time of auditing.',
    query: 'MATCH (c:Computer) WHERE c.restrictoutboundntlm = true RETURN c.name ORDER BY c.name LIMIT 1000',
  },
  {
    key: 'relay-to-smb',
    question: 'Which machine accounts can be relayed to a machine that they administer?',
    description:
      'The machine is made to sign in at the attacker, who forwards it to one without SMB signing.',
    advice: 'Require SMB signing at the target, and remove machine accounts from its administrators.',
    query: 'MATCH p = (s)-[:CoerceAndRelayNTLMToSMB]->(c:Computer) RETURN p LIMIT 1000',
  },
  {
    key: 'relay-to-ldap',
    question: 'Which computers can be taken over by a relay to a domain controller?',
    description:
      'The computer is made to sign in at the attacker, who forwards it to LDAP or LDAPS and gives himself rights over it.',
    advice: 'Require LDAP signing and channel binding, and stop WebClient.',
    query:
      'MATCH p = (s)-[:CoerceAndRelayNTLMToLDAP|CoerceAndRelayNTLMToLDAPS]->(c:Computer) RETURN p LIMIT 1000',
  },
  {
    key: 'relay-to-certificates',
    question: 'Which computers can be taken over by a relay to the web enrollment of an authority?',
    description:
      'The computer is made to sign in at the attacker, who gets a certificate in its name (ESC8).',
    advice: 'Serve enrollment over HTTPS with extended protection only, or switch it off.',
    query: 'MATCH p = (s)-[:CoerceAndRelayNTLMToADCS]->(c:Computer) RETURN p LIMIT 1000',
  },
];
