import type { QuestionOfCategory } from './question.ts';

/** Everyone, Authenticated Users, Users, Domain Users, Domain Computers, Guests. */
const OF_ALL =
  "(g.objectid ENDS WITH '-S-1-1-0' OR g.objectid ENDS WITH '-S-1-5-11' OR g.objectid ENDS WITH '-S-1-5-32-545' OR g.objectid ENDS WITH '-513' OR g.objectid ENDS WITH '-515' OR g.objectid ENDS WITH '-S-1-5-32-546')";
const EVERYONE = 'Everyone, Authenticated Users, Users, Domain Users, Domain Computers or Guests';

export const RIGHTS_OF_ALL_QUESTIONS: readonly QuestionOfCategory[] = [
  {
    key: 'rights-of-everyone',
    question: 'What can everyone, all signed-in users or all users of a domain change?',
    description: `Rights over objects that ${EVERYONE} hold: every account has them.`,
    advice:
      'Remove the entry from the access control list of the object; grant the right only to principals that need it.',
    query: `MATCH p = (g:Group)-[r]->(t) WHERE r.isacl = true AND r.traversable = true AND ${OF_ALL} RETURN p LIMIT 1000`,
  },
  {
    key: 'all-users-local-administrators',
    question: 'Where are all users local administrators?',
    description: `Computers that ${EVERYONE} administer: anyone can access their sessions and secrets.`,
    advice: 'Remove the group from the local Administrators group, and look for the policy that adds it.',
    query: `MATCH p = (g:Group)-[:AdminTo]->(c:Computer) WHERE ${OF_ALL} RETURN p LIMIT 1000`,
  },
  {
    key: 'all-users-remote-desktop',
    question: 'Where can all users sign in through Remote Desktop?',
    description: `Computers that ${EVERYONE} can sign in to; on a server, this is a first foothold.`,
    advice: 'Allow this only on terminal servers; remove it elsewhere.',
    query: `MATCH p = (g:Group)-[:CanRDP]->(c:Computer) WHERE ${OF_ALL} RETURN p LIMIT 1000`,
  },
  {
    key: 'all-users-remote-code',
    question: 'Where can all users run programs remotely?',
    description: `Computers on which ${EVERYONE} can use PowerShell remoting or DCOM.`,
    advice: 'Remove the group from Remote Management Users and Distributed COM Users.',
    query: `MATCH p = (g:Group)-[:CanPSRemote|ExecuteDCOM]->(c:Computer) WHERE ${OF_ALL} RETURN p LIMIT 1000`,
  },
  {
    key: 'all-users-read-laps',
    question: 'Which local administrator passwords can all users read?',
    description: `Computers whose managed password ${EVERYONE} can read.`,
    advice: 'Remove the right from the organizational unit, and change the passwords.',
    query: `MATCH p = (g:Group)-[:ReadLAPSPassword|AllExtendedRights]->(c:Computer) WHERE ${OF_ALL} RETURN p LIMIT 1000`,
  },
  {
    key: 'all-users-control-users',
    question: 'Which users can all users take over?',
    description: `Users that ${EVERYONE} control: their passwords can be reset, or their keys replaced.`,
    advice: 'Remove the entry; it is often inherited from one organizational unit.',
    query: `MATCH p = (g:Group)-[:GenericAll|GenericWrite|WriteDacl|WriteOwner|Owns|ForceChangePassword|AllExtendedRights|AddKeyCredentialLink|WriteSPN]->(u:User) WHERE ${OF_ALL} RETURN p LIMIT 1000`,
  },
  {
    key: 'all-users-control-groups',
    question: 'Which groups can all users join?',
    description: `Groups to which ${EVERYONE} can add members, including themselves.`,
    advice: 'Remove the entry, and check for members that were added with it.',
    query: `MATCH p = (g:Group)-[:GenericAll|GenericWrite|WriteDacl|WriteOwner|Owns|AddMember|AddSelf|AllExtendedRights]->(t:Group) WHERE ${OF_ALL} RETURN p LIMIT 1000`,
  },
  {
    key: 'all-users-control-computers',
    question: 'Which computers can all users take over through the directory?',
    description: `Computers that ${EVERYONE} control, through delegation or keys.`,
    advice: 'Remove the entry from the access control list of the computer or its organizational unit.',
    query: `MATCH p = (g:Group)-[:GenericAll|GenericWrite|WriteDacl|WriteOwner|Owns|AddAllowedToAct|AddKeyCredentialLink|WriteAccountRestrictions]->(c:Computer) WHERE ${OF_ALL} RETURN p LIMIT 1000`,
  },
  {
    key: 'all-users-enroll',
    question: 'In which published templates can all users enroll?',
    description: `Templates in which ${EVERYONE} can enroll. Each is one setting away from an escalation.`,
    advice: 'Keep the rights that autoenrollment needs; remove the group from the other templates.',
    query: `MATCH (g:Group)-[:Enroll|GenericAll|AllExtendedRights]->(t:CertTemplate)-[:PublishedTo]->(ca:EnterpriseCA) WHERE ${OF_ALL} RETURN t.name, collect(DISTINCT g.name) AS groups, collect(DISTINCT ca.name) AS authorities ORDER BY t.name LIMIT 1000`,
  },
  {
    key: 'all-users-nested',
    question: 'Which groups have all users as members?',
    description: `Groups that ${EVERYONE} are members of: a right of such a group is a right of all.`,
    advice: 'Check the rights of these groups first; preferably, remove the large group from them.',
    query: `MATCH p = (g:Group)-[:MemberOf]->(t:Group) WHERE ${OF_ALL} RETURN p LIMIT 1000`,
  },
];
