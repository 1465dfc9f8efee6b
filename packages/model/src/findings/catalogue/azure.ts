/** Relationship findings of Entra ID, Microsoft Graph and Azure Resource Manager. */
import type { EdgeKindName } from '../../edgeKinds.ts';
import type { Boundary, FindingCategory, RelationshipFindingType } from '../findingType.ts';

type Row = readonly [
  id: string,
  title: string,
  edge: EdgeKindName,
  family: string,
  what: string,
  boundary?: Boundary,
];

const ENTRA: readonly Row[] = [
  [
    'AzureT0AddMembers',
    'Add Members to Tier Zero Group',
    'AZAddMembers',
    'F25',
    'A user or service principal outside Tier Zero may change the members of a Tier Zero group through a directory role.',
  ],
  [
    'AzureT0AddOwner',
    'AddOwner Permission on Tier Zero Resource',
    'AZAddOwner',
    'F26',
    'A directory role outside Tier Zero may make anyone the owner of a Tier Zero application or service principal.',
  ],
  [
    'AzureT0AddSecret',
    'Add Secret to Tier Zero Principal',
    'AZAddSecret',
    'F26',
    'A directory role outside Tier Zero may add a credential to a Tier Zero application or service principal.',
  ],
  [
    'AzureT0AppAdmin',
    'Application Administrator of Tier Zero Principal',
    'AZAppAdmin',
    'F26',
    'A principal outside Tier Zero is Application Administrator of a Tier Zero application.',
  ],
  [
    'AzureT0CloudAppAdmin',
    'Cloud Application Administrator of Tier Zero Principal',
    'AZCloudAppAdmin',
    'F26',
    'A principal outside Tier Zero is Cloud Application Administrator of a Tier Zero application.',
  ],
  [
    'AzureT0ResetPassword',
    'Reset Password of Tier Zero User',
    'AZResetPassword',
    'F27',
    'A directory role outside Tier Zero may reset the password of a Tier Zero user.',
  ],
  [
    'AzureT0Owns',
    'Ownership of Tier Zero Principal',
    'AZOwns',
    'F25',
    'A principal outside Tier Zero owns a Tier Zero group, application, service principal or device.',
  ],
  [
    'AzureT0ExecuteCommand',
    'Command Execution on Tier Zero Virtual Machine',
    'AZExecuteCommand',
    'F28',
    'A principal outside Tier Zero may run commands on a Tier Zero device through endpoint management.',
  ],
  [
    'AzureT0GlobalAdmin',
    'Non-Certified Global Administrator',
    'AZGlobalAdmin',
    'F29',
    'A principal is Global Administrator of the tenant, but nobody has certified it for the zone.',
  ],
  [
    'AzureT0PrivilegedRoleAdmin',
    'Non-Certified Privileged Role Administrator',
    'AZPrivilegedRoleAdmin',
    'F29',
    'A principal is Privileged Role Administrator of the tenant, but nobody has certified it for the zone.',
  ],
  [
    'AzureT0PrivilegedAuthAdmin',
    'Non-Certified Privileged Authentication Administrator',
    'AZPrivilegedAuthAdmin',
    'F29',
    'A principal is Privileged Authentication Administrator of the tenant, but nobody has certified it for the zone.',
  ],
  [
    'AzureT0HasRole',
    'Non-Certified Principal Holding Tier Zero Role',
    'AZHasRole',
    'F29',
    'A principal holds a Tier Zero role, but nobody has certified it for the zone.',
    'uncertified',
  ],
  [
    'AzureT0RoleEligible',
    'Non-Certified Principal Eligible for Tier Zero Role',
    'AZRoleEligible',
    'F29',
    'A principal may activate a Tier Zero role, but nobody has certified it for the zone.',
    'uncertified',
  ],
  [
    'AzureT0RoleApprover',
    'Non-Tier Zero Approver of Tier Zero Role Activation',
    'AZRoleApprover',
    'F29',
    'A principal or role outside Tier Zero approves the activation of a Tier Zero role.',
  ],
  [
    'AzureT0MemberOf',
    'Non-Certified Member of Tier Zero Entra Group',
    'AZMemberOf',
    'F15',
    'A principal is a member of a Tier Zero group of Entra ID, but nobody has certified it for the zone.',
    'uncertified',
  ],
  [
    'AzureT0RunsAs',
    'Non-Certified Application Running as Tier Zero Service Principal',
    'AZRunsAs',
    'F26',
    'An application that nobody has certified runs as a Tier Zero service principal.',
    'uncertified',
  ],
  [
    'AzureT0AuthenticatesTo',
    'External Identity Trusted by Tier Zero Application',
    'AZAuthenticatesTo',
    'F30',
    'A Tier Zero application trusts a federated credential: whoever the external issuer names by its subject signs in as the application.',
  ],
];

const GRAPH: readonly Row[] = [
  [
    'AzureT0MGAddMember',
    'Tier Zero Group Control via MS Graph App Role',
    'AZMGAddMember',
    'F31',
    'A service principal outside Tier Zero may change the members of a Tier Zero group through a Microsoft Graph permission.',
  ],
  [
    'AzureT0MGAddOwner',
    'Add Owner to Tier Zero Principal via MS Graph App Role',
    'AZMGAddOwner',
    'F31',
    'A service principal outside Tier Zero may make anyone the owner of a Tier Zero group, application or service principal through a Microsoft Graph permission.',
  ],
  [
    'AzureT0MGAddSecret',
    'Add Secret to Tier Zero Principal via MS Graph App Role',
    'AZMGAddSecret',
    'F31',
    'A service principal outside Tier Zero may add a credential to a Tier Zero application or service principal through a Microsoft Graph permission.',
  ],
  [
    'AzureT0MGGrantAppRoles',
    'Grant App Roles in Tenant via MS Graph App Role',
    'AZMGGrantAppRoles',
    'F31',
    'A service principal outside Tier Zero may grant itself any application permission in the tenant.',
  ],
  [
    'AzureT0MGGrantRole',
    'Grant Tier Zero Role via MS Graph App Role',
    'AZMGGrantRole',
    'F31',
    'A service principal outside Tier Zero may assign a Tier Zero role to itself or to others.',
  ],
];

