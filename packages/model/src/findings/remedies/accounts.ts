/** Remedies of single findings about accounts, groups and domains of Active Directory. */
import { REFERENCE } from '../family.ts';
import type { Remedies } from './remedy.ts';

export const ACCOUNT_REMEDIES: Remedies = {
  KerberoastingWeakEncryption: {
    fix: 'Allow AES for the account, and change its password so that AES keys exist.',
  },
  OldServiceAccountPassword: {
    risk: 'The longer a service password stays, the more people, scripts and backups know it, and the longer guesses at a service ticket stay worth making.',
    fix: 'Change the password of the service account, or move the service to a group managed service account.',
  },
  ASREPRoasting: {
    care: 'Very old clients that cannot pre-authenticate fail to log on with the account.',
  },
  UnconstrainedDelegationComputers: {
    fix: 'Turn unconstrained delegation off for the computer, and let its services delegate to named services only.',
  },
  UnconstrainedDelegationUsers: {
    fix: 'Turn unconstrained delegation off for the account, and replace it by a group managed service account.',
  },
  ProtocolTransition: {
    risk: 'Whoever takes the account over acts as any user who is not protected from delegation, towards the services it is configured for.',
    fix: 'Let the account delegate with Kerberos only, so that users have to log on to it themselves.',
    care: 'Front ends that log users on by forms or certificates need the transition. Change those to Kerberos first.',
  },
  T0ConstrainedDelegationFromT0: {
    fix: 'Take delegation away from the privileged account, and run the service that needs it under an account of its own.',
  },
  RBCDConfigured: {
    risk: 'Whoever controls the other account acts as any unprotected user towards the domain controller, which is control of the domain.',
    fix: 'Clear msDS-AllowedToActOnBehalfOfOtherIdentity on the domain controller.',
    steps: [
      'Read which accounts the attribute names, and who wrote it (event 5136).',
      'Unless somebody can explain the entry, treat the named account as taken over.',
      'Clear the attribute.',
      'Remove the right to write it from everyone outside the zone.',
    ],
    verify: ['The attribute is empty on every domain controller.'],
    care: 'Hardly any service delegates to a domain controller. Ask the owner of the named account all the same.',
  },
  T0UserNotProtected: {
    risk: 'Outside the group, the logon of a privileged user may still use NTLM or RC4, be cached and be delegated.',
    fix: 'Add the account to Protected Users.',
    verify: ['The account is a member of Protected Users, and its owner can still do the daily work.'],
  },
  DESOnlyAccounts: {
    fix: 'Clear the restriction to DES, and change the password so that AES keys exist.',
  },
  ReversibleEncryption: {
    risk: 'Whoever can read the database of a domain controller or a backup of it sees the password itself, not a hash.',
    fix: 'Turn reversible encryption off for the account, then change its password: the readable copy stays until then.',
  },
  PasswordNotRequired: {
    risk: 'Nobody can tell from the directory whether the password is empty; if it is, knowing the name is enough to log on.',
    fix: 'Clear the flag PASSWD_NOTREQD, and set a password that meets the policy.',
  },
  PasswordNeverExpires: {
    risk: 'A password that somebody learned at any time works until a person thinks of changing it.',
    fix: 'Clear the setting and change the password, or make the account a group managed service account.',
  },
  T0PasswordNeverExpires: {
    risk: 'The password of a privileged account that somebody learned once stays good for as long as nobody changes it.',
    fix: 'Clear the setting on the privileged account, and change its password.',
  },
  T0OldPassword: {
    risk: 'Whoever learned the password in the past year or before can still use it, from old notes, backups or computers the user logged on to.',
    fix: 'Change the password of the account.',
    steps: [
      'Find out where the password is stored: services, scheduled tasks, scripts, password vaults.',
      'Change it together with the owner, from a workstation of the zone.',
      'Replace passwords of privileged people by smart cards or security keys where you can.',
    ],
    verify: [
      'The date of the last password change is recent, and no service logs failed logons (event 4625) for it.',
    ],
  },
  PasswordInAttribute: {
    risk: 'Most attributes can be read by every user of the domain, so whoever looks finds the password.',
    fix: 'Delete the value from the attribute, and change the password it shows.',
  },
  LogonScriptOutsideTrust: {
    risk: 'Whoever can change the script, or the host it lies on, decides what runs at the next logon of the privileged user.',
    fix: 'Move the script to the NETLOGON share of the domain, or remove it from the account.',
    verify: ['The logon script of the account is empty or a path in NETLOGON.'],
  },
  T0DisabledUsers: {
    risk: 'Whoever may enable the account or reset its password gets its privileges back, and reviews of active accounts pass it by.',
    fix: 'Remove the account from its privileged groups, and delete it when nobody needs it any more.',
    steps: [
      'Note the groups of the account, in case it has to come back.',
      'Remove it from every privileged group.',
      'Move it to a unit for disabled accounts, and delete it after your retention period.',
    ],
    verify: ['The account is no longer a member of any group of the zone (events 4729, 4733, 4757).'],
    care: 'Files and mailboxes that name the account lose their owner when it is deleted.',
    prevent: 'Let the process for leavers remove memberships, not only disable the account.',
  },
  NeverLoggedOnT0: {
    risk: 'A privileged account that nobody has used may still have the password it was created with.',
    fix: 'Ask who needs the account; disable it, or let its owner set a password of their own.',
  },
  StaleUsers: {
    fix: 'Disable the unused account, remove it from its groups, and delete it later.',
  },
  StaleComputers: {
    risk: 'The account of a computer that is gone, or is no longer patched, can still log on to the domain.',
    fix: 'Disable the computer account, and delete it when nothing fails for thirty days.',
    care: 'Clusters, virtual desktops and devices that are rarely on look unused. Ask before deleting: a deleted computer must be joined again.',
  },
  T0StaleUsers: {
    risk: 'Nobody would notice somebody else using a privileged account that its owner does not use.',
    fix: 'Take the privileges from the account, then disable it; exempt tested break-glass accounts.',
  },
  BuiltinAdministratorUsed: {
    risk: 'The account belongs to nobody in particular, so nobody can tell who did what with it, and it is the one whose name everybody knows.',
    fix: 'Administer with personal accounts, and keep the built-in Administrator for emergencies.',
    steps: [
      'Find what uses it: interactive logons, services, scheduled tasks (event 4624 on domain controllers).',
      'Move services and tasks to managed service accounts, and people to personal accounts.',
      'Set a long random password, store it sealed, and mark the account as sensitive.',
      'Alert on every logon of it.',
    ],
    verify: ['Events 4624 and 4768 show no use of the account but tests.'],
    care: 'Do not delete or lock it away untested: it is the way back when everything else fails.',
    prevent: 'Review the logons of the account every month.',
  },
  GuestEnabled: {
    risk: 'Whoever reaches a computer over the network may be let in as Guest without a password, with all that is granted to Guest, Guests and Everyone.',
    fix: 'Disable the Guest account, and keep it disabled by policy.',
    steps: [
      'Look for shares and devices that rely on access as guest.',
      'Give them an account of their own.',
      'Disable Guest, and set the policy "Accounts: Guest account status" to disabled.',
      'Remove Guest from every group but Guests.',
    ],
    verify: ['The account is disabled on the next collection, and no event 4624 names it.'],
    care: 'Scanners and old devices that write to shares without a password stop working.',
    prevent: 'Keep the policy in the baseline of domain controllers.',
  },
  ShadowCredentialsPresent: {
    fix: 'Compare the key credentials with the devices the user registered, and remove those nobody knows.',
    steps: [
      'List the values of msDS-KeyCredentialLink with their device ids and dates.',
      'Compare them with the devices of the user in your device management.',
      'Remove unknown values, and find out who wrote them (event 5136).',
      'If a value is not explained, treat the account as taken over: reset its password and end its sessions.',
    ],
    verify: ['Each remaining value belongs to a device that the user has.'],
  },
  KrbtgtPasswordAge: {
    risk: 'Whoever learned the key of krbtgt at any time, from a backup for example, can still make tickets for anybody.',
    fix: 'Reset the password of krbtgt twice, with at least the lifetime of a ticket (ten hours by default) in between.',
    steps: [
      'Check that replication between all domain controllers is healthy.',
      'Reset the password once; the domain keeps the key before as the second one.',
      'Wait for replication, and for at least the maximum lifetime of tickets.',
      'Reset the password a second time.',
    ],
  },
  AzureADSSOKeyAge: {
    risk: 'Whoever learned the key of the computer account can sign in to the cloud as any synchronised user.',
    fix: 'Roll over the Kerberos decryption key of AZUREADSSOACC, and do so at least every 30 days.',
    steps: [
      'Sign in to the synchronisation server with an administrator of the zone.',
      'Run Update-AzureADSSOForest once for each forest.',
      'Turn seamless sign-on off instead where all devices are joined to Entra ID: they do not need it.',
    ],
    verify: [
      'The password of the computer account AZUREADSSOACC is younger than a day, and sign-on still works.',
    ],
    care: 'A second rollover before tickets have run out breaks sign-on until users log on again.',
    prevent: 'Plan the rollover as a monthly task, and treat the computer account as Tier Zero.',
  },
  AdminCountOrphans: {
    risk: 'The object no longer inherits the permissions of its unit, so delegated support, and corrections made on the unit, pass it by.',
    fix: 'Clear adminCount on the former member, and enable inheritance on it again.',
    steps: [
      'Check that the object is in no protected group any more, directly or nested.',
      'Clear the attribute adminCount.',
      'Enable inheritance and restore the default permissions of the object.',
    ],
  },
  T0InheritanceEnabled: {
    risk: 'Whoever is delegated on the unit gains the same right on the privileged object below it.',
    fix: 'Move the object to a unit of Tier Zero that is not delegated, or block inheritance on it.',
    steps: [
      'Read on the unit who outside the zone holds rights that are passed on.',
      'Move the object to a unit that only the zone administers.',
      'Where it must stay, copy the entries it needs and block inheritance.',
    ],
  },
  SIDHistoryPresent: {
    care: 'Access to resources of the old domain may still rest on the value; ask before each batch.',
  },
  PrivilegedSIDHistory: {
    risk: 'The account has the rights of the privileged SID in every access check although it is in none of its groups. No ordinary migration leaves such a value.',
    fix: 'Clear the value at once, and find out how it came there.',
    steps: [
      'Find out when the value was written, from event 4765 and the metadata of the attribute.',
      'Unless a migration explains it, treat the account and whoever wrote the value as taken over.',
      'Clear the attribute.',
      'Enforce SID filtering on all trusts to other forests.',
    ],
  },
  TrustWithoutSIDFiltering: {
    risk: 'Administrators of the other forest can claim SIDs of this one, and with them its privileges.',
    fix: 'Turn SID filtering on for the trust.',
  },
  TrustWithTGTDelegation: {
    risk: 'Tickets of users and domain controllers can be collected by servers of the other forest that are trusted for delegation.',
    fix: 'Turn ticket delegation off for the trust.',
  },
  RC4Trusts: {
    risk: 'Tickets for the other side are protected with a cipher that is weak and on its way out.',
    fix: 'Allow AES for the trust on both sides, and reset its password.',
  },
  PreWindows2000Access: {
    risk: 'Members of the group may read all attributes of all users and groups, which is a map for whoever looks for a way.',
    fix: 'Remove Everyone, Anonymous Logon and Authenticated Users from Pre-Windows 2000 Compatible Access.',
    steps: [
      'Remove Anonymous Logon and Everyone first; hardly anything needs them.',
      'Turn on auditing of directory reads for a while and see which applications read as ordinary users.',
      'Give those that look up group memberships a place in Windows Authorization Access Group.',
      'Remove Authenticated Users.',
    ],
    verify: ['The group holds only the members you decided on.'],
    care: 'Applications that work out the groups of other users may fail. Test with one domain controller site first.',
    prevent: 'Create new domains without compatibility for old servers.',
  },
  OperatorsGroupsUsed: {
    risk: 'Operator groups can do far more than their names say: they may change most accounts, or log on to domain controllers and load code there.',
    fix: 'Empty the operator group, and delegate the tasks it was used for.',
  },
  SchemaAdminsNotEmpty: {
    risk: 'A member decides about the permissions of every object that is created from then on, in the whole forest.',
    fix: 'Empty Schema Admins, and add a person only for the time of a change of the schema.',
    care: 'Installations that extend the schema, Exchange for example, need a member for that day.',
  },
  DnsAdminsNotEmpty: {
    risk: 'A member configures the DNS service, which usually runs on domain controllers, and decides what names lead to.',
    fix: 'Empty the DNS administrators group, and delegate single zones instead.',
  },
  TooManyDomainAdmins: {
    risk: 'Each of them is a way to the whole domain; with so many, some are used carelessly or not at all.',
    fix: 'Reduce the administrators of the domain to the few who cannot work without it.',
  },
  NestedForeignPrincipals: {
    risk: 'Whoever administers the other forest can become the member, and so reach into this one.',
    fix: 'Remove the member of the other forest; give its owner an account of this forest if the work is needed.',
  },
  ComputersInPrivilegedGroups: {
    risk: 'Whoever administers the computer, or can make it authenticate, acts with the privileges of the group.',
    fix: 'Remove the computer from the group, and give its service only the rights it needs.',
  },
  RodcRevealsPrivileged: {
    risk: 'Read-only controllers stand where theft is likely; a password kept there is lost with them.',
    fix: 'Deny the privileged accounts on the read-only controller: add them to the Denied RODC Password Replication Group.',
    steps: [
      'List the accounts whose passwords the controller has stored already, and reset those that are privileged.',
      'Add Tier Zero users and groups to the Denied RODC Password Replication Group.',
      'Narrow the list of allowed accounts to those of the site.',
    ],
    verify: ['The resultant policy of the controller denies a Tier Zero user.'],
    care: 'Denied users cannot log on at the site while the connection to a full controller is down.',
    prevent: 'Keep all groups of Tier Zero in the denied group.',
  },
  GPOOwnedOutside: {
    fix: 'Set the owner of the policy to Domain Admins, in the directory and on its folder in SYSVOL.',
  },
  GPOUnlinked: {
    risk: 'Nobody reviews the editors of a policy that is in force nowhere, and a single link puts all it holds into force.',
    fix: 'Back the policy up and delete it, or link it on purpose.',
    steps: [
      'Look for links to sites: collectors do not read them all.',
      'Ask the owner what the policy was for, and back it up.',
      'Delete it.',
    ],
    verify: ['The policy is gone from the directory and its folder from SYSVOL.'],
    care: 'Templates that are kept for copying look unlinked, too. Keep them in a test domain or as backups.',
    prevent: 'Delete a policy together with its last link.',
  },
  MachineAccountQuota: {
    risk: 'A user controls the computer accounts the user created, which helps in attacks on delegation and on certificate services.',
    fix: 'Set ms-DS-MachineAccountQuota of the domain to 0, and delegate joining to a group.',
    steps: [
      'Find out who joins computers: ms-DS-CreatorSID of computer accounts names them.',
      'Let a group create computer objects in the units meant for them.',
      'Set the attribute on the domain object to 0.',
      'Narrow the user right "Add workstations to domain" on domain controllers to the same group.',
    ],
    verify: ['The attribute is 0, and an ordinary user who tries to join a test computer is refused.'],
    care: 'Imaging and self-service joining need an account of the group.',
    prevent: 'Watch event 4741 for computer accounts created by others.',
  },
  WeakPasswordPolicy: {
    risk: 'Short, repeated or simple passwords are found by trying common ones on many accounts.',
    fix: 'Require at least 12 characters, remember 12 passwords or more, and turn complexity on in the domain policy.',
    steps: [
      'Compare the policy of the domain with your baseline (Get-ADDefaultDomainPasswordPolicy).',
      'Tell people what will change, and when.',
      'Change the policy that is linked to the domain.',
      'Give privileged and service accounts a stricter fine-grained policy.',
    ],
    verify: ['Get-ADDefaultDomainPasswordPolicy shows the new values on every domain controller.'],
    care: 'The policy counts from the next change of each password, and fine-grained policies go before it.',
    prevent: 'Compare the policy with the baseline after each change of domain policies.',
  },
  NoLockoutPolicy: {
    risk: 'Passwords of an account can be tried without end.',
    fix: 'Set a lockout threshold, for example ten attempts, with an observation time of some minutes.',
    steps: [
      'Look at the number of failed logons on ordinary days (events 4625 and 4771).',
      'Set the threshold well above it, with a lockout that ends by itself.',
      'Watch event 4740 for accounts that are locked out.',
    ],
    verify: ['A test account is locked after the number of attempts you set.'],
    care: 'A low threshold lets anybody lock people out on purpose, and old saved passwords lock their owners out.',
    prevent: 'Keep the threshold in the baseline of the domain.',
  },
  LowFunctionalLevel: {
    fix: 'Raise the functional level once every domain controller runs a version that supports it.',
    steps: [
      'List the versions of all domain controllers, and replace the old ones.',
      'Ask vendors of directory applications whether they support the level.',
      'Raise the level of each domain, then of the forest.',
    ],
    verify: ['Get-ADDomain and Get-ADForest show the new level.'],
    care: 'Going back is limited or impossible, and older servers can no longer become domain controllers.',
  },
  DCVulnerableNetlogonAllowList: {
    risk: 'A device on the list may use Netlogon without protection, so somebody on the network can take its place.',
    fix: 'Update or retire the devices on the list, and empty it.',
    steps: [
      'Read who is on the list: the policy "Domain controller: Allow vulnerable Netlogon secure channel connections".',
      'Look for events 5830 and 5831, which name the devices that use the exception.',
      'Update these devices, or replace them.',
      'Remove the policy and the registry value it left.',
    ],
    verify: ['Events 5830 and 5831 no longer appear, and the value is gone on each domain controller.'],
    care: 'A device that cannot protect its channel loses its connection to the domain.',
  },
  ComputersWithoutLAPS: {
    risk: 'Where local administrators share a password, whoever learns it on one computer is administrator of all.',
    fix: 'Deploy Windows LAPS to the computer.',
    steps: [
      'Extend the schema for Windows LAPS and let computers write their own password.',
      'Set the policy for the unit of the computer, with encryption for a group that may read.',
      'Remove other local accounts with administrative rights.',
    ],
    verify: [
      'The computer has a time of password expiry in the directory, and the old local password fails.',
    ],
    care: 'Scripts and people who know the old local password lose their access.',
    prevent: 'Link the policy to every unit that holds computers.',
    references: [REFERENCE.laps],
  },
};
