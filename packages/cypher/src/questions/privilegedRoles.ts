import type { QuestionOfCategory } from './question.ts';

export const PRIVILEGED_ROLE_QUESTIONS: readonly QuestionOfCategory[] = [
  {
    key: 'privileged-roles',
    question: 'Who holds a role of Tier Zero in Entra ID?',
    description: 'All who have such a role, directly or through a group.',
    advice: 'Two to four global administrators are enough; the others get a smaller role.',
    query: 'MATCH p = (s)-[:AZHasRole|AZMemberOf*1..2]->(r:AZRole:Tag_Tier_Zero) RETURN p LIMIT 1000',
  },
  {
    key: 'eligible-roles',
    question: 'Who may activate a role?',
    description: 'Eligible assignments of privileged identity management: the role is one sign-in away.',
    advice: 'Treat them as holders of the role; remove unused assignments.',
    query: 'MATCH p = (s)-[:AZRoleEligible]->(r:AZRole) RETURN p LIMIT 1000',
  },
  {
    key: 'roles-without-approval',
    question: 'Which roles of Tier Zero need no approval to be activated?',
    description: 'Anyone who is eligible, or has the session of one who is, has the role at once.',
    advice: 'Require approval by others for the highest roles.',
    query:
      'MATCH (r:AZRole:Tag_Tier_Zero) WHERE r.enduserassignmentrequiresapproval = false RETURN r.name ORDER BY r.name LIMIT 1000',
  },
  {
    key: 'roles-without-mfa',
    question: 'Which roles can be activated without a second factor?',
    description: 'A stolen password is enough to activate the role.',
    advice: 'Require multifactor authentication, or an authentication context, on activation.',
    query:
      'MATCH (r:AZRole) WHERE r.enduserassignmentrequiresmfa = false RETURN r.name ORDER BY r.name LIMIT 1000',
  },
  {
    key: 'roles-without-justification',
    question: 'Which roles can be activated without a reason?',
    description: 'No one can find out afterward why a role was activated.',
    advice: 'Require a justification, or a ticket.',
    query:
      'MATCH (r:AZRole) WHERE r.enduserassignmentrequiresjustification = false RETURN r.name ORDER BY r.name LIMIT 1000',
  },
  {
    key: 'role-approvers',
    question: 'Who approves activations of a role?',
    description: 'An approver who is taken over approves the requests of an attacker.',
    advice: 'Approvers belong to the zone of the role.',
    query: 'MATCH p = (s)-[:AZRoleApprover]->(r:AZRole) RETURN p LIMIT 1000',
  },
  {
    key: 'role-groups',
    question: 'Which groups hold roles?',
    description: 'Owners and administrators of the group decide who has the role.',
    advice: 'Use role-assignable groups only, without owners outside of the zone.',
    query: 'MATCH p = (g:AZGroup)-[:AZHasRole]->(r:AZRole) RETURN p LIMIT 1000',
  },
  {
    key: 'synced-role-holders',
    question: 'Which holders of a role come from a directory on premises?',
    description: 'Anyone who controls the account on premises holds the role.',
    advice: 'Give roles of Tier Zero to accounts of the cloud only.',
    query:
      'MATCH p = (u:AZUser)-[:AZHasRole]->(r:AZRole) WHERE u.onpremsyncenabled = true RETURN p LIMIT 1000',
  },
  {
    key: 'service-principals-with-roles',
    question: 'Which applications hold roles?',
    description: 'Anyone who may add a secret to the application has the role, without a second factor.',
    advice: 'Give a permission of Graph instead of a role; protect its owners like holders of the role.',
    query: 'MATCH p = (s:AZServicePrincipal)-[:AZHasRole]->(r:AZRole) RETURN p LIMIT 1000',
  },
];
