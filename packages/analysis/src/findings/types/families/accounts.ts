/** Families of findings about the settings of accounts, computers and domains. */
import { type FindingFamily, REFERENCE } from '../family.ts';

export const serviceTickets: FindingFamily = {
  key: 'serviceTickets',
  risk: 'Any user of the domain can request a service ticket and guess the password offline, without being noticed.',
  fix: 'Use a group managed service account, or a random password of at least 25 characters and AES encryption only.',
  steps: [
    'Remove service principal names that no service uses.',
    'Convert the service to a group managed service account if it supports one.',
    'Otherwise set a long random password and allow AES encryption types only.',
    'Monitor ticket requests that use RC4.',
  ],
  verify: [
    'The account has no service principal name or is a managed account.',
    'Event 4769 with RC4 encryption no longer occurs for the account.',
  ],
  care: 'The application and all nodes of a cluster need the new password at the same time, and fail with the old one: first find every place where the password is stored. Clients that support only RC4 fail after you disable it.',
  prevent: 'Allow new services to run only under managed accounts.',
  references: [REFERENCE.managedAccounts, REFERENCE.securingAd],
};
export const preAuthentication: FindingFamily = {
  key: 'preAuthentication',
  risk: 'Without pre-authentication, anyone can request data that allows offline guessing of the password.',
  fix: 'Require Kerberos pre-authentication for the account.',
  steps: [
    'Find the reason, often an old UNIX client, and update it.',
    'Clear the account option "Do not require Kerberos preauthentication".',
    'Reset the password to a long, random one.',
  ],
  verify: [
    'The flag DONT_REQ_PREAUTH is no longer set.',
    'Event 4768 with pre-authentication type 0 no longer occurs for the account.',
  ],
  care: 'Very old clients cannot pre-authenticate, and their logons fail: update them first.',
  prevent: 'Alert when the flag is set.',
  references: [REFERENCE.securingAd],
};
export const delegationProtection: FindingFamily = {
  key: 'delegationProtection',
  risk: 'A service that is trusted for delegation could impersonate the privileged user to other services.',
  fix: 'Mark the account as sensitive so that it cannot be delegated, or add it to Protected Users.',
  steps: [
    'Test with one account first: Protected Users disables NTLM, RC4, cached logons and long ticket lifetimes. If the password of an account was set before the domain supported AES, the account can no longer log on: change its password first.',
    'Add privileged people to Protected Users, one team at a time.',
    'Mark accounts that cannot be members of the group as sensitive instead. Never add service or computer accounts to Protected Users.',
  ],
  verify: ['The flag NOT_DELEGATED is set, or the account is a member of Protected Users.'],
  care: 'Remote tools that use NTLM because they connect by IP address stop working. Services and scheduled tasks that run under the account stop working, too. Keep a tested emergency account outside the group.',
  prevent: 'Make this a step of the process that creates privileged accounts.',
  references: [REFERENCE.protectedUsers, REFERENCE.delegation],
};
export const accountSettings: FindingFamily = {
  key: 'accountSettings',
  risk: 'The password of the account is easier to guess, read or reuse than the domain policy intends.',
  fix: 'Clear the setting and reset the password of the account.',
  steps: [
    'List the accounts and their owners.',
    'Clear the setting, and set a new password together with the owner.',
    'Give service accounts their own fine-grained password policy, or replace them with managed accounts.',
  ],
  verify: ['The flag is cleared, and the date of the last password change is recent.'],
  care: 'Services that store the password stop working if you change it in only one place: first find every place where it is stored.',
  prevent: 'Make the provisioning process reject these settings.',
  references: [REFERENCE.securingAd, REFERENCE.managedAccounts],
};
export const exposedSecrets: FindingFamily = {
  key: 'exposedSecrets',
  risk: 'Anyone who finds a secret that others can read, or a script that others can change, can use it.',
  fix: 'Delete the value, and change the password that it contains.',
  steps: [
    'Find the applications that write or read the attribute or use the script, and change them first.',
    'Remove the value, and change every password that it contained.',
    'Move the scripts of privileged users to a share that only members of the zone can change.',
  ],
  verify: ['A search for values in these attributes, and for scripts outside the zone, returns nothing.'],
  care: 'Applications that read the value or use the password fail after you delete it: change them first. A synchronization application may write the value back until you change its configuration.',
  prevent: 'Search for such values after you introduce a new application.',
  references: [REFERENCE.securingAd],
};
export const staleAccounts: FindingFamily = {
  key: 'staleAccounts',
  risk: 'An attacker can use an unmonitored account for a long time without being noticed.',
  fix: 'Disable the account, remove it from its groups, and delete it later.',
  steps: [
    'Ask the owner whether the account is still needed.',
    'Disable it, and wait thirty days for complaints.',
    'Remove it from its groups, and delete it after ninety days.',
    'Keep break-glass accounts exempt, but alert on every use of them.',
  ],
  verify: ['The date of the last logon and the state of the account are as you expect.'],
  care: 'Accounts for seasonal work look unused, and so do accounts whose logon date is not yet replicated (up to 14 days). Services that run under a disabled account stop. Ask the owner first, and disable an account long before you delete it.',
  prevent: 'Link accounts to people and contracts, and review unused accounts every month.',
  references: [REFERENCE.securingAd],
};
export const keyRotation: FindingFamily = {
  key: 'keyRotation',
  risk: 'Anyone who ever learned the old key can still sign tickets with it.',
  fix: 'Rotate the key. For krbtgt, rotate it twice, and wait at least one ticket lifetime in between.',
  steps: [
    'Check that replication is healthy.',
    'Reset the password once, and wait for at least the maximum ticket lifetime.',
    'Reset it a second time.',
    'For seamless sign-on, roll over the key of the computer account as the vendor describes.',
  ],
  verify: ['The date of the last password change is recent on every domain controller, and logons succeed.'],
  care: 'Two resets in quick succession invalidate tickets in use, so logons fail. A reset before replication is healthy does the same.',
  prevent: 'Rotate the key at least every 180 days.',
  references: [REFERENCE.krbtgt],
};
export const permissionInheritance: FindingFamily = {
  key: 'permissionInheritance',
  risk: 'The permissions of the object do not match the zone that it belongs to.',
  fix: 'For former members, clear adminCount and enable inheritance. For objects of the zone, block inheritance.',
  steps: [
    'Check that the account is no longer a direct or nested member of a protected group.',
    'For former members, clear the attribute adminCount and enable inheritance.',
    'Move objects of the zone to an organizational unit without delegation, or block inheritance.',
  ],
  verify: ['The access control list of the object shows only the inherited entries that you expect.'],
  care: 'Delegated teams, provisioning and backup software regain or lose rights on these objects: export the access control list first. Domain controllers must stay in the organizational unit Domain Controllers.',
  prevent: 'Make this cleanup a step of the process that removes privileges.',
  references: [REFERENCE.protectedAccounts],
};
export const obsoleteSystems: FindingFamily = {
  key: 'obsoleteSystems',
  risk: 'Known vulnerabilities are no longer fixed, and newer protections are missing.',
  fix: 'Upgrade the system, or isolate it until it is removed.',
  steps: [
    'Find the owner and agree on a date for the upgrade.',
    'Until then, do not let privileged users log on to the system, and restrict its network access.',
    'Raise the functional level after you remove the last old domain controller.',
    'Remove exceptions that exist only for old systems.',
  ],
  verify: ['The next collection shows the new version, level or setting.'],
  care: 'Business applications that depend on the old system or its network access stop working: agree on the change with their owners first.',
  prevent: 'Plan replacements before support ends.',
  references: [REFERENCE.securingAd],
};
export const domainDefaults: FindingFamily = {
  key: 'domainDefaults',
  risk: 'A default that is too permissive applies to everyone in the domain.',
  fix: 'Set the default of the domain to a safe value.',
  steps: [
    'First delegate the right to join computers to a group, then set the machine account quota to zero.',
    'Bring the password and lockout policy in line with your baseline. First list the accounts whose passwords are older than the new maximum age, including service accounts: all of these passwords expire at once.',
    'Audit which applications read the directory as ordinary users, then empty the group Pre-Windows 2000 Compatible Access.',
  ],
  verify: ['The attributes of the domain object and the members of the group show the new values.'],
  care: 'Users can no longer join computers themselves, and very old clients fail. A lockout threshold locks out service accounts whose services retry an old password.',
  prevent: 'Compare the domain with your baseline after each policy change.',
  references: [REFERENCE.securingAd],
};
export const collectionGaps: FindingFamily = {
  key: 'collectionGaps',
  risk: 'Missing data is not analyzed, so attack paths through these computers are not shown.',
  fix: 'Give the collector the rights and the network access that it needs, and run it more often.',
  steps: [
    "Check the collector's errors for these computers.",
    "Open the required ports, and grant the collector's account the local rights to read sessions and groups.",
    'Extend the schedule so that the collector also reaches computers that are often turned off.',
  ],
  verify: ['The coverage shown for the environment is higher after the next run.'],
  care: 'A collector that can read every computer is a valuable target: treat its account and its host as Tier Zero.',
  prevent: 'Monitor coverage as you monitor findings.',
  references: [REFERENCE.accessModel],
};
