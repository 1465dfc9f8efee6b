/**
 * Texts of repairs: the change and its place, its verification, and possible outages. Attributes, flags and registry values have
 * the names of Microsoft's documentation.
 */
import { edgeText, phrasesText } from '@clew/model';
import { list, removePermission, separateLogons, templateEntry } from './accessTexts.ts';
import { assignmentText, ELIGIBLE, OTHER_ADMINISTRATORS, roleText } from './cloudTexts.ts';
import { listed } from './listed.ts';
import type { Misplaced } from './misplaced.ts';
import type { RepairKind } from './repairKinds.ts';
import type { RepairNames, RepairText } from './repairTextTypes.ts';
import { type CopiedTemplate, copyFirst, copyWith, NAME_FROM_DIRECTORY } from './templateCopies.ts';

type Tell = (names: RepairNames) => RepairText;

const CONFIGURATION = 'HKLM\\SYSTEM\\CurrentControlSet\\Services\\CertSvc\\Configuration';

const template = (name: string): string => `the certificate template ${name}`;

/** A template of version 1 is replaced, or changed without the console. */
const unlessReplaced = (object: string, copied: CopiedTemplate | undefined): string =>
  copied === undefined ? '' : `No CA publishes ${object}, or `;

const TEXTS: Readonly<Record<RepairKind, Tell>> = {
  'template-subject': ({ object, copied }) => ({
    title: `Disable ENROLLEE_SUPPLIES_SUBJECT in ${template(object)}`,
    change:
      copied === undefined
        ? `In ${template(object)}, choose "Build from this Active Directory information" on the Subject Name tab, ${NAME_FROM_DIRECTORY}. This clears ENROLLEE_SUPPLIES_SUBJECT (0x1) in msPKI-Certificate-Name-Flag.`
        : copyWith(copied, 'subject'),
    check: `${unlessReplaced(object, copied)}msPKI-Certificate-Name-Flag of ${object} no longer contains 0x1, and a new certificate names its requester.`,
    risk: `Enrollees that request certificates for other names with this template, such as web servers, need another template: first check the requests that CAs issued from ${object}, and provide one. If the template takes no name from the directory afterward, new certificates name nobody, and logons with them fail, such as with 802.1X, a VPN or smart cards. Certificates that are already issued stay valid until they expire or are revoked: check the same list for names that the requester should not have, and revoke these certificates.`,
  }),
  'template-approval': ({ object, copied }) => ({
    title: `Require certificate manager approval in ${template(object)}`,
    change:
      copied === undefined
        ? `In ${template(object)}, select "CA certificate manager approval" on the Issuance Requirements tab. This sets PEND_ALL_REQUESTS (0x2) in msPKI-Enrollment-Flag.`
        : copyWith(copied, 'approval'),
    check: `${unlessReplaced(object, copied)}msPKI-Enrollment-Flag of ${object} contains 0x2, and a request stays pending.`,
    risk: `Autoenrollment and renewal with ${object} stop until each request is approved. Check the issued requests first: if computers or users enroll automatically, appoint approvers before the first certificates expire, or restrict enrollment instead. Certificates that are already issued stay valid: revoke certificates with unexpected names.`,
  }),
  'template-security-extension': ({ object }) => ({
    title: `Enable the security extension in ${template(object)}`,
    change: `Clear NO_SECURITY_EXTENSION (0x80000) in msPKI-Enrollment-Flag of ${object}.`,
    check: `A new certificate of ${object} contains the extension 1.3.6.1.4.1.311.25.2.`,
    risk: 'Certificates that are already issued keep their contents: renew them.',
  }),
  'authority-san-flag': ({ object }) => ({
    title: `Disable EDITF_ATTRIBUTESUBJECTALTNAME2 on CA ${object}`,
    change: `On the host of ${object}, clear EDITF_ATTRIBUTESUBJECTALTNAME2 (0x40000) in EditFlags under ${CONFIGURATION}\\<CA>\\PolicyModules\\CertificateAuthority_MicrosoftDefault.Policy, and restart CertSvc.`,
    check: `EditFlags of ${object} no longer contains 0x40000.`,
    risk: 'Requests with additional names in an attribute are issued without these names, so web servers fail because their certificates lack them: find these requests among the issued ones first, and move them to a template with supplied names and approval. Certificates that are already issued stay valid: revoke certificates with unexpected names. The restart interrupts enrollment briefly.',
  }),
  'authority-web-enrollment': ({ object }) => ({
    title: `Remove or protect the web enrollment of CA ${object}`,
    change: `On the host of ${object}, remove the role services Certificate Authority Web Enrollment and Certificate Enrollment Web Service if they are not used. If they are used, allow only HTTPS and require Extended Protection for Authentication in IIS.`,
    check:
      'The path /certsrv on the host of the CA does not answer over HTTP, and requires channel binding over HTTPS.',
    risk: 'Users and devices that enroll through the web pages need another way to enroll: check the IIS log for them first.',
  }),
  'authority-rpc-encryption': ({ object }) => ({
    title: `Require encrypted requests on CA ${object}`,
    change: `On the host of ${object}, set IF_ENFORCEENCRYPTICERTREQUEST (0x200) in InterfaceFlags under ${CONFIGURATION}\\<CA>, and restart CertSvc.`,
    check: `InterfaceFlags of ${object} contains 0x200, and enrollment still works.`,
    risk: 'Clients that cannot encrypt their requests, such as Windows XP, can no longer enroll: check first that none is in use. The restart interrupts enrollment briefly.',
  }),
  'authority-extensions': ({ object }) => ({
    title: `Enable the security extension on CA ${object}`,
    change: `On the host of ${object}, remove 1.3.6.1.4.1.311.25.2 from DisableExtensionList under ${CONFIGURATION}\\<CA>\\PolicyModules\\CertificateAuthority_MicrosoftDefault.Policy, and restart CertSvc.`,
    check: `A new certificate of ${object} contains the extension 1.3.6.1.4.1.311.25.2.`,
    risk: 'No risk is known; the extension is the default.',
  }),
  'controllers-certificate-binding': ({ object }) => ({
    title: `Enforce strong certificate binding on the domain controllers of ${object}`,
    change: `On every domain controller of the forest of ${object}, set StrongCertificateBindingEnforcement to 2 under HKLM\\SYSTEM\\CurrentControlSet\\Services\\Kdc.`,
    check:
      'The value is 2 on every domain controller, and event 39 of Kdcsvc shows no refused certificate that is in use.',
    risk: 'Certificates without the security extension or a strong mapping no longer log on: check events 39 to 41 first. Domain controllers with updates since September 2025 ignore the value and always enforce strong binding: do not set the value there.',
  }),
  'controllers-certificate-mapping': ({ object }) => ({
    title: `Stop mapping certificates by UPN on the domain controllers of ${object}`,
    change: `On every domain controller of the forest of ${object}, clear 0x4 in CertificateMappingMethods under HKLM\\SYSTEM\\CurrentControlSet\\Control\\SecurityProviders\\Schannel; the default is 0x18.`,
    check: 'The value is 0x18 on every domain controller.',
    risk: 'Applications that log on with certificates over TLS and depend on the UPN, such as VPN gateways and web servers, fail until their accounts have a strong mapping: add the mappings first, and start with one domain controller.',
  }),
  'controllers-ldap-signing': ({ object }) => ({
    title: `Require LDAP signing on the domain controllers of ${object}`,
    change: `In the policy of the domain controllers of ${object}, set "Domain controller: LDAP server signing requirements" to "Require signing" (LDAPServerIntegrity = 2 under HKLM\\SYSTEM\\CurrentControlSet\\Services\\NTDS\\Parameters).`,
    check:
      'The value is 2 on every domain controller, and event 2889 of Directory Service no longer names any client.',
    risk: 'Clients that bind without signing fail, including printers, storage systems and Linux servers: first collect event 2889 on all domain controllers for two weeks (16 LDAP Interface Events = 2), and reconfigure the clients in these events.',
  }),
  'controllers-channel-binding': ({ object }) => ({
    title: `Require LDAP channel binding on the domain controllers of ${object}`,
    change: `In the policy of the domain controllers of ${object}, set "Domain controller: LDAP server channel binding token requirements" to "Always" (LdapEnforceChannelBinding = 2 under HKLM\\SYSTEM\\CurrentControlSet\\Services\\NTDS\\Parameters).`,
    check:
      'The value is 2 on every domain controller, and event 3039 of Directory Service no longer names any client.',
    risk: 'Clients whose TLS does not support channel binding fail over LDAPS: set "When supported" first, collect event 3039 on all domain controllers for two weeks, and update the clients in these events.',
  }),
  'controllers-netlogon-exceptions': ({ object }) => ({
    title: `Empty the list of Netlogon exceptions on the domain controllers of ${object}`,
    change: `First update or replace the devices in events 5830 and 5831 of the System log. Then, in the policies of the domain controllers of ${object}, set "Domain controller: Allow vulnerable Netlogon secure channel connections" to Not Defined, and delete the value VulnerableChannelAllowList under HKLM\\SYSTEM\\CurrentControlSet\\Services\\Netlogon\\Parameters if it still exists.`,
    check:
      'The value no longer exists on any domain controller, and events 5827 and 5828 name no device that is still needed.',
    risk: 'A device on the list that cannot protect its channel, such as an old storage system or an old version of Samba, immediately loses its connection to the domain: events 5827 and 5828 then name it.',
  }),
  'computer-smb-signing': ({ object }) => ({
    title: `Require SMB signing on ${object}`,
    change: `By policy, set "Microsoft network server: Digitally sign communications (always)" on ${object} (RequireSecuritySignature = 1 under HKLM\\SYSTEM\\CurrentControlSet\\Services\\LanManServer\\Parameters).`,
    check: `RequireSecuritySignature is 1 on ${object}.`,
    risk: `Very old clients and appliances that cannot sign lose access to ${object}: first check which clients have unsigned sessions there (Get-SmbSession).`,
  }),
  'domain-smb-signing': ({ object }) => ({
    title: `Require SMB signing on all computers of ${object}`,
    change: `In a policy that is linked to ${object}, set "Microsoft network server: Digitally sign communications (always)" (RequireSecuritySignature = 1 under HKLM\\SYSTEM\\CurrentControlSet\\Services\\LanManServer\\Parameters).`,
    check: 'RequireSecuritySignature is 1 on every computer that the next collection reaches.',
    risk: 'Very old clients and appliances that cannot sign lose access: start with a few computers of each kind, and monitor file transfers and scanners there before you apply the policy to all.',
  }),
  'domain-computer-quota': ({ object }) => ({
    title: `Set the machine account quota of ${object} to 0`,
    change: `On the domain object of ${object}, set ms-DS-MachineAccountQuota to 0. First grant the right to create computer objects in the organizational units for computers to the people who join computers today: ms-DS-CreatorSID of the computer accounts contains their SIDs.`,
    check: `ms-DS-MachineAccountQuota of ${object} is 0, an ordinary user cannot join a test computer, and users with the delegated right still can.`,
    risk: 'Users who join computers today without a delegated right no longer can, including imaging and self-service joins: delegate the right first. Computers that are already joined stay joined.',
  }),
  'separate-logons': ({ object, deniedServices: services }) => ({
    title: `Keep the Tier Zero accounts of ${object} off all computers outside Tier Zero`,
    ...separateLogons(object, services),
  }),
  'remove-permission': removePermission,
  'change-owner': ({ object, principal }) => ({
    title: `Make Domain Admins the owner of ${object} instead of ${principal}`,
    change: `Set the owner of ${object} to Domain Admins.`,
    check: `The owner of ${object} is Domain Admins.`,
    risk: `${principal} can no longer change the access control list of ${object} as its owner.`,
  }),
  'remove-enrollment': (names) => ({
    title: `Remove ${list(names.relations)} on ${template(names.object)} from ${names.principal}`,
    ...templateEntry(names),
    check: `The access control list of ${names.object} no longer grants ${names.principal} ${list(names.relations)}.`,
  }),
  'unpublish-template': ({ object, principal, copied }) => ({
    title: `Stop publishing ${template(principal)} on CA ${object}`,
    change: `${copied === undefined ? 'In' : `${copyFirst([copied], object)} Then, in`} the console of ${object}, delete ${principal} under Certificate Templates; the template itself stays.`,
    check: `${object} no longer lists ${principal}.`,
    risk: `${object} no longer issues or renews certificates of ${principal}, so services that use one stop when it expires: check the issued requests first, and provide another template for users who need one. Issued certificates stay valid: revoke certificates with unexpected names.`,
  }),
  'remove-member': (names) =>
    names.leavesTierZero === undefined ? staying(names, membership(names)) : leaving(names),
  'remove-local-member': ({ object, principal }) => ({
    title: `Remove ${principal} from ${object}`,
    change: `Remove ${principal} from the local group ${object}, and from the policy that adds it.`,
    check: `${object} no longer lists ${principal} after the policies are applied.`,
    risk: `${principal} loses these rights on that computer, and services that run under it there may stop: find out first what it does there, and check that another administrator group stays.`,
  }),
  'remove-policy-member': (names) => policyMember(names),
  'remove-logon-right': ({ object, principal }) => ({
    title: `Remove the Remote Desktop logon right on ${object} from ${principal}`,
    change: `Remove ${principal} from "Allow log on through Remote Desktop Services" in the policy of ${object}.`,
    check: `The right is no longer assigned to ${principal}.`,
    risk: `${principal} can no longer connect to ${object} over Remote Desktop: find out first who works there in this way. If the list becomes empty, no one can log on over Remote Desktop.`,
  }),
  'keep-off': ({ object, principal }) => ({
    title: `Keep ${principal} from logging on to ${object}`,
    change: `Deny ${principal} logon to ${object} ("Deny log on locally", "... through Remote Desktop Services", "... as a service", "... as a batch job"), or assign it an authentication policy for its own tier. A policy of an organizational unit denies these logons on all computers below it: link it to a unit that contains only ${object}, or, before you link it, let only ${object} apply it by security filtering. Restart ${object}, so that no session data stays in memory.`,
    check: `The next collections show no session of ${principal} on ${object}.`,
    risk: `Services, tasks and people that use ${principal} on ${object}, and on every other computer to which the policy applies, stop: find out first what it does there, and provide an account of the tier of ${object} for it.`,
  }),
  'unlink-policy': ({ object, principal }) => ({
    title: `Unlink the policy ${object} from ${principal || 'the places where it applies to Tier Zero'}`,
    change: `Remove the link of ${object}, or transfer the policy to the administrators of the objects that it applies to.`,
    check: `The container no longer lists a link to ${object}.`,
    risk: `From the next refresh on, settings of the policy no longer apply there, including protective settings: first check them in a report of the policy, and move the settings that are needed to another policy.`,
  }),
  'move-object': ({ object, principal }) => ({
    title: `Move ${object} out of ${principal}`,
    change: `Move ${object} to a container that only Tier Zero administrators control.`,
    check: `${object} is no longer below ${principal}.`,
    risk: `Policies and delegations of the old container no longer apply to ${object}: list them first, and link the policies that it needs to the new container. Domain controllers must stay in the organizational unit Domain Controllers.`,
  }),
  'remove-delegation': (names) => delegation(names),
  'clear-sid-history': ({ object }) => ({
    title: `Clear the SID history of ${object}`,
    change: `Remove the entries of sIDHistory of ${object} after you grant the access that they provide in another way.`,
    check: `sIDHistory of ${object} is empty.`,
    risk: 'Access that depends on the old SID ends: files and shares may still name it. Before the change, look for it in their access control lists, and grant the same access to the current SID.',
  }),
  'filter-trust': ({ object, principal }) => ({
    title: `Turn on SID filtering for the trust from ${principal} to ${object}`,
    change: `Turn on SID filtering for the trust with ${principal} on its trusting side, and turn off ticket delegation for it on its trusted side.`,
    check:
      'The attributes of the trust show SID filtering (quarantined or forest-aware) on the trusting side, and no ticket delegation on the trusted side.',
    risk: 'Users migrated with SID history, and services that delegate across the trust, lose access: find them first, and grant access to the current SIDs of the users.',
  }),
  'protect-host': ({ object, principal }) => ({
    title: `Administer ${principal || object} as Tier Zero`,
    change: `Allow only Tier Zero administrators to manage ${principal || object}: its local groups, policies, organizational unit and permissions.`,
    check: `${principal || object} is in Tier Zero, and no principal outside Tier Zero controls it.`,
    risk: 'Its previous administrators, and agents for backup, monitoring and software distribution, lose access: list them first, and create a Tier Zero account for each task.',
  }),
  'remove-role': (names) =>
    names.leavesTierZero === undefined ? staying(names, roleText(names)) : leavingRole(names),
  unsynchronize: ({ object, principal }) => ({
    title: `Stop synchronizing ${principal} with ${object}`,
    change: `Exclude ${object} from synchronization, and use a cloud-only account for privileged work.`,
    check: `${object} is no longer synchronized.`,
    risk: 'An account that is excluded from synchronization is deleted in the cloud in the next cycle, with its mailbox, licenses and roles: first provide a cloud-only account with these to the person. Afterward, both accounts have separate passwords.',
  }),
  'remove-relation': (names) => assignmentText(names) ?? relationText(names),
};

