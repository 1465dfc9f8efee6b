import type { QuestionOfCategory } from './question.ts';

export const CLOUD_QUESTIONS: readonly QuestionOfCategory[] = [
  {
    key: 'service-principals-to-tier-zero',
    question: 'Which applications can reach Tier Zero in the cloud?',
    description: 'Attack paths that begin at an application: its secrets lie in code and pipelines.',
    advice: 'Remove the permission, or replace secrets by managed identities.',
    query:
      'MATCH p = shortestPath((s:AZServicePrincipal)-[:AZ_ATTACK_PATHS*1..]->(t:Tag_Tier_Zero)) WHERE s <> t RETURN p LIMIT 1000',
  },
  {
    key: 'graph-role-management',
    question: 'Which applications may give roles or permissions over Graph?',
    description:
      'RoleManagement and AppRoleAssignment permissions: the application can make itself global administrator.',
    advice: 'Remove them; hardly any application needs one all the time.',
    query: 'MATCH p = (s:AZServicePrincipal)-[:AZMGGrantRole|AZMGGrantAppRoles]->(t) RETURN p LIMIT 1000',
  },
  {
    key: 'graph-application-control',
    question: 'Which applications may add secrets or owners to others over Graph?',
    description: 'Application.ReadWrite.All: it can sign in as any other application.',
    advice: 'Use Application.ReadWrite.OwnedBy.',
    query:
      'MATCH (s:AZServicePrincipal)-[:AZMGAddSecret|AZMGAddOwner]->(t) RETURN s.name, count(DISTINCT t) AS targets ORDER BY targets DESC, s.name LIMIT 100',
  },
  {
    key: 'graph-group-control',
    question: 'Which applications may add members to groups over Graph?',
    description: 'Groups give access to data and subscriptions, and some give roles.',
    advice: 'Bound the permission to the groups that the application manages.',
    query:
      'MATCH (s:AZServicePrincipal)-[:AZMGAddMember]->(g) RETURN s.name, count(DISTINCT g) AS groups ORDER BY groups DESC, s.name LIMIT 100',
  },
  {
    key: 'owners-of-applications',
    question: 'Who owns applications?',
    description: 'An owner may add secrets, and sign in as the application.',
    advice: 'Remove owners who left; give ownership to those who run it.',
    query: 'MATCH p = (s)-[:AZOwns]->(a) WHERE a:AZApp OR a:AZServicePrincipal RETURN p LIMIT 1000',
  },
  {
    key: 'owners-of-applications-with-roles',
    question: 'Who owns an application that holds a role or a permission over Graph?',
    description: 'The owner has the rights of the application.',
    advice: 'Owners belong to the zone of the application; else remove them.',
    query:
      'MATCH (s)-[:AZOwns]->(a)-[:AZRunsAs*0..1]->(p:AZServicePrincipal)-[:AZHasRole|AZMGGrantRole|AZMGGrantAppRoles|AZMGAddSecret|AZMGAddOwner|AZMGAddMember]->(t) RETURN s.name, p.name, count(DISTINCT t) AS targets ORDER BY targets DESC, s.name LIMIT 1000',
  },
  {
    key: 'foreign-applications',
    question: 'Which applications belong to another organization?',
    description: 'Their code and secrets are kept by others; their permissions hold here.',
    advice: 'Remove those that no one uses, and the permissions that are not needed.',
    query:
      'MATCH (s:AZServicePrincipal) WHERE s.appownerorganizationid IS NOT NULL AND s.appownerorganizationid <> s.tenantid RETURN s.name, s.appownerorganizationid ORDER BY s.name LIMIT 1000',
  },
  {
    key: 'foreign-applications-with-control',
    question: 'Which applications of another organization hold a role or a permission over Graph?',
    description: 'A break-in at the other organization reaches this one.',
    advice: 'Ask for a smaller permission; remove the application when it needs a larger one.',
    query:
      'MATCH p = (s:AZServicePrincipal)-[r]->(t) WHERE s.appownerorganizationid <> s.tenantid AND r.traversable = true RETURN p LIMIT 1000',
  },
  {
    key: 'guests',
    question: 'Which guests are there?',
    description: 'Accounts of other organizations.',
    advice: 'Remove guests who have not signed in; review the others each quarter.',
    query: "MATCH (u:AZUser) WHERE u.usertype = 'Guest' RETURN u.name, u.enabled ORDER BY u.name LIMIT 1000",
  },
  {
    key: 'guests-to-tier-zero',
    question: 'Which guests can reach Tier Zero?',
    description: 'Attack paths that begin outside of the organization.',
    advice: 'Cut the first step; guests need no membership in groups with roles.',
    query:
      "MATCH p = shortestPath((u:AZUser)-[:AZ_ATTACK_PATHS*1..]->(t:Tag_Tier_Zero)) WHERE u.usertype = 'Guest' RETURN p LIMIT 1000",
  },
  {
    key: 'subscription-owners',
    question: 'Who owns subscriptions, or gives access to them?',
    description: 'Owners and user access administrators of subscriptions and management groups.',
    advice: 'Three for each are enough; activate the role for the time of the work.',
    query:
      'MATCH p = (s)-[:AZOwner|AZUserAccessAdministrator]->(t) WHERE t:AZSubscription OR t:AZManagementGroup RETURN p LIMIT 1000',
  },
  {
    key: 'key-vault-readers',
    question: 'Who reads secrets, keys or certificates of key vaults?',
    description: 'The contents of a vault open something else.',
    advice: 'Give access to the identity of the application that needs it, and to no people.',
    query: 'MATCH p = (s)-[:AZGetSecrets|AZGetKeys|AZGetCertificates]->(v:AZKeyVault) RETURN p LIMIT 1000',
  },
  {
    key: 'managed-identities',
    question: 'Which machines and functions have an identity that controls something?',
    description: 'Anyone who runs code there acts as the identity.',
    advice: 'Take rights away from the identity that the code does not use.',
    query: 'MATCH p = (m)-[:AZManagedIdentity]->(s:AZServicePrincipal) RETURN p LIMIT 1000',
  },
  {
    key: 'federated-credentials',
    question: 'Which pipelines outside may sign in as an application?',
    description: 'Federated credentials: anyone who can run the named pipeline is the application.',
    advice: 'Name the branch and environment in the subject; never a wildcard.',
    query:
      'MATCH (c:AZFederatedIdentityCredential) RETURN c.name, c.issuer, c.subject ORDER BY c.name LIMIT 1000',
  },
];
