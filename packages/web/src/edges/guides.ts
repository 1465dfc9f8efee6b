/**
 * How attackers use a relationship, in general terms, and the traces in logs, for defenders who search for them. Event numbers
 * refer to the Windows security log unless another log is named; techniques refer to attack.mitre.org.
 */
import type { EdgeKindName, Technique } from '@clew/model';
import { type EdgeCategory, edgeText } from './edgeKinds.ts';

export interface Guide {
  readonly use: string;
  /** Absent if the use itself leaves no traces. */
  readonly traces: string;
  /** Technique numbers. */
  readonly techniques: readonly Technique[];
}

const NO_TRACES = 'This step alone is not logged: the steps before and after it leave traces.';

const BY_CATEGORY: Readonly<Record<EdgeCategory, Guide>> = {
  structure: {
    use: 'The attacker does not have to do anything: anyone who controls the first object has the rights of the second.',
    traces: NO_TRACES,
    techniques: ['T1078.002'],
  },
  access: {
    use: 'The attacker uses the account to sign in to the computer remotely, and runs programs there.',
    traces:
      'Event 4624 on the computer (sign-in of type 3 or 10, with the source address), 4672 for administrators, 7045 in the System log for a new service.',
    techniques: ['T1021'],
  },
  credentials: {
    use: 'The attacker reads a secret that is stored or sent there, or requests a ticket, and uses it to sign in as someone else.',
    traces:
      'Events 4768 and 4769 on domain controllers for tickets, 4662 for attributes that were read, Sysmon event 10 for access to LSASS memory.',
    techniques: ['T1003', 'T1558'],
  },
  control: {
    use: 'The attacker uses this right to change the object: its password, members, owner, access control list, or an attribute that gives access.',
    traces:
      'On domain controllers, event 5136 for each changed attribute, if auditing of directory changes is on and the object has an audit entry; 4724 for a reset password; 4728, 4732 and 4756 for added members.',
    techniques: ['T1098', 'T1222.001'],
  },
  certificates: {
    use: 'The attacker enrolls for a certificate that is valid for another account, and uses it to sign in.',
    traces:
      'Events 4886 and 4887 on the CA for requests and issued certificates, if CA auditing is on; 4768 with a certificate on domain controllers.',
    techniques: ['T1649'],
  },
  trusts: {
    use: 'The attacker forges or changes a ticket of one domain, and the other domain accepts it.',
    traces: 'Event 4769 on domain controllers of the other domain; 4675 for filtered SIDs.',
    techniques: ['T1134.005', 'T1484.002'],
  },
  relay: {
    use: 'The attacker coerces a computer to authenticate to a machine of the attacker, and relays this authentication to a service that does not require signing.',
    traces:
      'Event 4624 with NTLM for a computer account from an address that is not its own; 8001 to 8004 in the NTLM log, if it is on.',
    techniques: ['T1557.001', 'T1187'],
  },
  synchronization: {
    use: 'The attacker changes the account on one side, and synchronization copies the change to the other side.',
    traces:
      'Entra ID sign-in and audit logs for the synchronized account; 4724 and 4738 on domain controllers.',
    techniques: ['T1556.007'],
  },
  cloudStructure: {
    use: 'The attacker does not have to do anything: anyone who controls the first object has the rights of the second.',
    traces: NO_TRACES,
    techniques: ['T1078.004'],
  },
  cloudControl: {
    use: 'The attacker resets a password, or adds a secret, an owner, a member or a role in Entra ID, and uses it to sign in.',
    traces:
      'Entra ID audit log: reset passwords, and added credentials, owners, members and role assignments.',
    techniques: ['T1098.001', 'T1098.003'],
  },
  cloudGraph: {
    use: 'The attacker uses a Microsoft Graph permission of an application to add members, owners, secrets or roles.',
    traces:
      'Entra ID audit log with the application as the actor; Microsoft Graph activity log, if it is on.',
    techniques: ['T1098.003', 'T1528'],
  },
  cloudResources: {
    use: 'The attacker runs a program on the resource, reads its secrets, or signs in as its managed identity.',
    traces:
      'Azure activity log for changes and commands; diagnostic log of the key vault for secrets that were read.',
    techniques: ['T1651', 'T1552.005'],
  },
  other: {
    use: 'The attacker uses the right in the name of the relationship, and acts as its target.',
    traces: NO_TRACES,
    techniques: ['T1078'],
  },
};