const RESOURCES: readonly Row[] = [
  [
    'AzureT0Owner',
    'Owner of Tier Zero Resource',
    'AZOwner',
    'F32',
    'A principal outside Tier Zero is Owner of a Tier Zero resource or of a scope that is in the zone.',
  ],
  [
    'AzureT0Contributor',
    'Contributor on Tier Zero Resource',
    'AZContributor',
    'F32',
    'A principal outside Tier Zero is Contributor on a Tier Zero resource or on a scope that is in the zone.',
  ],
  [
    'AzureT0UserAccessAdministrator',
    'User Access Administrator on Tier Zero Resource',
    'AZUserAccessAdministrator',
    'F32',
    'A principal outside Tier Zero may assign roles on a Tier Zero resource or on a scope that is in the zone.',
  ],
  [
    'AzureT0VMContributor',
    'Virtual Machine Contributor on Tier Zero VM',
    'AZVMContributor',
    'F33',
    'A principal outside Tier Zero manages a Tier Zero virtual machine and may run commands on it.',
  ],
  [
    'AzureT0VMAdminLogin',
    'VM Administrator Login on Tier Zero VM',
    'AZVMAdminLogin',
    'F33',
    'A principal outside Tier Zero may log on to a Tier Zero virtual machine as administrator.',
  ],
  [
    'AzureT0AvereContributor',
    'Avere Contributor on Tier Zero VM',
    'AZAvereContributor',
    'F33',
    'A principal outside Tier Zero holds the Avere Contributor role on a Tier Zero virtual machine, which includes running commands on it.',
  ],
  [
    'AzureT0AKSContributor',
    'AKS Contributor on Tier Zero Cluster',
    'AZAKSContributor',
    'F33',
    'A principal outside Tier Zero manages a Tier Zero Kubernetes cluster and may obtain its administrator credentials.',
  ],
  [
    'AzureT0NodeResourceGroup',
    'Cluster Controlling Tier Zero Node Resource Group',
    'AZNodeResourceGroup',
    'F33',
    'A Kubernetes cluster outside Tier Zero controls a resource group that is in the zone.',
  ],
  [
    'AzureT0AutomationContributor',
    'Automation Contributor on Tier Zero Account',
    'AZAutomationContributor',
    'F33',
    'A principal outside Tier Zero may change what a Tier Zero automation account runs.',
  ],
  [
    'AzureT0LogicAppContributor',
    'Logic App Contributor on Tier Zero Logic App',
    'AZLogicAppContributor',
    'F33',
    'A principal outside Tier Zero may change what a Tier Zero logic app does.',
  ],
  [
    'AzureT0WebsiteContributor',
    'Website Contributor on Tier Zero App',
    'AZWebsiteContributor',
    'F33',
    'A principal outside Tier Zero may deploy code to a Tier Zero web or function app.',
  ],
  [
    'AzureT0KeyVaultContributor',
    'Key Vault Contributor on Tier Zero Vault',
    'AZKeyVaultContributor',
    'F34',
    'A principal outside Tier Zero manages a Tier Zero key vault and may give itself access to its contents.',
  ],
  [
    'AzureT0GetSecrets',
    'Read Secrets of Tier Zero Vault',
    'AZGetSecrets',
    'F34',
    'A principal outside Tier Zero may read the secrets of a Tier Zero key vault.',
  ],
  [
    'AzureT0GetKeys',
    'Read Keys of Tier Zero Vault',
    'AZGetKeys',
    'F34',
    'A principal outside Tier Zero may read the keys of a Tier Zero key vault.',
  ],
  [
    'AzureT0GetCerts',
    'Read Certificates of Tier Zero Vault',
    'AZGetCertificates',
    'F34',
    'A principal outside Tier Zero may read the certificates of a Tier Zero key vault.',
  ],
  [
    'AzureNonT0ManagedIdentityAssignment',
    'Non Tier Zero Resource Assigned to Tier Zero Service Principal',
    'AZManagedIdentity',
    'F35',
    'A resource outside Tier Zero runs with the identity of a Tier Zero service principal.',
  ],
  [
    'AzureT0Contains',
    'Non-Certified Scope Above Tier Zero Resource',
    'AZContains',
    'F32',
    'A scope that nobody has certified contains a Tier Zero resource.',
    'uncertified',
  ],
];

const HYBRID: readonly Row[] = [
  [
    'AzureT0SyncedToEntraUser',
    'Non-Tier Zero AD User Synced to Tier Zero Entra User',
    'SyncedToEntraUser',
    'F24',
    'A user of Active Directory outside Tier Zero is synchronised with a Tier Zero user of Entra ID.',
  ],
];

const findings = (category: FindingCategory, rows: readonly Row[]): RelationshipFindingType[] =>
  rows.map(([id, title, edge, family, what, boundary = 'crossing']) => ({
    kind: 'relationship',
    id,
    title,
    edges: [edge],
    category,
    platform: 'azure',
    family,
    what,
    boundary,
  }));

export const AZURE_RELATIONSHIP_FINDINGS: readonly RelationshipFindingType[] = [
  ...findings('EN', ENTRA),
  ...findings('MG', GRAPH),
  ...findings('RM', RESOURCES),
  ...findings('HY', HYBRID),
];