const membership = ({ object, principal }: RepairNames): RepairText => ({
  title: `Remove ${principal} from ${object}`,
  change: `Remove ${principal} from the members of ${object}.`,
  check: `${object} no longer lists ${principal}.`,
  risk: `${principal} loses all rights of ${object}: find out first which of these rights it uses, and grant these rights in another way.`,
});

/** An account that does not belong in Tier Zero, and is still there after the change. */
function staying({ staysInTierZero: stays }: RepairNames, text: RepairText): RepairText {
  if (stays === undefined) return text;
  const { through } = stays;
  const reason =
    through === '' ? 'it is also a member for another reason' : `it is also a member through ${through}`;
  return { ...text, change: `${text.change} This alone does not remove it from Tier Zero: ${reason}.` };
}

/** A relationship of an unknown kind, shown with its source. */
const relationText = ({ object, principal, relations }: RepairNames): RepairText => {
  const phrases = phrasesText(relations, (kind) => edgeText(kind).phrase);
  return {
    title: `Remove the rights with which ${principal} ${phrases} ${object}`,
    change: `Remove from ${principal} the rights that give it ${list(relations)} over ${object}: "clew path" and the composition of the relationship show them.`,
    check: 'The next analysis does not find the relationship.',
    risk: `Everything that ${principal} does with this relationship stops: find out first what it does.`,
  };
};

