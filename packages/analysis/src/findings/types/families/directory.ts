/** Families of Active Directory findings about rights, memberships and the use of accounts. */
import { type FindingFamily, REFERENCE } from '../family.ts';

export const accessRights: FindingFamily = {
  key: 'accessRights',
  risk: 'Anyone who controls the holder can take full control of the object: its members, its password, its certificate mapping or the policy it carries.',
  fix: 'Remove the access entry, or bring its holder into the zone if the right is truly needed.',
  steps: [
    'Open the advanced security settings of the object and find the entry of the holder.',
    'If the entry is inherited, go to the parent that it names and change it there, or stop inheritance on the object after copying the entries that must stay.',
    'For members of protected groups, read the access list of AdminSDHolder first. If it has the entry, remove it there: the protection task writes it back to the object within the hour. If it has not, remove it from the object itself, on which inheritance is off.',
    'If the right comes from the default permissions of the object class, change the schema default only after a review.',
    'Grant again, on the smallest scope, only the right that the holder needs for its work.',
  ],
  verify: [
    'The effective access of the former holder no longer shows the right.',
    'The change is recorded as event 5136 on a domain controller, and the finding is remediated after the next collection.',
  ],
  care: 'Provisioning, help desk, Exchange, synchronization and endpoint software may depend on the entry, and fail without it. Export the security descriptor first, and begin with one object.',
  prevent:
    'Delegate on organizational units that hold no privileged objects, and review the access lists of privileged objects every quarter.',
  references: [REFERENCE.securingAd, REFERENCE.protectedAccounts],
};
export const ownership: FindingFamily = {
  key: 'ownership',
  risk: 'An owner may rewrite the permissions of the object at any time, unless an OWNER RIGHTS entry restricts it.',
  fix: 'Make Domain Admins the owner of the object (Enterprise Admins for objects of the forest).',
  steps: [
    'List the owners of all objects in the zone and mark those outside it.',
    'Replace the owner on the object; use a script when there are many.',
    'Find the process that created the object, often a join or provisioning account, and let it hand over ownership in future.',
    'Where creation is delegated, add an inheritable OWNER RIGHTS entry without rights that could be misused; where such an entry exists and grants too much, narrow it.',
  ],
  verify: [
    'The owner shown in the security settings is a group of the zone.',
    'The finding is remediated after the next collection.',
  ],
  care: 'Disk quota and some join software look at the owner, and fail with another one: begin with one object. Joining software may recreate the condition with every new computer.',
  prevent: 'Create privileged objects with accounts of the zone only.',
  references: [REFERENCE.securingAd, REFERENCE.accessModel],
};
export const passwordReset: FindingFamily = {
  key: 'passwordReset',
  risk: 'The account can be taken over without knowing its old password, and the help desk is reached far more easily than an administrator.',
  fix: 'Remove the right to reset passwords for privileged accounts.',
  steps: [
    'Move privileged accounts to an organizational unit without help desk delegation.',
    'Never add an account to a protected group only so that AdminSDHolder guards it: these groups have privileges of their own.',
    'Remove the right on the unit that holds privileged accounts and give the help desk a scoped right elsewhere.',
  ],
  verify: [
    'A reset attempt by the former holder on a test account in the same unit is refused.',
    'Event 4724 for privileged accounts is monitored and shows only members of the zone.',
  ],
  care: 'The help desk can no longer help an administrator who forgot the password: define first who does.',
  prevent: 'Keep a recovery process for administrators that does not pass through the ordinary help desk.',
  references: [REFERENCE.securingAd, REFERENCE.protectedAccounts],
};
export const groupMembershipRights: FindingFamily = {
  key: 'groupMembershipRights',
  risk: 'Anyone who can change the members of a privileged group gains the privileges of the group at once.',
  fix: 'Remove the right to write members, or to add oneself, from everyone outside the zone.',
  steps: [
    'Read the access list of the group and of the organizational unit above it.',
    'For groups with a manager, clear the option that lets the manager edit the members.',
    'Move the group to an organizational unit of its zone.',
    'Use time-limited membership where your forest offers it.',
  ],
  verify: [
    'The access list shows no writer outside the zone.',
    'Events 4728, 4732 and 4756 for the group come only from members of the zone.',
  ],
  care: 'Identity governance software that writes members fails without the right. Before that, treat its account as a member of the zone, or exempt the group from it.',
  prevent: 'Alert on every change of members of a privileged group.',
  references: [REFERENCE.securingAd, REFERENCE.accessModel],
};
export const attributeWrites: FindingFamily = {
  key: 'attributeWrites',
  risk: 'A value written there is a second way to authenticate as the account, or exposes its secret to guessing, while the password stays unchanged and no one notices.',
  fix: 'Remove the right to write this attribute from everyone outside the zone.',
  steps: [
    'Search the access lists of privileged accounts for entries on key credentials, service principal names, certificate mappings and the public-information property set.',
    'Review who is a member of the Key Admins groups.',
    'Compare the values that are present with the devices and services you know, and remove unknown ones.',
    'Require strong certificate mapping on all domain controllers, once events 39 to 41 name no certificate in use.',
  ],
  verify: [
    'No entry outside the zone remains on the attribute.',
    'Event 5136 that names one of these attributes on a privileged account raises an alert.',
  ],
  care: 'Device registration writes key credentials, and Exchange writes public information: both fail for accounts on which they lose the right. Keep these rights for ordinary accounts only, and read first who wrote the values (event 5136).',
  prevent: 'Keep privileged accounts in a unit where no software writes attributes.',
  references: [REFERENCE.securingAd, REFERENCE.certificateMapping],
};
export const delegation: FindingFamily = {
  key: 'delegation',
  risk: 'Delegation lets an account act as any user who is not protected from it, toward the services it is configured for.',
  fix: 'Remove the delegation entry, or the right to write it, and protect privileged users from delegation.',
  steps: [
    'Read the list of services the account may delegate to, and the list of principals that may act for the computer.',
    'Remove entries that no service needs any more.',
    'Replace service accounts by group managed service accounts and avoid protocol transition.',
    'Delegate the joining of computers to those who do it, then set the machine account quota of the domain to zero, so that no one else can create a computer account for the purpose.',
  ],
  verify: [
    'The delegation attributes are empty or hold only the services you listed.',
    'The service still works; events 4742 and 5136 show the change.',
  ],
  care: 'Web applications in several layers, SQL Server and live migration of virtual machines rely on delegation, and fail without it. List the services that use it first, and plan a test window.',
  prevent: 'Mark privileged users as sensitive or add them to Protected Users.',
  references: [REFERENCE.delegation, REFERENCE.protectedUsers],
};
export const unconstrainedDelegation: FindingFamily = {
  key: 'unconstrainedDelegation',
  risk: 'The account receives forwardable tickets from anyone who connects to it. A domain controller that is made to connect hands over the domain.',
  fix: 'Turn unconstrained delegation off and use constrained delegation where delegation is needed.',
  steps: [
    'List the services that run under the account or on the computer.',
    'Change to constrained or resource-based delegation for the services that need it.',
    'Add privileged users to Protected Users, so that their tickets are never forwarded.',
    'Stop the print spooler on domain controllers.',
    'Restart the computer after the change, so that it discards its tickets.',
  ],
  verify: [
    'The flag TRUSTED_FOR_DELEGATION is no longer set on the account.',
    'Event 4742 or 4738 shows the change.',
  ],
  care: 'Old applications that delegate to many targets stop working. List the services first, and roll the change out service by service.',
  prevent: 'Alert when the flag is set on any account that is not a domain controller.',
  references: [REFERENCE.delegation, REFERENCE.protectedUsers],
};
export const groupPolicy: FindingFamily = {
  key: 'groupPolicy',
  risk: 'Settings of a policy run with the highest rights on every computer below its link, so control of the policy, its link or the unit above is control of the objects.',
  fix: 'Remove the right from outsiders, or certify or unlink the policy.',
  steps: [
    'Review who may link policies to the organizational unit and to the domain.',
    'Review the owner, the editors and the file share permissions of each linked policy.',
    'Give the zone an organizational unit of its own, with inheritance blocked and its own enforced policies: first link there what its objects need of the policies above, such as updates, firewall and certificates. Domain controllers stay in the unit Domain Controllers.',
    'Export and delete policies that are linked nowhere.',
  ],
  verify: [
    'The resultant set of policy of one computer shows only policies of the zone.',
    'Events 5136 and 5137 on policies and links come only from members of the zone.',
  ],
  care: 'Settings of the policy no longer apply from the next refresh on, also those that protect. Export the policy and read its settings first.',
  prevent: 'Edit policies of the zone from its own workstations and accounts only.',
  references: [REFERENCE.securingAd, REFERENCE.accessModel],
};
export const managedPasswords: FindingFamily = {
  key: 'managedPasswords',
  risk: 'Anyone who reads the managed password, or controls a computer that uses it, can log on as the account or as administrator of the computer.',
  fix: 'Restrict who may read the password to the zone, and deploy managed passwords where they are missing.',
  steps: [
    'For Windows LAPS, check the extended rights on the organizational unit and encrypt passwords for a group of the zone.',
    'For group managed service accounts, edit the list of principals that may retrieve the password: the hosts that run the service stay on it, or the service stops.',
    'Uninstall standalone managed accounts of the zone from computers outside it and use group managed ones on hosts of the zone.',
    'Deploy LAPS where a computer has no managed password.',
  ],
  verify: [
    'A read attempt by the former reader is refused.',
    'The password was rotated after the list of readers became narrower.',
  ],
  care: 'Backup and deployment jobs that read the password stop: move them to the zone first. Rotate the password after narrowing the readers.',
  prevent: 'Review readers whenever an organizational unit is delegated.',
  references: [REFERENCE.laps, REFERENCE.managedAccounts],
};
export const replicationRights: FindingFamily = {
  key: 'replicationRights',
  risk: 'The two rights together hand out password material of the domain through the ordinary replication interface.',
  fix: 'Remove one or both of the replication rights from the holder.',
  steps: [
    'Read the access list of the domain object for the replication rights.',
    'Look for leftovers of Exchange, SharePoint, synchronization and monitoring products.',
    'Where password hash synchronization needs the rights, treat its account and its server as Tier Zero instead.',
    'If misuse is suspected, reset the krbtgt password twice, with at least the lifetime of a ticket in between, and treat all passwords as known.',
  ],
  verify: [
    'Event 4662 with the replication rights comes only from addresses of domain controllers.',
    'The finding is remediated after the next collection.',
  ],
  care: 'Hybrid synchronization stops when its account loses the rights: find out first which account that is, and leave it its rights.',
  prevent: 'Alert on event 4662 with replication rights from any other address.',
  references: [REFERENCE.securingAd, REFERENCE.krbtgt],
};
export const localAdministrators: FindingFamily = {
  key: 'localAdministrators',
  risk: 'A local administrator reads the secrets of everyone who works on the computer and changes its programs.',
  fix: 'Remove the principal from the local Administrators group.',
  steps: [
    'Find out which software or team put the principal into the group.',
    'Manage the membership through a policy of the zone that replaces the whole list: first put everyone into it who has to stay, Domain Admins or another group of administrators among them.',
    'Deny network logon to local accounts and manage their passwords with LAPS.',
  ],
  verify: ['The next collection of local groups no longer lists the principal.'],
  care: 'Agents of management software may need another account. Keep a way in for emergencies.',
  prevent: 'Let policy, not people, decide who administers computers of the zone.',
  references: [REFERENCE.accessModel, REFERENCE.laps],
};
export const remoteAccess: FindingFamily = {
  key: 'remoteAccess',
  risk: 'The access gives a foothold next to privileged sessions and services, even where it grants no privilege by itself.',
  fix: 'Remove the principal from the group that grants the access, or from the logon right.',
  steps: [
    'Remove it from Remote Desktop Users, Remote Management Users or Distributed COM Users of the computer, and from the logon right.',
    'For SQL Server, remove the sysadmin role or run the instance under an account with few rights.',
    'Use jump hosts of the zone, and deny logon to groups of the accounts of lower tiers by policy: never to Domain Users, Users, Authenticated Users or Everyone, which administrators belong to as well.',
  ],
  verify: ['Event 4624 of types 3 and 10 on the computer shows only accounts of the zone.'],
  care: 'Vendors and support teams often use this way, and lose it. Agree on a replacement with them first.',
  prevent: 'Review remote access groups of computers of the zone together with its administrators.',
  references: [REFERENCE.accessModel, REFERENCE.securingAd],
};
export const privilegedLogons: FindingFamily = {
  key: 'privilegedLogons',
  risk: 'The administrators of that computer can misuse the logon of the privileged user while it lasts.',
  fix: 'Let privileged users log on to computers of their zone only.',
  steps: [
    'Find out why the user was logged on: interactive work, a service, a scheduled task or a drive mapping.',
    'Give privileged users a separate workstation.',
    'Deny logon on lower tiers to Domain Admins, Enterprise Admins, Schema Admins and the single privileged accounts by policy, or with authentication policy silos. Never name Administrators there: that locks every local administrator out.',
    'Log off sessions that were left behind.',
    'If the session is only waiting to age out, accept the finding for seven days.',
  ],
  verify: ['No new session is seen after the retention period of sessions.'],
  care: 'Denied logon rights stop services and tasks that run as these accounts, and can lock out emergency use. Find both first (event 4624), and keep a break-glass account that is exempt.',
  prevent: 'Separate administration from daily work for every privileged person.',
  references: [REFERENCE.accessModel, REFERENCE.protectedUsers],
};
export const sidHistory: FindingFamily = {
  key: 'sidHistory',
  risk: 'The account counts as the privileged object in every access check that looks at its SID history.',
  fix: 'Clear the SID history once the migration is over.',
  steps: [
    'Find the resources that still grant access to the old SID.',
    'Grant the same access to the new SID.',
    'Clear the attribute, account by account.',
    'Turn SID filtering on for trusts that no longer need the history.',
  ],
  verify: ['The attribute is empty and access tests with the account succeed.'],
  care: 'Cleared too early, users lose access to files that still name the old SID: grant it to the new one before.',
  prevent: 'Plan the end of SID history together with each migration.',
  references: [REFERENCE.securingAd],
};
export const zoneMembership: FindingFamily = {
  key: 'zoneMembership',
  risk: 'Each member of a privileged group is another way into the zone, and members no one reviewed are the ones that are forgotten.',
  fix: 'Remove the member, or certify it after a review.',
  steps: [
    'List the transitive members of the group and the reason for each.',
    'Empty the operator, schema and DNS administrator groups when they are not in use.',
    'Replace standing membership by time-limited membership.',
    'Document the members that stay, with an owner and a date for the next review.',
  ],
  verify: ['Events 4729, 4733 or 4757 show the removal, and the next analysis no longer reports the member.'],
  care: 'Backup, print and Exchange products may rely on operator groups, and stop without them: find out first what each member does with the group.',
  prevent: 'Review privileged groups every quarter.',
  references: [REFERENCE.protectedAccounts, REFERENCE.securingAd],
};
export const trusts: FindingFamily = {
  key: 'trusts',
  risk: 'Control of the other side of the trust passes into this one.',
  fix: 'Filter SIDs, turn ticket delegation off, enable AES, or remove the trust if no one needs it.',
  steps: [
    'List all trusts and ask their owners for the purpose.',
    'Turn SID filtering on and ticket delegation off for trusts between forests.',
    'Enable AES on the trust and reset its password.',
    'Use selective authentication where only few resources are shared.',
    'Change trusts during a maintenance window, on both sides.',
  ],
  verify: ['The attributes of the trust on both sides show the new state.'],
  care: 'Access that rests on SID history, and delegation across forests, stop working: find the users and services first, and give the users rights by their present SIDs. Inside a forest nothing can be filtered: treat the forest as the boundary.',
  prevent: 'Review trusts every year and remove those without an owner.',
  references: [REFERENCE.securingAd, REFERENCE.delegation],
};
export const largeGroups: FindingFamily = {
  key: 'largeGroups',
  risk: 'Nearly everyone belongs to the group: each account, even a guest or a recently joined computer, has the right.',
  fix: 'Replace the broad group with a group of principals that need the right.',
  steps: [
    'Find out who uses the right.',
    'Create a group for them and grant it the right.',
    'Remove the entry of the broad group.',
    'Where local groups are set by policy, change the policy.',
  ],
  verify: ['An access test with an ordinary account is refused.'],
  care: 'Applications and people that use the right without anyone knowing fail. Turn auditing on for the object some weeks before.',
  prevent: 'Never delegate to Everyone, Authenticated Users, Domain Users or Domain Computers.',
  references: [REFERENCE.securingAd, REFERENCE.accessModel],
};
