/**
 * Texts of repairs: the change and its place, its verification, and possible outages. Attributes, flags and registry values have
 * the names of Microsoft's documentation.
 */
import { edgeText, phrasesText } from '@clew/model';
import { copyFirst, list, removePermission, separateLogons } from './accessTexts.ts';
import { assignmentText, OTHER_ADMINISTRATORS, roleText } from './cloudTexts.ts';
import type { Misplaced } from './misplaced.ts';
import type { RepairKind } from './repairs.ts';
import type { RepairNames, RepairText } from './repairTextTypes.ts';

type Tell = (names: RepairNames) => RepairText;

const CONFIGURATION = 'HKLM\\SYSTEM\\CurrentControlSet\\Services\\CertSvc\\Configuration';

const template = (name: string): string => `the certificate template ${name}`;

const TEXTS: Readonly<Record<RepairKind, Tell>> = {
  'template-subject': ({ object }) => ({
    title: `Disable ENROLLEE_SUPPLIES_SUBJECT in ${template(object)}`,
    change: `In ${template(object)}, choose "Build from this Active Directory information" on the Subject Name page. That clears ENROLLEE_SUPPLIES_SUBJECT (0x1) in msPKI-Certificate-Name-Flag.`,
    check: `msPKI-Certificate-Name-Flag of ${object} no longer holds 0x1.`,
    risk: `Those who request certificates for other names with this template, such as web servers, need another template: look at the requests that the authorities issued from ${object} first, and give them one. Certificates that were issued before stay valid until they end or are revoked: look in the same list for names that the requester should not have, and revoke these.`,
  }),
  'template-approval': ({ object }) => ({
    title: `Require approval of a certificate manager in ${template(object)}`,
    change: `In ${template(object)}, set "CA certificate manager approval" on the Issuance Requirements page. That sets PEND_ALL_REQUESTS (0x2) in msPKI-Enrollment-Flag.`,
    check: `msPKI-Enrollment-Flag of ${object} holds 0x2, and a request stays pending.`,
    risk: `Automatic enrollment and renewal with ${object} stop until each request is approved. Look at the issued requests first: where computers or users enroll automatically, name those who approve before the first certificates end, or narrow who may enroll instead. Certificates that were issued before stay valid: revoke those with unexpected names.`,
  }),
  'template-security-extension': ({ object }) => ({
    title: `Enable the security extension in ${template(object)}`,
    change: `Clear NO_SECURITY_EXTENSION (0x80000) in msPKI-Enrollment-Flag of ${object}.`,
    check: `A new certificate of ${object} holds the extension 1.3.6.1.4.1.311.25.2.`,
    risk: 'Certificates that were issued already keep their contents: renew them.',
  }),
  'authority-san-flag': ({ object }) => ({
    title: `Disable EDITF_ATTRIBUTESUBJECTALTNAME2 on CA ${object}`,
    change: `On the host of ${object}, clear EDITF_ATTRIBUTESUBJECTALTNAME2 (0x40000) in EditFlags under ${CONFIGURATION}\\<CA>\\PolicyModules\\CertificateAuthority_MicrosoftDefault.Policy, and restart CertSvc.`,
    check: `EditFlags of ${object} no longer holds 0x40000.`,
    risk: 'Requests that name further subjects as an attribute are issued without them, so that web servers fail with certificates that lack their names: find these requests among the issued ones first, and move them to a template with supplied names and approval. Certificates that were issued before stay valid: revoke those with unexpected names. The restart interrupts enrollment for a moment.',
  }),
  'authority-web-enrollment': ({ object }) => ({
    title: `Remove or protect the web enrollment of CA ${object}`,
    change: `On the host of ${object}, remove the role services Certificate Authority Web Enrollment and Certificate Enrollment Web Service where they are not used. Where they are, allow HTTPS only and require Extended Protection for Authentication in IIS.`,
    check:
      'The path /certsrv on the host of the CA does not answer over http, and demands channel binding over https.',
    risk: 'Users and devices that enroll over the web pages need another way: read the log of IIS first, which names them.',
  }),
  'authority-rpc-encryption': ({ object }) => ({
    title: `Require encrypted requests on CA ${object}`,
    change: `On the host of ${object}, set IF_ENFORCEENCRYPTICERTREQUEST (0x200) in InterfaceFlags under ${CONFIGURATION}\\<CA>, and restart CertSvc.`,
    check: `InterfaceFlags of ${object} holds 0x200, and enrollment still works.`,
    risk: 'Clients that cannot encrypt their requests, such as Windows XP, no longer enroll: check first that none is in use. The restart interrupts enrollment for a moment.',
  }),
  'authority-extensions': ({ object }) => ({
    title: `Enable the security extension on CA ${object}`,
    change: `On the host of ${object}, remove 1.3.6.1.4.1.311.25.2 from DisableExtensionList under ${CONFIGURATION}\\<CA>\\PolicyModules\\CertificateAuthority_MicrosoftDefault.Policy, and restart CertSvc.`,
    check: `A new certificate of ${object} holds the extension 1.3.6.1.4.1.311.25.2.`,
    risk: 'No risk is known; the extension is the default.',
  }),
  'controllers-certificate-binding': ({ object }) => ({
    title: `Enforce strong certificate binding on the domain controllers of ${object}`,
    change: `On every domain controller of the forest of ${object}, set StrongCertificateBindingEnforcement to 2 under HKLM\\SYSTEM\\CurrentControlSet\\Services\\Kdc.`,
    check:
      'The value is 2 on every controller, and the event 39 of Kdcsvc shows no certificate in use that is refused.',
    risk: 'Certificates without the security extension or a strong mapping no longer log on: look for the events 39 to 41 first. Controllers with the updates since September 2025 ignore the value and always enforce: on them there is nothing to set.',
  }),
  'controllers-certificate-mapping': ({ object }) => ({
    title: `Stop mapping certificates by UPN on the domain controllers of ${object}`,
    change: `On every domain controller of the forest of ${object}, clear 0x4 in CertificateMappingMethods under HKLM\\SYSTEM\\CurrentControlSet\\Control\\SecurityProviders\\Schannel; the default is 0x18.`,
    check: 'The value is 0x18 on every controller.',
    risk: 'Applications that log on with certificates over TLS and rely on the UPN, such as VPN gateways and web servers, fail until their accounts have a strong mapping: give them one first, and begin with one controller.',
  }),
  'controllers-ldap-signing': ({ object }) => ({
    title: `Require LDAP signing on the domain controllers of ${object}`,
    change: `In the policy of the domain controllers of ${object}, set "Domain controller: LDAP server signing requirements" to Require signing (LDAPServerIntegrity = 2 under HKLM\\SYSTEM\\CurrentControlSet\\Services\\NTDS\\Parameters).`,
    check:
      'The value is 2 on every controller, and the event 2889 of Directory Service names no client any more.',
    risk: 'Clients that bind without signing fail, printers, storage and Linux servers among them: collect the event 2889 on all controllers for two weeks first (16 LDAP Interface Events = 2), and change the clients that it names.',
  }),
  'controllers-channel-binding': ({ object }) => ({
    title: `Require LDAP channel binding on the domain controllers of ${object}`,
    change: `In the policy of the domain controllers of ${object}, set "Domain controller: LDAP server channel binding token requirements" to Always (LdapEnforceChannelBinding = 2 under HKLM\\SYSTEM\\CurrentControlSet\\Services\\NTDS\\Parameters).`,
    check:
      'The value is 2 on every controller, and the event 3039 of Directory Service names no client any more.',
    risk: 'Clients whose TLS does not support channel binding fail over LDAPS: set "When supported" first, collect the event 3039 on all controllers for two weeks, and update the clients that it names.',
  }),
  'controllers-netlogon-exceptions': ({ object }) => ({
    title: `Empty the list of Netlogon exceptions on the domain controllers of ${object}`,
    change: `First update or replace the devices that the events 5830 and 5831 of the System log name. Then, in the policies of the domain controllers of ${object}, set "Domain controller: Allow vulnerable Netlogon secure channel connections" to Not Defined, and delete the value VulnerableChannelAllowList under HKLM\\SYSTEM\\CurrentControlSet\\Services\\Netlogon\\Parameters where it is left.`,
    check:
      'The value no longer exists on any controller, and the events 5827 and 5828 name no device that is still needed.',
    risk: 'A device on the list that cannot protect its channel, such as old storage or an old version of Samba, loses its connection to the domain at once: the events 5827 and 5828 then name it.',
  }),
  'computer-smb-signing': ({ object }) => ({
    title: `Require SMB signing on ${object}`,
    change: `By policy, set "Microsoft network server: Digitally sign communications (always)" on ${object} (RequireSecuritySignature = 1 under HKLM\\SYSTEM\\CurrentControlSet\\Services\\LanManServer\\Parameters).`,
    check: `RequireSecuritySignature is 1 on ${object}.`,
    risk: `Very old clients and appliances that cannot sign lose access to ${object}: look first which clients have sessions there that are not signed (Get-SmbSession).`,
  }),
  'domain-smb-signing': ({ object }) => ({
    title: `Require SMB signing on all computers of ${object}`,
    change: `In a policy that is linked to ${object}, set "Microsoft network server: Digitally sign communications (always)" (RequireSecuritySignature = 1 under HKLM\\SYSTEM\\CurrentControlSet\\Services\\LanManServer\\Parameters).`,
    check: 'RequireSecuritySignature is 1 on every computer that the next collection reaches.',
    risk: 'Very old clients and appliances that cannot sign lose access: begin with a few computers of each kind, and watch file transfers and scanners there before the policy goes to all.',
  }),
  'domain-computer-quota': ({ object }) => ({
    title: `Set the machine account quota of ${object} to 0`,
    change: `On the object of the domain ${object}, set ms-DS-MachineAccountQuota to 0. First give those who join computers today the right to create computer objects in the units meant for them: ms-DS-CreatorSID of the computer accounts names them.`,
    check: `ms-DS-MachineAccountQuota of ${object} is 0, an ordinary user who tries to join a test computer is refused, and those with the delegated right still can.`,
    risk: 'Those who join computers today without a right of their own no longer can, imaging and self-service joining among them: delegate the right first. Computers that are joined already stay joined.',
  }),
  'separate-logons': ({ object }) => ({
    title: `Keep the accounts of Tier Zero of ${object} off all computers outside it`,
    ...separateLogons(object),
  }),
  'remove-permission': removePermission,
  'change-owner': ({ object, principal }) => ({
    title: `Make Domain Admins the owner of ${object} instead of ${principal}`,
    change: `Set the owner of ${object} to Domain Admins.`,
    check: `The owner of ${object} is Domain Admins.`,
    risk: `${principal} can no longer change the access list of ${object} as its owner.`,
  }),
  'remove-enrollment': (names) => ({
    title: `Remove ${list(names.relations)} on ${template(names.object)} from ${names.principal}`,
    change: `On the Security page of ${template(names.object)}, remove ${list(names.relations)} from ${names.principal}, or narrow it to a group of those who need it.`,
    check: `The access list of ${names.object} no longer gives ${names.principal} ${list(names.relations)}.`,
    risk: `Members of ${names.principal} who use this certificate no longer get or renew it: look at the issued requests of ${names.object} first, and give Enroll to a group of those who need it. Issued certificates stay valid: revoke those with unexpected names.`,
  }),
  'unpublish-template': ({ object, principal, isReplaced }) => ({
    title: `Stop publishing ${template(principal)} on CA ${object}`,
    change: `${isReplaced === true ? `${copyFirst(principal, object)} Then, in` : 'In'} the console of ${object}, delete ${principal} under Certificate Templates; the template itself stays.`,
    check: `${object} no longer lists ${principal}.`,
    risk: `No certificate of ${principal} is issued or renewed by ${object} any more, so services that use it stop when theirs ends: look at the issued requests first, and give those who need it another template. Issued certificates stay valid: revoke those with unexpected names.`,
  }),
  'remove-member': (names) => (names.leavesTierZero === undefined ? membership(names) : leaving(names)),
  'remove-local-member': ({ object, principal }) => ({
    title: `Remove ${principal} from ${object}`,
    change: `Remove ${principal} from the local group ${object}, and from the policy that puts it there.`,
    check: `${object} no longer lists ${principal} after the policies were applied.`,
    risk: `${principal} no longer works on that computer with these rights, and services that run as it there may stop: find out first what it does there, and check that another group of administrators stays.`,
  }),
  'remove-policy-member': (names) => policyMember(names),
  'remove-logon-right': ({ object, principal }) => ({
    title: `Remove the right to log on to ${object} over Remote Desktop from ${principal}`,
    change: `Remove ${principal} from "Allow log on through Remote Desktop Services" in the policy of ${object}.`,
    check: `The right no longer names ${principal}.`,
    risk: `${principal} no longer reaches ${object} over Remote Desktop: find out first who works there that way. A list that becomes empty keeps everyone out.`,
  }),
  'keep-off': ({ object, principal }) => ({
    title: `Keep ${principal} from logging on to ${object}`,
    change: `Deny ${principal} to log on to ${object} ("Deny log on locally", "... through Remote Desktop Services", "... as a service", "... as a batch job"), or give it an authentication policy for its own tier. Restart ${object}, so that nothing of the session stays in its memory.`,
    check: `The next collections show no session of ${principal} on ${object}.`,
    risk: `Services, tasks and people that use ${principal} on ${object} stop: find out first what it does there, and give that an account of its own tier.`,
  }),
  'unlink-policy': ({ object, principal }) => ({
    title: `Unlink the policy ${object} from ${principal || 'where it rules Tier Zero'}`,
    change: `Remove the link of ${object}, or hand the policy to those who administer the objects it applies to.`,
    check: `The container no longer lists a link to ${object}.`,
    risk: `Settings of the policy no longer apply there from the next refresh on, also those that protect: read them in a report of the policy first, and move those that are needed into another one.`,
  }),
  'move-object': ({ object, principal }) => ({
    title: `Move ${object} out of ${principal}`,
    change: `Move ${object} to a container that administrators of Tier Zero control alone.`,
    check: `${object} is no longer below ${principal}.`,
    risk: `Policies and delegations of the old container no longer apply to ${object}: list them first, and link what it needs to the new place. Domain controllers stay in the unit Domain Controllers.`,
  }),
  'remove-delegation': (names) => delegation(names),
  'clear-sid-history': ({ object }) => ({
    title: `Clear the SID history of ${object}`,
    change: `Remove the entries of sIDHistory of ${object} when the resources that they gave access to have new permissions.`,
    check: `sIDHistory of ${object} is empty.`,
    risk: 'Access that rests on the old SID ends: files and shares may still name it. Look for it in their access lists before, and grant the same access to the present SID.',
  }),
  'filter-trust': ({ object, principal }) => ({
    title: `Filter identities that come over the trust from ${principal} to ${object}`,
    change: `Turn on SID filtering for the trust with ${principal}, and turn ticket delegation over it off.`,
    check: 'The attributes of the trust show filtering (quarantine or forest aware) and no delegation.',
    risk: 'Users migrated with SID history, and services that delegate across the trust, lose access: find them first, and give the users rights by their present SIDs.',
  }),
  'protect-host': ({ object, principal }) => ({
    title: `Administer ${principal || object} as Tier Zero`,
    change: `Let only administrators of Tier Zero manage ${principal || object}: its local groups, policies, unit and permissions.`,
    check: `${principal || object} is in Tier Zero, and no one outside controls it.`,
    risk: 'Those who administered it until now, and agents of backup, monitoring and software distribution, lose their access: list them first, and give each task an account of Tier Zero.',
  }),
  'remove-role': (names) => (names.leavesTierZero === undefined ? roleText(names) : leavingRole(names)),
  unsynchronize: ({ object, principal }) => ({
    title: `Stop synchronizing ${principal} with ${object}`,
    change: `Take ${object} out of the scope of synchronization, and use a cloud-only account for privileged work.`,
    check: `${object} is no longer synchronized.`,
    risk: 'An account that leaves the scope of synchronization is deleted in the cloud at the next cycle, with its mailbox, licenses and roles: give the person a cloud-only account with these first. Both accounts have passwords of their own afterward.',
  }),
  'remove-relation': (names) => assignmentText(names) ?? relationText(names),
};