const CLOUD_ACCOUNT = 'a separate cloud-only account';

const assignment = ({
  object,
  principal,
  relations,
}: Pick<RepairNames, 'object' | 'principal' | 'relations'>): string =>
  relations.includes('AZRoleEligible')
    ? `the eligible assignment of ${principal} to ${object}.`
    : `the assignment of ${principal} to ${object}. ${ELIGIBLE}`;

/** An eligible role also gives access to Tier Zero. */
const leavingRole = ({ object, principal, relations, leavesTierZero }: RepairNames): RepairText => ({
  title: `Remove ${principal} from Tier Zero: remove its role ${object}`,
  check: `${principal} is no longer an active or eligible holder of ${object}, and is no longer a member of Tier Zero.`,
  change:
    leavesTierZero === 'everyday'
      ? `Give the person who uses ${principal} for administration ${CLOUD_ACCOUNT} with the role, if the work needs it, and sign in with it once. Then remove ${assignment({ object, principal, relations })}`
      : `Remove ${assignment({ object, principal, relations })}`,
  risk: `${principal} loses the rights of the role, and everything that it runs with them stops: find out first how it uses them. ${OTHER_ADMINISTRATORS}`,
});

/** An account that does not belong in Tier Zero; the text describes the access that it loses. */
const leaving = ({ object, principal, leavesTierZero = 'service' }: RepairNames): RepairText => ({
  title: `Remove ${principal} from Tier Zero: remove it from ${object}`,
  ...LEAVING[leavesTierZero]({ object, principal }),
});