const INHERITED: Guide = {
  use: 'The attacker uses a right on the container that its objects inherit, or adds such a right.',
  traces:
    'Event 5136 for nTSecurityDescriptor of the container, if an entry was added; then the traces of the right itself.',
  techniques: ['T1222.001'],
};

const POLICY: Guide = {
  use: 'The attacker changes the group policy, and every computer and user in its scope applies it.',
  traces: 'Event 5136 for the policy and its version; changed files in SYSVOL.',
  techniques: ['T1484.001'],
};

const LINK: Guide = {
  use: 'The attacker links a group policy of the attacker there, and every computer and user below applies it.',
  traces: 'Event 5136 for gPLink of the domain or organizational unit.',
  techniques: ['T1484.001'],
};

const MEMBER: Guide = {
  use: 'The attacker adds an account of the attacker to the group, which has the rights of the group from its next sign-in on.',
  traces: 'Events 4728, 4732 and 4756 on domain controllers: a member was added.',
  techniques: ['T1098.007'],
};

/** Texts for single kinds; missing texts come from the category. */
const BY_KIND: Readonly<Partial<Record<EdgeKindName, Partial<Guide>>>> = {
  Contains: INHERITED,
  PropagatesACEsTo: INHERITED,
  GPLink: POLICY,
  GPOAppliesTo: POLICY,
  CanApplyGPO: LINK,
  WriteGPLink: LINK,
  AddMember: MEMBER,
  AddSelf: MEMBER,
  ContainsIdentity: {
    use: 'The attacker links a group policy of the attacker to the organizational unit, and the account applies it; or the attacker uses control of the whole domain.',
    traces:
      'Event 5136 for gPLink of the domain or organizational unit; then the traces of the right itself.',
    techniques: ['T1484.001'],
  },
  DCFor: {
    use: 'The attacker controls the domain controller, and reads the password hashes of all accounts of the domain from it.',
    traces:
      'ESENT events 325 to 327 in the Application log of the domain controller for copies of its database; Sysmon event 10 for access to LSASS memory.',
    techniques: ['T1003.003'],
  },
  DCSync: {
    use: 'The attacker requests the password hashes of all accounts from a domain controller, as another domain controller does.',
    traces:
      'Event 4662 on the domain with the replication rights (1131f6aa, 1131f6ad) by an account that is not a domain controller.',
    techniques: ['T1003.006'],
  },
  HasSession: {
    use: 'The attacker controls the computer, reads credentials of the signed-in account from its memory, and acts as this account.',
    traces:
      'Sysmon event 10 for access to LSASS memory; later sign-ins (4624) of that account from elsewhere.',
    techniques: ['T1003.001', 'T1550'],
  },
  ForceChangePassword: {
    use: 'The attacker sets a new password without knowing the old one, and signs in as the account. The user of the account notices this.',
    traces: 'Event 4724 on domain controllers: another account reset the password.',
    techniques: ['T1098'],
  },
  WriteSPN: {
    use: 'The attacker adds a service principal name to the account, requests a ticket for it, and guesses its password offline.',
    traces: 'Event 5136 for servicePrincipalName, then 4769 with RC4 (0x17) for the account.',
    techniques: ['T1558.003'],
  },
  AddKeyCredentialLink: {
    use: 'The attacker adds a key credential to the account, and uses it to sign in instead of the password.',
    traces: 'Event 5136 for msDS-KeyCredentialLink, then 4768 with a certificate.',
    techniques: ['T1556', 'T1098'],
  },
  ReadLAPSPassword: {
    use: 'The attacker reads the password of the local administrator from the directory, and uses it to sign in.',
    traces:
      'Event 4662 for the LAPS attribute of the computer, if it has an audit entry; then 4624 of the local administrator.',
    techniques: ['T1552'],
  },
  ReadGMSAPassword: {
    use: 'The attacker reads the managed password of the service account, and signs in as it.',
    traces:
      'Event 4662 for msDS-ManagedPassword by an account other than the computers that run the service, if the account has an audit entry.',
    techniques: ['T1552'],
  },
  AllowedToDelegate: { techniques: ['T1558', 'T1550.003'] },
  AllowedToAct: { techniques: ['T1558', 'T1550.003'] },
  GoldenCert: {
    use: 'The attacker steals the private key of the CA, and creates certificates for any account without the CA.',
    traces:
      'On the CA, event 5058 for the key file, and 70 in the CAPI2 log, if it is on; forged certificates are not in its database.',
  },
  ADCSESC4: {
    use: 'The attacker changes the template so that it issues certificates for other accounts, and enrolls.',
    traces:
      'Event 5136 for the attributes of the template; 4899 and 4900 on the CA; then 4886 and 4887 for the certificate.',
  },
  ADCSESC13: {
    use: 'The attacker enrolls for a certificate with a policy that is linked to a group, and uses it to sign in with the rights of the group.',
  },
  ManageCA: {
    use: 'The attacker changes the settings of the CA or becomes a certificate manager, and makes the CA issue a certificate for another account.',
    traces:
      'Events 4882, 4890 and 4892 on the CA for changed permissions and settings, if its auditing is on.',
  },
  HasSIDHistory: {
    use: 'The attacker does not have to do anything: anyone who controls the first account has the rights of the second at each sign-in.',
    traces: NO_TRACES,
    techniques: ['T1134.005'],
  },
  DumpSMSAPassword: {
    use: 'The attacker controls the computer, reads the stored password of the service account, and signs in as this account.',
    traces: 'Later sign-ins (4624) of the service account from elsewhere.',
    techniques: ['T1003.004'],
  },
  SyncLAPSPassword: {
    use: 'The attacker requests changes with confidential attributes from a domain controller, and reads the password of the local administrator.',
    traces:
      'Event 4662 on the domain with the replication right 89e95b76 by an account that is not a domain controller.',
    techniques: ['T1003.006', 'T1552'],
  },
  CoerceToTGT: {
    use: 'The attacker coerces a domain controller to authenticate to a computer with unconstrained delegation, which receives its ticket.',
    traces: 'Event 4624 for the account of a domain controller on that computer; then 4769 with this ticket.',
    techniques: ['T1187', 'T1558'],
  },
  AbuseTGTDelegation: {
    use: 'The attacker coerces a domain controller of the other domain to authenticate to a computer with unconstrained delegation, which receives its ticket.',
    traces: 'Event 4624 for a domain controller of the other domain on that computer.',
    techniques: ['T1187', 'T1558'],
  },
  HasTrustKeys: {
    use: 'The attacker controls the domain, reads the trust key, and uses it to sign in to the other domain.',
    traces: 'Event 4768 for the trust account on domain controllers of the other domain.',
    techniques: ['T1003.006', 'T1558'],
  },
  CanReanimateTombstone: {
    use: 'The attacker restores a deleted object, which has its rights again, and acts as this object.',
    traces: 'Event 5138 on domain controllers: an object was undeleted.',
  },
  CanUseBadSuccessor: {
    use: 'The attacker creates a delegated managed service account as the successor of another account, and gets its rights.',
    traces: 'Event 5137 for the new account; 5136 for msDS-ManagedAccountPrecededByLink.',
  },
  CanAddComputer: {
    use: 'The attacker joins a computer of the attacker to the domain, and acts as its account.',
    traces: 'Event 4741 on domain controllers: a computer account was created.',
    techniques: ['T1136.002'],
  },
  CanBackup: {
    use: 'The attacker reads every file and the registry of the computer, including password hashes, regardless of access control lists.',
    traces: 'Event 4624 of type 3 on the computer; 4672 with SeBackupPrivilege.',
    techniques: ['T1003.002'],
  },
  SQLAdmin: {
    use: 'The attacker signs in to the database, and runs programs as its service.',
    traces:
      'Events 18453 and 18454 of SQL Server in the Application log for sign-ins, if they are audited; 15457 for changed options.',
    techniques: ['T1505.001'],
  },
  CanRDP: { techniques: ['T1021.001'] },
  CanPSRemote: { techniques: ['T1021.006'] },
  ExecuteDCOM: { techniques: ['T1021.003'] },
  AdminTo: { techniques: ['T1021.002', 'T1569.002'] },
};

/** @returns the guide of a built-in kind of relationships */
export function guideOf(kind: string): Guide {
  return { ...BY_CATEGORY[edgeText(kind).category], ...BY_KIND[kind as EdgeKindName] };
}