const membership = ({ object, principal }: RepairNames): RepairText => ({
  title: `Remove ${principal} from ${object}`,
  change: `Remove ${principal} from the members of ${object}.`,
  check: `${object} no longer lists ${principal}.`,
  risk: `${principal} loses all rights of ${object}: find out first which of them it uses, and give these to it in another way.`,
});

/** A relationship of an unknown kind, shown with its source. */
const relationText = ({ object, principal, relations }: RepairNames): RepairText => {
  const phrases = phrasesText(relations, (kind) => edgeText(kind).phrase);
  return {
    title: `End that ${principal} ${phrases} ${object}`,
    change: `Remove from ${principal} the rights that give it ${list(relations)} over ${object}: "clew path" and the composition of the relationship show it.`,
    check: 'The next analysis does not find the relationship.',
    risk: `What ${principal} does with it stops: find out first what that is.`,
  };
};

const CLOUD_ACCOUNT = 'a cloud-only account of their own';

/** An eligible role also gives access to Tier Zero. */
const leavingRole = ({ object, principal, leavesTierZero }: RepairNames): RepairText => ({
  title: `Take ${principal} out of Tier Zero: remove its role ${object}`,
  check: `${principal} is neither active nor eligible in ${object}, and is no longer a member of Tier Zero.`,
  change:
    leavesTierZero === 'everyday'
      ? `Give the person who administers with ${principal} ${CLOUD_ACCOUNT} with the role, if the work needs it, and sign in with it once. Then remove the assignment of ${principal} to ${object}; one that is only eligible leaves the path open.`
      : `Remove the assignment of ${principal} to ${object}; one that is only eligible leaves the path open.`,
  risk: `${principal} loses the rights of the role, and what it runs with them stops: find out first what it does with them. ${OTHER_ADMINISTRATORS}`,
});