const LEAVING: Readonly<
  Record<Misplaced, (names: Pick<RepairNames, 'object' | 'principal'>) => Omit<RepairText, 'title'>>
> = {
  disabled: ({ object, principal }) => ({
    change: `Remove the disabled account ${principal} from the members of ${object}, then clear its adminCount and enable inheritance on it.`,
    check: leftBy(object, principal),
    risk: `${principal} loses all rights of ${object}, and does not regain them when someone enables it again.`,
  }),
  service: ({ object, principal }) => ({
    change: `Grant ${principal} the rights that its service needs on the objects that it uses, then remove it from the members of ${object}. Clear its adminCount and enable inheritance on it.`,
    check: leftBy(object, principal),
    risk: `${principal} loses all rights of ${object}: the service stops if it uses one of them. Before the change, monitor the service with the new rights while it is still a member.`,
  }),
  everyday: ({ object, principal }) => ({
    change: `Give the person who uses ${principal} for administration ${CLOUD_ACCOUNT} in ${object}, if the work needs it, and sign in with it once. Then remove ${principal} from the members of ${object}.`,
    check: leftBy(object, principal),
    risk: `${principal} loses all roles and rights of ${object}: find out first which of them it uses. ${OTHER_ADMINISTRATORS}`,
  }),
};

