import type { QuestionOfCategory } from './question.ts';

export const PRIVILEGED_ROLE_QUESTIONS: readonly QuestionOfCategory[] = [
  {
    key: 'privileged-roles',
    question: 'Who holds a Tier Zero role in Entra ID?',
    description: 'All direct and indirect holders of such a role.',
    advice: 'Two to four Global Administrators are enough; give the others less privileged roles.',
    query: 'MATCH p = (s)-[:AZHasRole|AZMemberOf*1..2]->(r:AZRole:Tag_Tier_Zero) RETURN p LIMIT 1000',
  },
  {
    key: 'eligible-roles',
    question: 'Who can activate a role?',
    description: 'Eligible assignments of Privileged Identity Management: the role is one sign-in away.',
    advice: 'Treat them as holders of the role; remove unused assignments.',
    query: 'MATCH p = (s)-[:AZRoleEligible]->(r:AZRole) RETURN p LIMIT 1000',
  },
  {
    key: 'roles-without-approval',
    question: 'Which Tier Zero roles require no approval for activation?',
    description:
      'Anyone who is eligible, or controls the session of an eligible user, can activate the role immediately.',
    advice: 'Require approval by others for the most privileged roles.',
    query:
      'MATCH (r:AZRole:Tag_Tier_Zero) WHERE r.enduserassignmentrequiresapproval = false RETURN r.name ORDER BY r.name LIMIT 1000',
  },
  {
    key: 'roles-without-mfa',
    question: 'Which roles can be activated without a second factor?',
    description: 'A stolen password is enough to activate the role.',
    advice: 'Require multifactor authentication, or an authentication context, for activation.',
    query:
      'MATCH (r:AZRole) WHERE r.enduserassignmentrequiresmfa = false RETURN r.name ORDER BY r.name LIMIT 1000',
  },
  {
    key: 'roles-without-justification',
    question: 'Which roles can be activated without a reason?',
    description: 'Afterward, no one can find out why a role was activated.',
    advice: 'Require a justification or a ticket.',
    query:
      'MATCH (r:AZRole) WHERE r.enduserassignmentrequiresjustification = false RETURN r.name ORDER BY r.name LIMIT 1000',
  },
  {
    key: 'role-approvers',
    question: 'Who approves activations of a role?',
    description: 'If an attacker takes over an approver, the attacker can approve requests.',
    advice: 'Approvers must belong to the zone of the role.',
    query: 'MATCH p = (s)-[:AZRoleApprover]->(r:AZRole) RETURN p LIMIT 1000',
  },
  {
    key: 'role-groups',
    question: 'Which groups hold roles?',
    description: 'Owners and administrators of the group decide who has the role.',
    advice: 'Use only role-assignable groups, without owners outside the zone.',
    query: 'MATCH p = (g:AZGroup)-[:AZHasRole]->(r:AZRole) RETURN p LIMIT 1000',
  },
  {
    key: 'synced-role-holders',
    question: 'Which holders of a role are synchronized from on premises?',
    description: 'Anyone who controls the on-premises account also holds the role.',
    advice: 'Assign Tier Zero roles only to cloud-only accounts.',
    query:
      'MATCH p = (u:AZUser)-[:AZHasRole]->(r:AZRole) WHERE u.onpremsyncenabled = true RETURN p LIMIT 1000',
  },
  {
    key: 'service-principals-with-roles',
    question: 'Which applications hold roles?',
    description: 'Anyone who can add a secret to the application has the role, without a second factor.',
    advice:
      'Grant a Microsoft Graph permission instead of a role; protect its owners like holders of the role.',
    query: 'MATCH p = (s:AZServicePrincipal)-[:AZHasRole]->(r:AZRole) RETURN p LIMIT 1000',
  },
];