/** An account that does not belong in Tier Zero; the text describes the access that it loses. */
const leaving = ({ object, principal, leavesTierZero = 'service' }: RepairNames): RepairText => ({
  title: `Take ${principal} out of Tier Zero: remove it from ${object}`,
  ...LEAVING[leavesTierZero]({ object, principal }),
});

const LEAVING: Readonly<
  Record<Misplaced, (names: Pick<RepairNames, 'object' | 'principal'>) => Omit<RepairText, 'title'>>
> = {
  disabled: ({ object, principal }) => ({
    change: `Remove the disabled account ${principal} from the members of ${object}, then clear its adminCount and let its access list inherit again.`,
    check: leftBy(object, principal),
    risk: `${principal} loses all rights of ${object}, and does not get them back when it is enabled again.`,
  }),
  service: ({ object, principal }) => ({
    change: `Give ${principal} the rights that its service needs on the objects that it works with, then remove it from the members of ${object}. Clear its adminCount and let its access list inherit again.`,
    check: leftBy(object, principal),
    risk: `${principal} loses all rights of ${object}: the service stops where it uses one of them. Watch it with the new rights before, while it is still a member.`,
  }),
  everyday: ({ object, principal }) => ({
    change: `Give the person who administers with ${principal} ${CLOUD_ACCOUNT} in ${object}, if the work needs it, and sign in with it once. Then remove ${principal} from the members of ${object}.`,
    check: leftBy(object, principal),
    risk: `${principal} loses all roles and rights of ${object}: find out first which of them it uses. ${OTHER_ADMINISTRATORS}`,
  }),
};