const leftBy = (object: string, principal: string): string =>
  `${object} no longer lists ${principal}, and ${principal} is no longer a member of Tier Zero.`;

function policyMember({ object, principal, policy }: RepairNames): RepairText {
  const {
    group = 'the local groups',
    computerCount = 0,
    computers: hosts = [],
    units = [object],
  } = policy ?? {};
  const computers =
    computerCount === 0
      ? 'the computers'
      : computerCount === 1
        ? 'one computer'
        : `${computerCount} computers`;
  const places = units.length < 2 ? object : `${units.slice(0, -1).join(', ')} and ${units.at(-1)}`;
  return {
    title: `Remove ${principal} from ${group} of ${computers} in the group policy of ${places}`,
    change: `In the policies linked to ${places}, remove ${principal} from the members that they add to ${group}: check Restricted Groups, and Local Users and Groups in the preferences. Preferences do not revert their changes: configure them to remove ${principal}, or remove it from the local groups manually.${affectedHosts(hosts, computerCount)}`,
    check: `After the policies are applied, ${group} of ${computers} below ${places} no longer lists ${principal}.`,
    risk: `${principal} loses these rights on ${computers}: find out first who works there with them.`,
  };
}

/** @param count of all computers; `hosts` may be only some of them */
function affectedHosts(hosts: readonly string[], count: number): string {
  if (hosts.length === 0) return '';
  const others = count - hosts.length;
  const names = others > 0 ? `${hosts.join(', ')} and ${others} more` : listed(hosts, hosts.length);
  return ` The change affects ${names}.`;
}

