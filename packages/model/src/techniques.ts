/** The techniques of MITRE ATT&CK (Enterprise) that texts of the product mention, with their titles. Source: attack.mitre.org. */
const TECHNIQUES = {
  T1003: 'OS Credential Dumping',
  'T1003.001': 'OS Credential Dumping: LSASS Memory',
  'T1003.002': 'OS Credential Dumping: Security Account Manager',
  'T1003.003': 'OS Credential Dumping: NTDS',
  'T1003.004': 'OS Credential Dumping: LSA Secrets',
  'T1003.006': 'OS Credential Dumping: DCSync',
  T1021: 'Remote Services',
  'T1021.001': 'Remote Services: Remote Desktop Protocol',
  'T1021.002': 'Remote Services: SMB/Windows Admin Shares',
  'T1021.003': 'Remote Services: Distributed Component Object Model',
  'T1021.006': 'Remote Services: Windows Remote Management',
  T1072: 'Software Deployment Tools',
  T1078: 'Valid Accounts',
  'T1078.002': 'Valid Accounts: Domain Accounts',
  'T1078.003': 'Valid Accounts: Local Accounts',
  'T1078.004': 'Valid Accounts: Cloud Accounts',
  'T1087.002': 'Account Discovery: Domain Account',
  T1098: 'Account Manipulation',
  'T1098.001': 'Account Manipulation: Additional Cloud Credentials',
  'T1098.003': 'Account Manipulation: Additional Cloud Roles',
  'T1098.007': 'Account Manipulation: Additional Local or Domain Groups',
  T1110: 'Brute Force',
  'T1134.005': 'Access Token Manipulation: SID-History Injection',
  'T1136.002': 'Create Account: Domain Account',
  T1187: 'Forced Authentication',
  T1210: 'Exploitation of Remote Services',
  'T1222.001': 'File and Directory Permissions Modification: Windows',
  'T1484.001': 'Domain or Tenant Policy Modification: Group Policy Modification',
  'T1484.002': 'Domain or Tenant Policy Modification: Trust Modification',
  'T1505.001': 'Server Software Component: SQL Stored Procedures',
  T1528: 'Steal Application Access Token',
  T1550: 'Use Alternate Authentication Material',
  'T1550.003': 'Use Alternate Authentication Material: Pass the Ticket',
  T1552: 'Unsecured Credentials',
  'T1552.005': 'Unsecured Credentials: Cloud Instance Metadata API',
  'T1555.006': 'Credentials from Password Stores: Cloud Secrets Management Stores',
  T1556: 'Modify Authentication Process',
  'T1556.007': 'Modify Authentication Process: Hybrid Identity',
  'T1557.001': 'Adversary-in-the-Middle: LLMNR/NBT-NS Poisoning and SMB Relay',
  T1558: 'Steal or Forge Kerberos Tickets',
  'T1558.001': 'Steal or Forge Kerberos Tickets: Golden Ticket',
  'T1558.003': 'Steal or Forge Kerberos Tickets: Kerberoasting',
  'T1558.004': 'Steal or Forge Kerberos Tickets: AS-REP Roasting',
  'T1569.002': 'System Services: Service Execution',
  T1649: 'Steal or Forge Authentication Certificates',
  T1651: 'Cloud Administration Command',
} as const;

/** The number of a technique. */
export type Technique = keyof typeof TECHNIQUES;

export const techniqueAddress = (number: string): string =>
  `https://attack.mitre.org/techniques/${number.replace('.', '/')}/`;

/** @returns `undefined` for a number that only a check of an organization uses */
export const techniqueName = (number: string): string | undefined => TECHNIQUES[number as Technique];
