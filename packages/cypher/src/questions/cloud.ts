import type { QuestionOfCategory } from './question.ts';

export const CLOUD_QUESTIONS: readonly QuestionOfCategory[] = [
  {
    key: 'service-principals-to-tier-zero',
    question: 'Which applications can reach Tier Zero in the cloud?',
    description: 'Attack paths that start at an application: its secrets are often in code and pipelines.',
    advice: 'Remove the permission, or replace secrets with managed identities.',
    query:
      'MATCH p = shortestPath((s:AZServicePrincipal)-[:AZ_ATTACK_PATHS*1..]->(t:Tag_Tier_Zero)) WHERE s <> t RETURN p LIMIT 1000',
  },
  {
    key: 'graph-role-management',
    question: 'Which applications can grant roles or permissions through Microsoft Graph?',
    description:
      'RoleManagement and AppRoleAssignment permissions: the application can make itself Global Administrator.',
    advice: 'Remove them; hardly any application needs such a permission permanently.',
    query: 'MATCH p = (s:AZServicePrincipal)-[:AZMGGrantRole|AZMGGrantAppRoles]->(t) RETURN p LIMIT 1000',
  },
  {
    key: 'graph-application-control',
    question: 'Which applications can add secrets or owners to others through Microsoft Graph?',
    description: 'Application.ReadWrite.All: it can sign in as any other application.',
    advice: 'Use Application.ReadWrite.OwnedBy.',
    query:
      'MATCH (s:AZServicePrincipal)-[:AZMGAddSecret|AZMGAddOwner]->(t) RETURN s.name, count(DISTINCT t) AS targets ORDER BY targets DESC, s.name LIMIT 100',
  },
  {
    key: 'graph-group-control',
    question: 'Which applications can add members to groups through Microsoft Graph?',
    description: 'Groups give access to data and subscriptions, and some of them give roles.',
    advice: 'Limit the permission to the groups that the application manages.',
    query:
      'MATCH (s:AZServicePrincipal)-[:AZMGAddMember]->(g) RETURN s.name, count(DISTINCT g) AS groups ORDER BY groups DESC, s.name LIMIT 100',
  },
  {
    key: 'owners-of-applications',
    question: 'Who owns applications?',
    description: 'An owner can add secrets, and sign in as the application.',
    advice: 'Remove owners who have left; make the people who run the application its owners.',
    query: 'MATCH p = (s)-[:AZOwns]->(a) WHERE a:AZApp OR a:AZServicePrincipal RETURN p LIMIT 1000',
  },
  {
    key: 'owners-of-applications-with-roles',
    question: 'Who owns an application with a role or a Microsoft Graph permission?',
    description: 'The owner has the rights of the application.',
    advice: 'Owners must belong to the zone of the application; remove all others.',
    query:
      'MATCH (s)-[:AZOwns]->(a)-[:AZRunsAs*0..1]->(p:AZServicePrincipal)-[:AZHasRole|AZMGGrantRole|AZMGGrantAppRoles|AZMGAddSecret|AZMGAddOwner|AZMGAddMember]->(t) RETURN s.name, p.name, count(DISTINCT t) AS targets ORDER BY targets DESC, s.name LIMIT 1000',
  },
  {
    key: 'foreign-applications',
    question: 'Which applications belong to another organization?',
    description: 'Another organization controls their code and secrets, but their permissions apply here.',
    advice: 'Remove unused applications, and permissions that are not needed.',
    query:
      'MATCH (s:AZServicePrincipal) WHERE s.appownerorganizationid IS NOT NULL AND s.appownerorganizationid <> s.tenantid RETURN s.name, s.appownerorganizationid ORDER BY s.name LIMIT 1000',
  },
  {
    key: 'foreign-applications-with-control',
    question: 'Which applications of another organization have a role or a Microsoft Graph permission?',
    description: 'A compromise of the other organization affects this one.',
    advice: 'Request a narrower permission; remove the application if it needs a broader one.',
    query:
      'MATCH p = (s:AZServicePrincipal)-[r]->(t) WHERE s.appownerorganizationid <> s.tenantid AND r.traversable = true RETURN p LIMIT 1000',
  },
  {
    key: 'guests',
    question: 'Which guest users exist?',
    description: 'Accounts from other organizations.',
    advice: 'Remove guests who have not signed in; review the others every quarter.',
    query: "MATCH (u:AZUser) WHERE u.usertype = 'Guest' RETURN u.name, u.enabled ORDER BY u.name LIMIT 1000",
  },
  {
    key: 'guests-to-tier-zero',
    question: 'Which guests can reach Tier Zero?',
    description: 'Attack paths that start outside the organization.',
    advice: 'Cut the first step; guests do not need membership in groups with roles.',
    query:
      "MATCH p = shortestPath((u:AZUser)-[:AZ_ATTACK_PATHS*1..]->(t:Tag_Tier_Zero)) WHERE u.usertype = 'Guest' RETURN p LIMIT 1000",
  },
  {
    key: 'subscription-owners',
    question: 'Who owns subscriptions, or can grant access to them?',
    description: 'Owners and user access administrators of subscriptions and management groups.',
    advice: 'Three for each are enough; activate the role only for the duration of the work.',
    query:
      'MATCH p = (s)-[:AZOwner|AZUserAccessAdministrator]->(t) WHERE t:AZSubscription OR t:AZManagementGroup RETURN p LIMIT 1000',
  },
  {
    key: 'key-vault-readers',
    question: 'Who reads secrets, keys or certificates of key vaults?',
    description: 'The contents of a vault give access to other systems.',
    advice: 'Grant access to the identity of the application that needs it, and to no people.',
    query: 'MATCH p = (s)-[:AZGetSecrets|AZGetKeys|AZGetCertificates]->(v:AZKeyVault) RETURN p LIMIT 1000',
  },
  {
    key: 'managed-identities',
    question: 'Which virtual machines and functions have an identity with control of an object?',
    description: 'Anyone who can run code there can act as the identity.',
    advice: 'Remove rights that the code does not use from the identity.',
    query: 'MATCH p = (m)-[:AZManagedIdentity]->(s:AZServicePrincipal) RETURN p LIMIT 1000',
  },
  {
    key: 'federated-credentials',
    question: 'Which external pipelines can sign in as an application?',
    description: 'Federated credentials: anyone who can run the pipeline can act as the application.',
    advice: 'Specify the branch and environment in the subject; never use a wildcard.',
    query:
      'MATCH (c:AZFederatedIdentityCredential) RETURN c.name, c.issuer, c.subject ORDER BY c.name LIMIT 1000',
  },
];