const leftBy = (object: string, principal: string): string =>
  `${object} no longer lists ${principal}, and ${principal} is no longer a member of Tier Zero.`;

function policyMember({ object, principal, policy }: RepairNames): RepairText {
  const { group = 'the local groups', computerCount = 0, units = [object] } = policy ?? {};
  const computers =
    computerCount === 0
      ? 'the computers'
      : computerCount === 1
        ? 'one computer'
        : `${computerCount} computers`;
  const places = units.length < 2 ? object : `${units.slice(0, -1).join(', ')} and ${units.at(-1)}`;
  return {
    title: `Remove ${principal} from ${group} of ${computers} in the group policy of ${places}`,
    change: `In the policies linked to ${places}, remove ${principal} from the members that they add to ${group}: Restricted Groups, and Local Users and Groups in the preferences. Preferences do not revert their changes: have them remove ${principal}, or remove it from the local groups by hand.`,
    check: `After the policies were applied, ${group} of ${computers} below ${places} no longer lists ${principal}.`,
    risk: `${principal} loses these rights on ${computers}: find out first who works there with them.`,
  };
}

/** Three kinds of delegation: to every service, to named services, and set on the target object. */
function delegation({ object, objectKind, principal, relations }: RepairNames): RepairText {
  const account = objectKind === 'Computer' ? 'computer' : 'user';
  const risk =
    'A service that passes on its users fails without delegation: list the services of the account first, and give it constrained delegation to those it needs.';
  if (relations.includes('AllowedToAct'))
    return {
      title: `Remove the delegation of ${principal} to ${object}`,
      change: `Remove ${principal} from msDS-AllowedToActOnBehalfOfOtherIdentity of ${object}.`,
      check: `msDS-AllowedToActOnBehalfOfOtherIdentity of ${object} no longer names ${principal}.`,
      risk: `Services that ${principal} runs can no longer act for their users on ${object}: ask first whether one does, such as live migration of virtual machines.`,
    };
  if (relations.includes('AllowedToDelegate'))
    return {
      title: `Remove the delegation of ${object} to ${principal}`,
      change: `On the Delegation page of ${object}, remove the services of ${principal}. They are in msDS-AllowedToDelegateTo.`,
      check: `msDS-AllowedToDelegateTo of ${object} no longer names a service of ${principal}.`,
      risk,
    };
  return {
    title: `End the unconstrained delegation of ${object}`,
    change: `On the Delegation page of ${object}, choose "Do not trust this ${account} for delegation", or name only the services that it needs. That clears TRUSTED_FOR_DELEGATION (0x80000) in userAccountControl.`,
    check: `userAccountControl of ${object} no longer holds 0x80000.`,
    risk,
  };
}

export function repairText(kind: RepairKind, names: RepairNames): RepairText {
  return TEXTS[kind](names);
}
