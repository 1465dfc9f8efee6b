/** Families of findings about the settings of accounts, computers and domains. */
import { type FindingFamily, REFERENCE } from '../family.ts';

export const serviceTickets: FindingFamily = {
  key: 'serviceTickets',
  risk: 'Any user of the domain can ask for a service ticket and try passwords against it without being seen, as long as the password can be guessed.',
  fix: 'Use a group managed service account, or a random password of at least 25 characters with AES only.',
  steps: [
    'Remove service principal names that no service uses.',
    'Convert the service to a group managed service account where it supports one.',
    'Otherwise set a long random password and allow AES encryption types only.',
    'Monitor requests for tickets with RC4.',
  ],
  verify: [
    'The account has no service principal name or is a managed account.',
    'Event 4769 with RC4 encryption no longer occurs for the account.',
  ],
  care: 'The application and all nodes of a cluster need the new password at the same time, and fail with the old one: find all places of it first. Clients that know RC4 alone fail once it is not allowed.',
  prevent: 'Allow new services to run under managed accounts only.',
  references: [REFERENCE.managedAccounts, REFERENCE.securingAd],
};
export const preAuthentication: FindingFamily = {
  key: 'preAuthentication',
  risk: 'Without pre-authentication anybody can obtain data from which the password can be guessed offline.',
  fix: 'Require Kerberos pre-authentication for the account.',
  steps: [
    'Find the reason, often an old UNIX client, and update it.',
    'Clear the option that turns pre-authentication off.',
    'Reset the password to a long random one.',
  ],
  verify: [
    'The flag DONT_REQ_PREAUTH is no longer set.',
    'Event 4768 with pre-authentication type 0 no longer occurs for the account.',
  ],
  care: 'Very old clients cannot pre-authenticate and fail to log on: update them first.',
  prevent: 'Alert when the flag is set.',
  references: [REFERENCE.securingAd],
};
export const delegationProtection: FindingFamily = {
  key: 'delegationProtection',
  risk: 'A service that is trusted for delegation could act as the privileged user toward other services.',
  fix: 'Mark the account as sensitive and not to be delegated, or add it to Protected Users.',
  steps: [
    'Test with one account: Protected Users turns off NTLM, RC4, cached logons and long tickets. An account whose password is older than AES support cannot log on any more: change its password first.',
    'Add privileged people to Protected Users, one team at a time.',
    'Mark accounts that cannot be members as sensitive instead. Never add service or computer accounts to Protected Users.',
  ],
  verify: ['The flag NOT_DELEGATED is set, or the account is a member of Protected Users.'],
  care: 'Remote tools that use NTLM because they connect by address stop working, and so do services and tasks that run as the account. Keep a tested emergency account outside the group.',
  prevent: 'Include it in the process for creating privileged accounts.',
  references: [REFERENCE.protectedUsers, REFERENCE.delegation],
};
export const accountSettings: FindingFamily = {
  key: 'accountSettings',
  risk: 'The password of the account is easier to guess, to read or to reuse than the policy of the domain intends.',
  fix: 'Clear the setting and reset the password of the account.',
  steps: [
    'List the accounts and their owners.',
    'Clear the setting and set a new password with the owner.',
    'Give service accounts a fine-grained password policy of their own, or make them managed accounts.',
  ],
  verify: ['The flag is removed from the account and the date of the last password change is recent.'],
  care: 'Services with a fixed password stop when it changes in one place only: find all places of it first.',
  prevent: 'Let provisioning refuse these settings.',
  references: [REFERENCE.securingAd, REFERENCE.managedAccounts],
};
export const exposedSecrets: FindingFamily = {
  key: 'exposedSecrets',
  risk: 'A secret or script that others can read or change works for anyone who finds it.',
  fix: 'Delete the value, and change the password it shows.',
  steps: [
    'Find the applications that write the attribute, read it or use the script, and change them first.',
    'Remove the value, and change every password it held.',
    'Move scripts of privileged users to a share that only the zone may change.',
  ],
  verify: ['A search for filled attributes and for scripts outside the zone returns nothing.'],
  care: 'Applications that read the value or use the password fail when it is deleted: change them first. A synchronizing application may write the value back until it is configured otherwise.',
  prevent: 'Search for such values after each new application.',
  references: [REFERENCE.securingAd],
};
export const staleAccounts: FindingFamily = {
  key: 'staleAccounts',
  risk: 'An unmonitored account can be misused for a long time without being noticed.',
  fix: 'Disable the account, remove it from its groups, and delete it later.',
  steps: [
    'Ask the owner whether the account is still needed.',
    'Disable it, and wait for complaints for thirty days.',
    'Remove it from its groups, and delete it after ninety days.',
    'Keep break-glass accounts exempt, but alert on every use of them.',
  ],
  verify: ['The date of the last logon and the state of the account match what you expect of it.'],
  care: 'Seasonal work, and the replication delay of up to 14 days of the logon date, make accounts look unused, and services that run as one stop. Ask the owner first, and disable an account long before you delete it.',
  prevent: 'Tie accounts to people and contracts, and review unused ones every month.',
  references: [REFERENCE.securingAd],
};
export const keyRotation: FindingFamily = {
  key: 'keyRotation',
  risk: 'Anyone who learned the old key at any time can still sign tickets with it.',
  fix: 'Rotate the key; for krbtgt twice, with at least the lifetime of a ticket in between.',
  steps: [
    'Check that replication is healthy.',
    'Reset the password once, and wait for at least the maximum lifetime of tickets.',
    'Reset it a second time.',
    "For seamless sign-on, roll over the key of the computer account with the vendor's procedure.",
  ],
  verify: ['The date of the last password change is recent on every domain controller, and logons succeed.'],
  care: 'Two resets in quick succession break tickets that are in use, and so does one before replication is healthy.',
  prevent: 'Rotate the key at least every 180 days.',
  references: [REFERENCE.krbtgt],
};
export const permissionInheritance: FindingFamily = {
  key: 'permissionInheritance',
  risk: 'The permissions of the object do not follow the zone it belongs to.',
  fix: 'Clear adminCount and enable inheritance on former members; block inheritance on objects of the zone.',
  steps: [
    'Check that the account is no longer a member of a protected group, directly or nested.',
    'Clear the attribute adminCount and enable inheritance on former members.',
    'For objects of the zone, move them to a unit without delegation, or block inheritance.',
  ],
  verify: ['The access list of the object shows the inherited entries you expect, and no others.'],
  care: 'Delegated teams, provisioning and backup regain or lose rights on these objects: export the access list first. Domain controllers stay in the unit Domain Controllers.',
  prevent: 'Include the cleanup in the process for removing a privilege.',
  references: [REFERENCE.protectedAccounts],
};
export const obsoleteSystems: FindingFamily = {
  key: 'obsoleteSystems',
  risk: 'Known vulnerabilities are no longer fixed, and newer protections are not available.',
  fix: 'Upgrade the system, or isolate it until it is removed.',
  steps: [
    'Find the owner and agree on a date for the upgrade.',
    'Until then, keep privileged users from logging on to it, and restrict its network.',
    'Raise the functional level when the last old domain controller is removed.',
    'Remove exceptions that were made for old systems.',
  ],
  verify: ['The next collection shows the new version, level or setting.'],
  care: 'Business applications may be tied to the old system, and stop with it or without its network: agree with their owners first.',
  prevent: 'Plan replacement before support ends.',
  references: [REFERENCE.securingAd],
};
export const domainDefaults: FindingFamily = {
  key: 'domainDefaults',
  risk: 'A default that is too generous applies to everyone in the domain.',
  fix: 'Set the default of the domain to a safe value.',
  steps: [
    'Delegate joining to a group first, then set the machine account quota to zero.',
    'Bring the password and lockout policy to your baseline. First list the accounts whose passwords are older than the new maximum age: all of them expire at once, those of services among them.',
    'Audit which applications read the directory as ordinary users, then empty the group for compatibility with systems before Windows 2000.',
  ],
  verify: ['The attributes of the domain object, and the members of the group, show the new values.'],
  care: 'Users who join computers themselves no longer can, and very old clients fail. A threshold of lockouts stops services that go on trying an old password.',
  prevent: 'Compare the domain with your baseline after each change of its policy.',
  references: [REFERENCE.securingAd],
};
export const collectionGaps: FindingFamily = {
  key: 'collectionGaps',
  risk: 'Missing data is not analyzed: attack paths over these computers stay unseen.',
  fix: 'Give the collector the rights and the network access it needs, and let it run more often.',
  steps: [
    'Look at the errors of the collector for these computers.',
    'Open the ports it needs and grant its account the local rights to read sessions and groups.',
    'Extend the schedule, so that computers that are often off are reached too.',
  ],
  verify: ['The completeness shown for the environment rises after the next run.'],
  care: 'A collector that may read every computer is itself a valuable target: treat its account and host as Tier Zero.',
  prevent: 'Watch completeness as you watch findings.',
  references: [REFERENCE.accessModel],
};
