/**
 * What each kind of traversable relation means, and how it is taken away: one sentence each, for people. Kinds of
 * uploads that are not in the table are shown by their name.
 */
import { EDGE_KINDS } from '@clew/model';

export const EDGE_CATEGORIES = {
  structure: 'Structure',
  access: 'Access to computers',
  credentials: 'Credentials',
  control: 'Control of objects',
  certificates: 'Certificate services',
  trusts: 'Trusts',
  relay: 'Relayed authentication',
  synchronisation: 'Between directory and cloud',
  cloudStructure: 'Cloud: structure',
  cloudControl: 'Cloud: control of identities',
  cloudGraph: 'Cloud: rights of applications',
  cloudResources: 'Cloud: control of resources',
  other: 'Other kinds',
} as const;

export type EdgeCategory = keyof typeof EDGE_CATEGORIES;

export interface EdgeText {
  readonly category: EdgeCategory;
  /** Follows the name of the source: "... is a member of". */
  readonly phrase: string;
  readonly meaning: string;
  readonly removal: string;
}

const ENTRY =
  'Remove the entry from the access list of the target, or where it is inherited from, on the object that hands it down.';
const TEMPLATE =
  'Narrow who may enrol in the template or at the authority, or take the template from the authority. What this relation is made of shows which.';
const RELAY =
  'Ask for signing and channel binding at the target, and take away what lets others make the computer authenticate.';
const AZURE_ROLE =
  'Take the role assignment away, or make it eligible with approval, at the narrowest scope that does.';
const APP_ROLE =
  'Take the application permission from the service principal, or replace it by a narrower one.';

type Row = readonly [category: EdgeCategory, phrase: string, meaning: string, removal: string];