/** Three kinds of delegation: to every service, to named services, and set on the target object. */
function delegation({ object, objectKind, principal, relations }: RepairNames): RepairText {
  const account = objectKind === 'Computer' ? 'computer' : 'user';
  const risk =
    'A service that impersonates its users fails without delegation: first list the services of the account, and configure constrained delegation for the services that need it.';
  if (relations.includes('AllowedToAct'))
    return {
      title: `Remove the delegation of ${principal} to ${object}`,
      change: `Remove ${principal} from msDS-AllowedToActOnBehalfOfOtherIdentity of ${object}.`,
      check: `msDS-AllowedToActOnBehalfOfOtherIdentity of ${object} no longer names ${principal}.`,
      risk: `Services of ${principal} can no longer act on behalf of their users on ${object}: find out first whether a service needs this, such as live migration of virtual machines.`,
    };
  if (relations.includes('AllowedToDelegate'))
    return {
      title: `Remove the delegation of ${object} to ${principal}`,
      change: `On the Delegation tab of ${object}, remove the services of ${principal}. They are in msDS-AllowedToDelegateTo.`,
      check: `msDS-AllowedToDelegateTo of ${object} no longer contains a service of ${principal}.`,
      risk,
    };
  return {
    title: `Turn off the unconstrained delegation of ${object}`,
    change: `On the Delegation tab of ${object}, choose "Do not trust this ${account} for delegation", or choose "Trust this ${account} for delegation to specified services only" and add only the services that it needs. This clears TRUSTED_FOR_DELEGATION (0x80000) in userAccountControl.`,
    check: `userAccountControl of ${object} no longer contains 0x80000.`,
    risk,
  };
}

export function repairText(kind: RepairKind, names: RepairNames): RepairText {
  return TEXTS[kind](names);
}
