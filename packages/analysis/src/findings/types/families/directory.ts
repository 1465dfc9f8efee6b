/** Families of Active Directory findings about rights, memberships and the use of accounts. */
import { type FindingFamily, REFERENCE } from '../family.ts';

export const accessRights: FindingFamily = {
  key: 'accessRights',
  risk: 'Anyone who controls the source can take full control of the object: its members, its password, its certificate mapping or the policy that it contains.',
  fix: 'Remove the access control entry, or add its holder to the zone if the right is really needed.',
  steps: [
    'Open the advanced security settings of the object, and find the entry of the holder.',
    'If the entry is inherited, change it on the parent object named there, or disable inheritance on the object after you copy the entries that it needs.',
    'For members of protected groups, check the access control list of AdminSDHolder first. If it has the entry, remove the entry there; otherwise SDProp restores it on the object within an hour. If AdminSDHolder does not have the entry, remove it from the object itself, where inheritance is off.',
    'If the right comes from the default permissions of the object class, change the schema default only after a review.',
    'Grant the holder only the right that it needs, at the narrowest scope.',
  ],
  verify: [
    'The effective access of the former holder no longer shows the right.',
    'Event 5136 on a domain controller records the change, and the finding is remediated after the next collection.',
  ],
  care: 'Provisioning, help desk, Exchange, synchronization and endpoint software may depend on the entry, and fail without it. Export the security descriptor first, and start with one object.',
  prevent:
    'Delegate rights on organizational units without privileged objects, and review the access control lists of privileged objects every quarter.',
  references: [REFERENCE.securingAd, REFERENCE.protectedAccounts],
};
export const ownership: FindingFamily = {
  key: 'ownership',
  risk: 'An owner can rewrite the permissions of the object at any time, unless an OWNER RIGHTS entry prevents it.',
  fix: 'Set the owner of the object to Domain Admins (Enterprise Admins for forest-wide objects).',
  steps: [
    'List the owners of all objects in the zone, and mark the owners outside it.',
    'Replace the owner of each object; use a script for many objects.',
    'Find the process that created the object, often a join or provisioning account, and make it transfer ownership in the future.',
    'Where creation is delegated, add an inheritable OWNER RIGHTS entry without rights that can be misused. If an entry exists and grants too much, restrict it.',
  ],
  verify: [
    'The security settings show a group of the zone as the owner.',
    'The finding is remediated after the next collection.',
  ],
  care: 'Disk quotas and some join software depend on the owner, and fail after you change it: start with one object. Join software may set such an owner again on every new computer.',
  prevent: 'Create privileged objects only with accounts of the zone.',
  references: [REFERENCE.securingAd, REFERENCE.accessModel],
};
export const passwordReset: FindingFamily = {
  key: 'passwordReset',
  risk: 'Someone who can reset the password takes over the account without knowing its old password. Help desk accounts are much easier to attack than administrator accounts.',
  fix: 'Remove the right to reset passwords for privileged accounts.',
  steps: [
    'Move privileged accounts to an organizational unit without help desk delegation.',
    'Never add an account to a protected group only to get the protection of AdminSDHolder: these groups have their own privileges.',
    'Remove the right on the organizational unit of the privileged accounts, and give the help desk a narrower right elsewhere.',
  ],
  verify: [
    'The former holder cannot reset the password of a test account in the same organizational unit.',
    'Event 4724 is monitored for privileged accounts, and only members of the zone cause it.',
  ],
  care: "The help desk can no longer reset an administrator's forgotten password: define first who does.",
  prevent: 'Keep a recovery process for administrators that does not involve the ordinary help desk.',
  references: [REFERENCE.securingAd, REFERENCE.protectedAccounts],
};
export const groupMembershipRights: FindingFamily = {
  key: 'groupMembershipRights',
  risk: 'Anyone who can change the members of a privileged group can gain its privileges immediately.',
  fix: 'Remove the right to write members, or to add oneself, from all principals outside the zone.',
  steps: [
    'Check the access control lists of the group and of its organizational unit.',
    'For groups with a manager, clear "Manager can update membership list".',
    'Move the group to an organizational unit of the zone.',
    'Use time-limited membership if your forest supports it.',
  ],
  verify: [
    'The access control list shows no principal outside the zone with write permissions.',
    'For the group, only members of the zone cause events 4728, 4732 and 4756.',
  ],
  care: 'Identity governance software that writes members fails without the right. First add its account to the zone, or exclude the group from the software.',
  prevent: 'Alert on every membership change of a privileged group.',
  references: [REFERENCE.securingAd, REFERENCE.accessModel],
};
export const attributeWrites: FindingFamily = {
  key: 'attributeWrites',
  risk: 'A value in this attribute allows another way to authenticate as the account, or offline guessing of its secret. The password stays unchanged, so no one notices.',
  fix: 'Remove the right to write this attribute from all principals outside the zone.',
  steps: [
    'Search the access control lists of privileged accounts for entries on key credentials, service principal names, certificate mappings and the Public Information property set.',
    'Review the members of the Key Admins groups.',
    'Compare the current values with the devices and services that you know, and remove unknown values.',
    'Require strong certificate mapping on all domain controllers after events 39 to 41 no longer name certificates in use.',
  ],
  verify: [
    'No principal outside the zone has a write entry for the attribute.',
    'Event 5136 for one of these attributes of a privileged account raises an alert.',
  ],
  care: 'Device registration writes key credentials, and Exchange writes public information: both fail for accounts on which they lose the right. Keep these rights only on ordinary accounts, and check first who wrote the values (event 5136).',
  prevent: 'Keep privileged accounts in an organizational unit where no software writes attributes.',
  references: [REFERENCE.securingAd, REFERENCE.certificateMapping],
};
export const delegation: FindingFamily = {
  key: 'delegation',
  risk: 'Delegation lets an account act as any user without delegation protection, to the services that it is configured for.',
  fix: 'Remove the delegation entry, or the right to write it, and protect privileged users from delegation.',
  steps: [
    'Check the services that the account can delegate to, and the principals that can act on behalf of users to the computer.',
    'Remove entries that no service needs.',
    'Replace service accounts with group managed service accounts, and avoid protocol transition.',
    'Delegate the right to join computers to the people who need it. Then set the machine account quota of the domain to zero, so that no one else can create computer accounts for this attack.',
  ],
  verify: [
    'The delegation attributes are empty, or contain only the services that you listed.',
    'The service still works; events 4742 and 5136 show the change.',
  ],
  care: 'Multi-tier web applications, SQL Server and live migration of virtual machines depend on delegation, and fail without it. List the services that use it first, and plan a test window.',
  prevent: 'Mark privileged users as sensitive, or add them to Protected Users.',
  references: [REFERENCE.delegation, REFERENCE.protectedUsers],
};
export const unconstrainedDelegation: FindingFamily = {
  key: 'unconstrainedDelegation',
  risk: 'The account receives a forwardable ticket of every user who connects to it. An attacker who makes a domain controller connect to it gains control of the domain.',
  fix: 'Turn off unconstrained delegation, and use constrained delegation where a service needs it.',
  steps: [
    'List the services that run under the account or on the computer.',
    'Configure constrained or resource-based constrained delegation for the services that need it.',
    'Add privileged users to Protected Users, so that their tickets are never forwarded.',
    'Stop the print spooler on domain controllers, and disable it.',
    'Restart the computer after the change to clear its cached tickets.',
  ],
  verify: [
    'The flag TRUSTED_FOR_DELEGATION is no longer set on the account.',
    'Event 4742 or 4738 shows the change.',
  ],
  care: 'Old applications that delegate to many targets stop working. List the services first, and change one service at a time.',
  prevent: 'Alert when the flag is set on an account that is not a domain controller.',
  references: [REFERENCE.delegation, REFERENCE.protectedUsers],
};
export const groupPolicy: FindingFamily = {
  key: 'groupPolicy',
  risk: 'Policy settings run with the highest rights on every computer in scope. Therefore control of the policy, its link or the organizational unit is control of these objects.',
  fix: 'Remove the right from principals outside the zone, or certify or unlink the policy.',
  steps: [
    'Review who can link policies to the organizational unit and the domain.',
    'Review the owner, the editors and the SYSVOL permissions of each linked policy.',
    'Give the zone its own organizational unit with blocked inheritance and its own enforced policies. First link the policies that its objects need from above, such as updates, firewall and certificates. Domain controllers must stay in the organizational unit Domain Controllers.',
    'Export and delete policies without links.',
  ],
  verify: [
    'The resultant set of policy of one computer shows only policies of the zone.',
    'Only members of the zone cause events 5136 and 5137 for policies and links.',
  ],
  care: 'From the next refresh on, the settings of the policy no longer apply, including protective settings. Export the policy and review its settings first.',
  prevent: 'Edit policies of the zone only from its own workstations and accounts.',
  references: [REFERENCE.securingAd, REFERENCE.accessModel],
};
export const managedPasswords: FindingFamily = {
  key: 'managedPasswords',
  risk: 'Anyone who can read the managed password, or controls a computer that uses it, can log on as the account or as local administrator of the computer.',
  fix: 'Allow only members of the zone to read the password, and deploy managed passwords where they are missing.',
  steps: [
    'For Windows LAPS, check the extended rights on the organizational unit, and encrypt passwords for a group of the zone.',
    'For group managed service accounts, edit the list of principals that can retrieve the password. Keep the hosts that run the service on the list, or the service stops.',
    'Uninstall standalone managed service accounts of the zone from computers outside it, and use group managed service accounts on hosts of the zone.',
    'Deploy LAPS to computers without a managed password.',
  ],
  verify: [
    'The former reader can no longer read the password.',
    'The password was rotated after you restricted its readers.',
  ],
  care: 'Backup and deployment jobs that read the password stop: move them to the zone first. Rotate the password after you restrict its readers.',
  prevent: 'Review the readers whenever you delegate an organizational unit.',
  references: [REFERENCE.laps, REFERENCE.managedAccounts],
};
export const replicationRights: FindingFamily = {
  key: 'replicationRights',
  risk: 'With both rights, a principal can request the password hashes of the domain through ordinary replication.',
  fix: 'Remove one or both of the replication rights from the holder.',
  steps: [
    'Check the access control list of the domain object for the replication rights.',
    'Look for leftover entries of Exchange, SharePoint, synchronization and monitoring products.',
    'If password hash synchronization needs the rights, treat its account and its server as Tier Zero instead.',
    'If you suspect misuse, reset the krbtgt password twice, and wait at least one ticket lifetime in between. Treat all passwords as compromised.',
  ],
  verify: [
    'In event 4662 with the replication rights, only domain controllers and accounts of directory synchronization appear.',
    'The finding is remediated after the next collection.',
  ],
  care: 'Hybrid synchronization stops if its account loses the rights: first find out which account it uses, and keep the rights of this account.',
  prevent: 'Alert on event 4662 with replication rights from any other account.',
  references: [REFERENCE.securingAd, REFERENCE.krbtgt],
};
export const localAdministrators: FindingFamily = {
  key: 'localAdministrators',
  risk: 'A local administrator can read the secrets of everyone who works on the computer, and change its programs.',
  fix: 'Remove the principal from the local Administrators group.',
  steps: [
    'Find out which software or team added the principal to the group.',
    'Manage the membership with a policy of the zone that replaces the whole list. First add everyone who must stay, including Domain Admins or another administrator group.',
    'Deny network logon to local accounts, and manage their passwords with LAPS.',
  ],
  verify: ['The next collection of local groups no longer lists the principal.'],
  care: 'Agents of management software may need another account. Keep emergency access.',
  prevent: 'Manage administrators of zone computers only by policy.',
  references: [REFERENCE.accessModel, REFERENCE.laps],
};
export const remoteAccess: FindingFamily = {
  key: 'remoteAccess',
  risk: 'The principal can run code or log on next to privileged sessions and services, even if the access gives no privilege by itself.',
  fix: 'Remove the principal from the group that grants the access, or from the user right assignment.',
  steps: [
    'Remove it from Remote Desktop Users, Remote Management Users or Distributed COM Users of the computer, and from the user right assignment.',
    'For SQL Server, remove the sysadmin role, or run the instance under a low-privileged account.',
    'Use jump hosts of the zone, and use policy to deny logon to groups of lower-tier accounts. Never deny logon to Domain Users, Users, Authenticated Users or Everyone: administrators are members of these groups, too.',
  ],
  verify: [
    'A remote session of the former holder is refused, and event 4624 with logon type 10 (Remote Desktop) on the computer names only accounts of the zone.',
  ],
  care: 'Vendors and support teams often use this access, and lose it. Agree on a replacement with them first.',
  prevent: 'Review the remote access groups of zone computers together with their administrators.',
  references: [REFERENCE.accessModel, REFERENCE.securingAd],
};
export const privilegedLogons: FindingFamily = {
  key: 'privilegedLogons',
  risk: 'Administrators of that computer can misuse the logon session of the privileged user while it lasts.',
  fix: 'Allow privileged users to log on only to computers of their zone.',
  steps: [
    'Find out why the user was logged on: interactive work, a service, a scheduled task or a mapped drive.',
    'Give privileged users a separate workstation.',
    'Use policy or authentication policy silos to deny logon on lower tiers to Domain Admins, Enterprise Admins, Schema Admins and the individual privileged accounts. Never deny logon to Administrators: this locks out every local administrator.',
    'Log off disconnected sessions.',
    'If the session has ended and its record only has to expire, accept the finding for seven days.',
  ],
  verify: ['No new session is seen after the session retention period.'],
  care: 'Denied logon rights stop services and tasks that run under these accounts, and can prevent emergency access. Find these services and tasks first (event 4624), and keep a break-glass account that is exempt.',
  prevent: 'Give every privileged user a separate account for administration.',
  references: [REFERENCE.accessModel, REFERENCE.protectedUsers],
};
export const sidHistory: FindingFamily = {
  key: 'sidHistory',
  risk: 'In every access check that includes SID history, the account counts as the privileged object.',
  fix: 'Clear the SID history after the migration.',
  steps: [
    'Find the resources that still grant access to the old SID.',
    'Grant the same access to the new SID.',
    'Clear the attribute on one account at a time.',
    'Turn on SID filtering for trusts that no longer need SID history.',
  ],
  verify: ['The attribute is empty, and access tests with the account succeed.'],
  care: 'If you clear the attribute too early, users lose access to files that still name the old SID: grant access to the new SID first.',
  prevent: 'Plan the removal of SID history as part of each migration.',
  references: [REFERENCE.securingAd],
};
export const zoneMembership: FindingFamily = {
  key: 'zoneMembership',
  risk: 'Each member of a privileged group is another attack path into the zone, and unreviewed members are easily forgotten.',
  fix: 'Remove the member, or certify it after a review.',
  steps: [
    'List the transitive members of the group, and the reason for each.',
    'Remove each member that does not need the privileges of the group.',
    'Replace permanent membership with time-limited membership.',
    'Document the remaining members, with an owner and a date for the next review.',
  ],
  verify: ['Event 4729, 4733 or 4757 shows the removal, and the next analysis no longer reports the member.'],
  care: 'Work and services that depend on the membership stop: first find out what each member uses the group for.',
  prevent: 'Review privileged groups every quarter.',
  references: [REFERENCE.protectedAccounts, REFERENCE.securingAd],
};
export const trusts: FindingFamily = {
  key: 'trusts',
  risk: 'Someone who controls the other side of the trust can gain control of this side.',
  fix: 'Turn on SID filtering, turn off ticket delegation, enable AES, or remove the trust if no one needs it.',
  steps: [
    'List all trusts, and ask their owners why they exist.',
    'For trusts between forests, turn on SID filtering on the trusting side, and turn off ticket delegation on the trusted side.',
    'Enable AES on the trust, and reset its password.',
    'Use selective authentication if users need only a few resources.',
    'Change trusts during a maintenance window, on both sides.',
  ],
  verify: ['The trust attributes on both sides show the new values.'],
  care: 'Access that depends on SID history, and delegation across forests, stop working: first find the users and services, and grant access to the current SIDs of the users. SID filtering has no effect inside a forest: treat the forest as the security boundary.',
  prevent: 'Review trusts every year, and remove trusts without an owner.',
  references: [REFERENCE.securingAd, REFERENCE.delegation],
};
export const largeGroups: FindingFamily = {
  key: 'largeGroups',
  risk: 'Nearly everyone belongs to the group, and each member has the right. Domain Users contains all user accounts of the domain except guests, Domain Computers all joined computers, and Authenticated Users both, also of trusted domains. Everyone contains guests, too.',
  fix: 'Replace the broad group with a group of principals that need the right.',
  steps: [
    'Find out which principals use the right.',
    'Create a group for them, and grant the right to it.',
    'Remove the access control entry of the broad group.',
    'If a policy sets local groups, change the policy.',
  ],
  verify: ['An ordinary account is refused access in a test.'],
  care: 'Applications and people that use the right without your knowledge fail. Turn on auditing for the object some weeks before the change.',
  prevent: 'Never delegate to Everyone, Authenticated Users, Domain Users or Domain Computers.',
  references: [REFERENCE.securingAd, REFERENCE.accessModel],
};