const ROWS: Readonly<Record<string, Row>> = {
  MemberOf: [
    'structure',
    'is a member of',
    'A member has every right of the group.',
    'Take the member out of the group.',
  ],
  Contains: [
    'structure',
    'contains',
    'Rights on a container reach what is inside it where they are inherited.',
    'Move the object elsewhere, or stop inheritance on it.',
  ],
  ContainsIdentity: [
    'structure',
    'contains',
    'The container holds this principal.',
    'Move the object elsewhere.',
  ],
  PropagatesACEsTo: [
    'structure',
    'hands rights down to',
    'Entries of the access list of the container are inherited by the object.',
    'Stop inheritance on the object, or move it.',
  ],
  GPLink: [
    'structure',
    'is linked to',
    'Settings of the policy apply below the place that it is linked to.',
    'Remove the link of the policy.',
  ],
  GPOAppliesTo: [
    'structure',
    'applies to',
    'Settings of the policy are applied by the object.',
    'Remove the link, or filter the policy.',
  ],
  CanApplyGPO: [
    'structure',
    'can apply policies to',
    'Who may link policies there decides what the objects below do.',
    'Remove the right to link policies there.',
  ],
  HasSession: [
    'credentials',
    'has a session of',
    'Control of the computer gives the credentials of who is signed in there.',
    'Sign the user out, and keep accounts of higher zones off this computer.',
  ],
  AdminTo: [
    'access',
    'administers',
    'A local administrator controls the computer and what is signed in on it.',
    'Take the principal out of the local administrators.',
  ],
  CanRDP: [
    'access',
    'can log on by RDP to',
    'An interactive logon runs programs on the computer.',
    'Take the right to log on by Remote Desktop, or the membership of Remote Desktop Users, away.',
  ],
  CanPSRemote: [
    'access',
    'can open a remote shell on',
    'A remote shell runs programs on the computer.',
    'Take the principal out of Remote Management Users.',
  ],
  ExecuteDCOM: [
    'access',
    'can run objects on',
    'Objects started over the network run programs on the computer.',
    'Take the principal out of Distributed COM Users.',
  ],
  SQLAdmin: [
    'access',
    'administers the database of',
    'An administrator of the database can run programs as its service.',
    'Take the role of the database server away.',
  ],
  CanBackup: [
    'access',
    'can back up',
    'Backup privileges read and write every file of the computer.',
    'Take the principal out of Backup Operators.',
  ],
  DCFor: [
    'structure',
    'is a domain controller of',
    'A domain controller holds the secrets of the whole domain.',
    'None: protect the controller as the domain itself.',
  ],
  AllowedToDelegate: [
    'credentials',
    'may delegate to',
    'It can act as others towards the services of the target.',
    'Remove the target from the services that the account may delegate to.',
  ],
  AllowedToAct: [
    'credentials',
    'may act for others on',
    'It can act as others towards the computer (resource-based delegation).',
    'Empty msDS-AllowedToActOnBehalfOfOtherIdentity of the computer.',
  ],
  AddAllowedToAct: [
    'control',
    'can set delegation on',
    'It can let an account act as others towards the computer.',
    ENTRY,
  ],
  HasSIDHistory: [
    'credentials',
    'carries the identity of',
    'Its tickets carry the rights of the other account as well.',
    'Clear sIDHistory of the account.',
  ],
  DumpSMSAPassword: [
    'credentials',
    'stores the password of',
    'The computer holds the password of the service account.',
    'Remove the account from the computer, or replace it by a group-managed one.',
  ],
  CoerceToTGT: [
    'credentials',
    'can collect tickets of',
    'A computer with unconstrained delegation keeps the tickets of those who authenticate to it.',
    'Replace unconstrained delegation by constrained delegation.',
  ],
  GenericAll: ['control', 'has full control of', 'Full control of an object is every right on it.', ENTRY],
  GenericWrite: ['control', 'can write to', 'It can change most attributes of the object.', ENTRY],
  WriteDacl: ['control', 'can change the rights on', 'It can give itself any right on the object.', ENTRY],
  WriteOwner: ['control', 'can take over', 'It can make itself the owner, who may change rights.', ENTRY],
  Owns: [
    'control',
    'owns',
    'The owner may change the rights on the object.',
    'Give the object another owner.',
  ],
  OwnsLimitedRights: [
    'control',
    'owns, with limits,',
    'The owner has the rights that the entry for owners leaves.',
    'Give the object another owner.',
  ],
  WriteOwnerLimitedRights: [
    'control',
    'can take over, with limits,',
    'It can become the owner, with the rights that the entry for owners leaves.',
    ENTRY,
  ],
  ForceChangePassword: [
    'control',
    'can reset the password of',
    'It can set another password without the old one.',
    ENTRY,
  ],
  AllExtendedRights: [
    'control',
    'has all extended rights on',
    'Among them are resetting passwords and reading secrets.',
    ENTRY,
  ],
  AddMember: ['control', 'can add members to', 'It can make itself a member of the group.', ENTRY],
  AddSelf: ['control', 'can add itself to', 'It can make itself a member of the group.', ENTRY],
  AddKeyCredentialLink: ['control', 'can add a key to', 'A key that it adds signs in as the object.', ENTRY],
  ReadLAPSPassword: [
    'credentials',
    'can read the local password of',
    'It reads the password of the local administrator.',
    ENTRY,
  ],
  ReadGMSAPassword: [
    'credentials',
    'can read the password of',
    'It reads the password of the managed service account.',
    'Take the principal off the list of those who may retrieve the password.',
  ],
  SyncLAPSPassword: [
    'credentials',
    'can replicate the local password of',
    'It replicates confidential attributes, among them local passwords.',
    'Take the replication right on the domain away.',
  ],
  WriteSPN: [
    'control',
    'can set service names of',
    'A service name lets others ask for tickets that are encrypted with its password.',
    ENTRY,
  ],
  WriteAccountRestrictions: [
    'control',
    'can set account restrictions of',
    'Among them is who may delegate to the object.',
    ENTRY,
  ],
  WriteGPLink: [
    'control',
    'can link policies to',
    'A policy that it links applies to everything below.',
    ENTRY,
  ],
  WriteAltSecurityIdentities: [
    'control',
    'can map certificates to',
    'A certificate that it maps signs in as the object.',
    ENTRY,
  ],
  WritePublicInformation: [
    'control',
    'can write public information of',
    'Among it are identities that certificates are mapped to.',
    ENTRY,
  ],
  ManageCA: [
    'certificates',
    'manages',
    'An administrator of the authority changes what it issues, and to whom.',
    'Take the right on the authority away.',
  ],
  ManageCertificates: [
    'certificates',
    'manages certificates of',
    'It approves requests that wait.',
    'Take the right on the authority away.',
  ],
  DCSync: [
    'credentials',
    'can replicate the secrets of',
    'It can copy the password hash of every account of the domain.',
    'Remove the replication rights from the access list of the domain.',
  ],
  SameForestTrust: [
    'trusts',
    'is in one forest with',
    'A forest is the security boundary, a domain is not.',
    'None inside a forest: protect both domains alike.',
  ],
  SpoofSIDHistory: [
    'trusts',
    'can pass identities into',
    'The trust does not filter identities of other domains.',
    'Switch the filtering of identities on for the trust.',
  ],
  AbuseTGTDelegation: [
    'trusts',
    'receives tickets of',
    'The trust hands full tickets over to the other forest.',
    'Switch the delegation of tickets off for the trust.',
  ],
  HasTrustKeys: [
    'trusts',
    'holds the trust keys of',
    'Keys of a trust make tickets for the other domain.',
    'None: protect the domain that holds the keys.',
  ],
  ClaimSpecialIdentity: [
    'structure',
    'stands for',
    'Everyone of this group has what the special identity has.',
    'Take the right from the special identity.',
  ],
  GoldenCert: [
    'certificates',
    'holds the key that signs for',
    'With the key of the authority any certificate of the domain can be made.',
    'Protect the computer of the authority as a domain controller.',
  ],
  ADCSESC1: [
    'certificates',
    'can enrol as anyone in',
    'The template lets who asks name another subject.',
    TEMPLATE,
  ],
  ADCSESC3: [
    'certificates',
    'can enrol for others in',
    'A certificate of an enrolment agent asks for certificates of others.',
    TEMPLATE,
  ],
  ADCSESC4: [
    'certificates',
    'can rewrite templates of',
    'Who controls a template can make it unsafe.',
    TEMPLATE,
  ],
  ADCSESC6a: [
    'certificates',
    'can name others in requests to',
    'The authority takes subject names from requests.',
    'Take EDITF_ATTRIBUTESUBJECTALTNAME2 from the authority.',
  ],
  ADCSESC6b: [
    'certificates',
    'can name others in requests to',
    'The authority takes subject names from requests.',
    'Take EDITF_ATTRIBUTESUBJECTALTNAME2 from the authority.',
  ],
  ADCSESC9a: [
    'certificates',
    'can enrol with another name in',
    'Certificates without the security extension are mapped by name.',
    TEMPLATE,
  ],
  ADCSESC9b: [
    'certificates',
    'can enrol with another name in',
    'Certificates without the security extension are mapped by name.',
    TEMPLATE,
  ],
  ADCSESC10a: [
    'certificates',
    'can enrol with another name in',
    'Controllers that map certificates weakly take the name for the identity.',
    'Set strong certificate mapping on the domain controllers.',
  ],
  ADCSESC10b: [
    'certificates',
    'can enrol with another name in',
    'Controllers that map certificates weakly take the name for the identity.',
    'Set strong certificate mapping on the domain controllers.',
  ],
  ADCSESC13: [
    'certificates',
    'gets by certificate the rights of',
    'An issuance policy is linked to the group.',
    'Remove the link of the policy to the group, or narrow who may enrol.',
  ],
  ADCSESC16: [
    'certificates',
    'can enrol with another name in',
    'The authority leaves the security extension out of all certificates.',
    'Let the authority write the security extension again.',
  ],
  CoerceAndRelayNTLMToSMB: [
    'relay',
    'can relay a computer to',
    'Authentication of one computer is handed on to another.',
    RELAY,
  ],
  CoerceAndRelayNTLMToADCS: [
    'relay',
    'can relay a computer for a certificate of',
    'Authentication of the computer is handed on to web enrolment.',
    RELAY,
  ],
  CoerceAndRelayNTLMToLDAP: [
    'relay',
    'can relay to the directory',
    'Authentication of the computer is handed on to a controller.',
    RELAY,
  ],
  CoerceAndRelayNTLMToLDAPS: [
    'relay',
    'can relay to the directory',
    'Authentication of the computer is handed on to a controller.',
    RELAY,
  ],
  CanReanimateTombstone: [
    'control',
    'can bring back',
    'A deleted object comes back with its rights.',
    'Take the right to reanimate tombstones away.',
  ],
  CanUseBadSuccessor: [
    'control',
    'can make a successor of',
    'A delegated managed account can take the rights of the account it follows.',
    'Take the right to make such accounts in the container away.',
  ],
  SyncedToEntraUser: [
    'synchronisation',
    'is synchronised to',
    'Its password and sign-in carry over to the cloud.',
    'Keep privileged cloud accounts out of synchronisation.',
  ],
  SyncedToADUser: [
    'synchronisation',
    'is synchronised to',
    'Changes of the cloud account are written back.',
    'Switch writing back off for privileged accounts.',
  ],
  AZContains: [
    'cloudStructure',
    'contains',
    'Roles on a scope reach what is below it.',
    'Move the resource elsewhere.',
  ],
  AZMemberOf: [
    'cloudStructure',
    'is a member of',
    'A member has every right of the group.',
    'Take the member out of the group.',
  ],
  AZNodeResourceGroup: [
    'cloudStructure',
    'runs its nodes in',
    'The cluster manages the resources of the group.',
    'Keep other workloads out of that resource group.',
  ],
  AZRunsAs: [
    'cloudStructure',
    'signs in as',
    'Credentials of the application sign in as the service principal.',
    'None: protect the application as its service principal.',
  ],
  AZAuthenticatesTo: [
    'cloudStructure',
    'signs in to',
    'A federated credential signs in as the application.',
    'Remove the federated credential.',
  ],
  AZManagedIdentity: [
    'cloudResources',
    'has the identity',
    'Programs on the resource act as the identity.',
    'Take the identity from the resource, or narrow its roles.',
  ],
  AZHasRole: ['cloudControl', 'has the role', 'The role gives its rights at once.', AZURE_ROLE],
  AZRoleEligible: ['cloudControl', 'may activate the role', 'An eligible role can be activated.', AZURE_ROLE],
  AZRoleApprover: [
    'cloudControl',
    'approves the role',
    'It decides who may activate the role.',
    'Name other approvers.',
  ],
  AZAppAdmin: [
    'cloudControl',
    'administers the application',
    'It can add credentials to applications.',
    AZURE_ROLE,
  ],
  AZCloudAppAdmin: [
    'cloudControl',
    'administers the application',
    'It can add credentials to applications.',
    AZURE_ROLE,
  ],
  AZOwns: [
    'cloudControl',
    'owns',
    'An owner changes the object and its credentials.',
    'Take the owner away.',
  ],
  AZOwner: ['cloudResources', 'is owner of', 'An owner manages the resource and who may.', AZURE_ROLE],
  AZResetPassword: [
    'cloudControl',
    'can reset the password of',
    'It can set another password without the old one.',
    AZURE_ROLE,
  ],
  AZAddSecret: [
    'cloudControl',
    'can add a secret to',
    'A secret that it adds signs in as the application.',
    AZURE_ROLE,
  ],
  AZAddOwner: ['cloudControl', 'can add owners to', 'It can make itself an owner.', AZURE_ROLE],
  AZAddMembers: ['cloudControl', 'can add members to', 'It can make itself a member.', AZURE_ROLE],
  AZGlobalAdmin: ['cloudControl', 'is Global Administrator of', 'It controls the whole tenant.', AZURE_ROLE],
  AZPrivilegedRoleAdmin: ['cloudControl', 'assigns roles in', 'It can give itself any role.', AZURE_ROLE],
  AZPrivilegedAuthAdmin: [
    'cloudControl',
    'resets authentication in',
    'It can reset the authentication of administrators.',
    AZURE_ROLE,
  ],
  AZGrant: ['cloudControl', 'can grant rights on', 'It can give rights to others.', AZURE_ROLE],
  AZGrantSelf: ['cloudControl', 'can grant itself rights on', 'It can give rights to itself.', AZURE_ROLE],
  AZMGAddMember: [
    'cloudGraph',
    'can add members to',
    'An application permission lets it change members.',
    APP_ROLE,
  ],
  AZMGAddOwner: [
    'cloudGraph',
    'can add owners to',
    'An application permission lets it change owners.',
    APP_ROLE,
  ],
  AZMGAddSecret: [
    'cloudGraph',
    'can add a secret to',
    'An application permission lets it add credentials.',
    APP_ROLE,
  ],
  AZMGGrantAppRoles: [
    'cloudGraph',
    'can grant permissions in',
    'It can give itself application permissions.',
    APP_ROLE,
  ],
  AZMGGrantRole: ['cloudGraph', 'can grant roles in', 'It can give itself roles of the directory.', APP_ROLE],
  AZContributor: [
    'cloudResources',
    'contributes to',
    'A contributor changes the resource and what runs on it.',
    AZURE_ROLE,
  ],
  AZUserAccessAdministrator: [
    'cloudResources',
    'assigns access to',
    'It can give itself any role on the resource.',
    AZURE_ROLE,
  ],
  AZVMContributor: [
    'cloudResources',
    'manages the machine',
    'It can run commands on the machine.',
    AZURE_ROLE,
  ],
  AZAvereContributor: [
    'cloudResources',
    'manages machines of',
    'It can run commands on machines of the scope.',
    AZURE_ROLE,
  ],
  AZVMAdminLogin: [
    'cloudResources',
    'signs in as administrator on',
    'It signs in to the machine as an administrator.',
    AZURE_ROLE,
  ],
  AZWebsiteContributor: [
    'cloudResources',
    'manages the site',
    'It changes the code that runs there.',
    AZURE_ROLE,
  ],
  AZLogicAppContributor: [
    'cloudResources',
    'manages the workflow',
    'It changes what runs there.',
    AZURE_ROLE,
  ],
  AZAutomationContributor: [
    'cloudResources',
    'manages the automation',
    'It changes what runs there.',
    AZURE_ROLE,
  ],
  AZAKSContributor: [
    'cloudResources',
    'manages the cluster',
    'It takes administrator credentials of the cluster.',
    AZURE_ROLE,
  ],
  AZKeyVaultContributor: [
    'cloudResources',
    'manages the vault',
    'It can change who reads the vault.',
    AZURE_ROLE,
  ],
  AZGetCertificates: [
    'cloudResources',
    'reads certificates of',
    'What the vault keeps can be read.',
    'Take the right from the access policy of the vault.',
  ],
  AZGetKeys: [
    'cloudResources',
    'reads keys of',
    'What the vault keeps can be read.',
    'Take the right from the access policy of the vault.',
  ],
  AZGetSecrets: [
    'cloudResources',
    'reads secrets of',
    'What the vault keeps can be read.',
    'Take the right from the access policy of the vault.',
  ],
  AZExecuteCommand: ['cloudResources', 'runs commands on', 'It can run commands on the device.', AZURE_ROLE],
};

export function edgeText(kind: string): EdgeText {
  const row = Object.hasOwn(ROWS, kind) ? ROWS[kind] : undefined;
  if (row === undefined)
    return {
      category: 'other',
      phrase: kind,
      meaning: 'A kind of relation that comes from an upload.',
      removal: 'Where the relation comes from tells how it is taken away.',
    };
  const [category, phrase, meaning, removal] = row;
  return { category, phrase, meaning, removal };
}

/** Built-in traversable kinds by category, in the order of the categories. */
export const TRAVERSABLE_KINDS: ReadonlyMap<EdgeCategory, readonly string[]> = (() => {
  const byCategory = new Map<EdgeCategory, string[]>();
  for (const category of Object.keys(EDGE_CATEGORIES) as EdgeCategory[]) byCategory.set(category, []);
  for (const { name, traversable } of EDGE_KINDS)
    if (traversable) byCategory.get(edgeText(name).category)!.push(name);
  for (const [category, names] of byCategory) if (names.length === 0) byCategory.delete(category);
  return byCategory;
})();

/** Derived relations have a composition: the relations that they follow from. */
export const isDerived = (kind: string): boolean =>
  EDGE_KINDS.some(({ name, origin }) => name === kind && origin !== 'collected');
