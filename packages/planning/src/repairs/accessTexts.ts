/**
 * Texts of access repairs for which a short instruction would cause damage: logons denied to too many accounts, entries that
 * Windows restores, entries that all principals need for certificates.
 *
 * Sources: Microsoft, securing Active Directory, appendix C (AdminSDHolder) and appendix F (groups to which logon is denied).
 */
import { counted } from '@clew/model';
import type { Protection } from './protectedEntries.ts';
import type { AuthorityNames, RepairNames, RepairText } from './repairTextTypes.ts';

type Steps = Omit<RepairText, 'title'>;

/** @param places one or more domains @param services sentences about service accounts among the denied ones */
export function separateLogons(places: string, services: readonly string[] = []): Steps {
  return {
    change: `In a policy for the computers outside Tier Zero, add Domain Admins, Enterprise Admins, Schema Admins and the individual Tier Zero accounts of ${places} to "Deny log on locally", "... through Remote Desktop Services", "... as a service", "... as a batch job" and "Deny access to this computer from the network". Never add Administrators, Users, Authenticated Users or Everyone: on each computer, Administrators contains everyone who administers it, so this would lock all of them out. Do not link the policy to domain controllers or to other Tier Zero hosts. Instead of the policy, you can use an authentication policy that allows these accounts only on Tier Zero hosts. Restart the computers on which they were logged on.`,
    check: `The next collections show no session of a Tier Zero account on a computer outside Tier Zero, and the administrators of a test computer can still log on to it.`,
    risk: `Services and tasks that run under such an account on other computers stop, and these accounts can no longer repair a computer outside Tier Zero: first find both (event 4624 on the computers), and provide separate accounts for them. Exempt one emergency account (-Exempt of the script replaces its groups by their other members), and start with a few computers.${services.map((one) => ` ${one}`).join('')}`,
  };
}

/** @param group empty if the account is denied itself */
export const serviceWarning = (account: string, group: string): string =>
  group === ''
    ? `${account} is a service account: its services stop on these computers. Give them another account first.`
    : `${account} is a service account in ${group}: its services stop on these computers. Move it out of the group first.`;

export function removePermission(names: RepairNames): RepairText {
  const { object, principal, relations, protection, authority } = names;
  const title = `Remove ${list(relations)} on ${object} from ${principal}`;
  if (authority !== undefined && relations.includes('Enroll'))
    return { title, ...enrollmentAtAuthority(names, authority) };
  if (relations.length === 1 && relations[0] === 'ReadGMSAPassword')
    return { title, ...passwordReader(names) };
  const roles = authority === undefined ? [] : authorityRoles(relations);
  if (roles.length > 0 && roles.length === relations.length)
    return { title, ...roleAtAuthority(names, roles) };
  const stops = replicates(relations)
    ? replicationRisk(principal)
    : `Everything that ${principal} does with this right stops: find out first what it does, and grant only the narrower right that it needs.`;
  const rest = `${alsoBelow(names)}${stops}`;
  if (protection !== undefined) return { title, ...PROTECTED[protection](names, rest) };
  return {
    title,
    change: `Remove the entry of ${principal} with ${list(relations)} from the access control list of ${object}${inherited(names)}.`,
    check: `The access control list of ${object} no longer contains an entry of ${principal} with ${list(relations)}, and the next collection shows no such relationship.`,
    risk: rest,
  };
}

export const replicates = (relations: readonly string[]): boolean =>
  relations.some((relation) => relation.startsWith('GetChanges'));

/** Removing these rights from a synchronization account stops the synchronization of password hashes without a message to its users. */
export const replicationRisk = (principal: string): string =>
  `Everything that replicates the directory as ${principal} stops, such as password hash synchronization with Entra ID: users then sign in to the cloud with their old passwords. Before the change, look for replication by ${principal} in event 4662 of the domain controllers. If it synchronizes password hashes, keep these rights, and protect the account and its server like the rest of Tier Zero.`;

/** The readers of the password of a group managed account are a separate list (msDS-GroupMSAMembership), not its access list. */
const passwordReader = ({ object, principal, isObjectDisabled }: RepairNames): Steps => ({
  change: `Remove ${principal} from the principals that can retrieve the managed password of ${object} (msDS-GroupMSAMembership). Set-ADServiceAccount -PrincipalsAllowedToRetrieveManagedPassword replaces the whole list, so name all that stay.`,
  check: `Get-ADServiceAccount with -Properties PrincipalsAllowedToRetrieveManagedPassword no longer lists ${principal} for ${object}.`,
  risk:
    isObjectDisabled === true
      ? `No service runs as ${object} while it is disabled. If someone enables it again, services on hosts that read its password through ${principal} no longer start: before the change, ask whether it is still needed.`
      : `Services that run as ${object} on hosts that read its password through ${principal} stop at the next restart or password change: find these hosts first, and add them to the list.`,
});

/**
 * On protected objects, the protection task sets the entries, not a container; entries that it restores within the hour are
 * changed at their source.
 */
const PROTECTED: Readonly<Record<Protection, (names: RepairNames, rest: string) => Steps>> = {
  copied: ({ object, principal, relations }, rest) => ({
    change: `Remove the entry of ${principal} with ${list(relations)} from the access control list of AdminSDHolder (CN=AdminSDHolder,CN=System) in the domain of ${object}, and from ${object} itself. ${object} is a protected object: inheritance is off on it, so parent containers have no effect, and the SDProp process replaces its list with the list of AdminSDHolder within an hour.`,
    check: `Neither AdminSDHolder nor, an hour later, ${object} contains ${principal} with ${list(relations)}.`,
    risk: `The entry on AdminSDHolder applies to all protected accounts and groups of the domain. ${rest}`,
  }),
  own: ({ object, principal, relations }, rest) => ({
    change: `Remove the entry of ${principal} with ${list(relations)} from the access control list of ${object} itself: inheritance is off on it, so parent containers have no effect, and according to the collection, AdminSDHolder of its domain does not have the entry. If the entry is restored within an hour, remove it from AdminSDHolder (CN=AdminSDHolder,CN=System), too.`,
    check: `An hour later, the access control list of ${object} does not contain ${principal} with ${list(relations)}.`,
    risk: rest,
  }),
  unknown: ({ object, principal, relations }, rest) => ({
    change: `First check the access control list of AdminSDHolder (CN=AdminSDHolder,CN=System) in the domain of ${object}: whether it contains ${principal} with ${list(relations)} was not collected. If it does, remove the entry there and from ${object} itself, because the SDProp process restores it within an hour. If it does not, remove the entry only from ${object}. Inheritance is off on ${object}, so parent containers have no effect.`,
    check: `Neither AdminSDHolder nor, an hour later, ${object} contains ${principal} with ${list(relations)}.`,
    risk: `An entry on AdminSDHolder applies to all protected accounts and groups of the domain. ${rest}`,
  }),
};

/** Notes for several changes that include entries on protected objects. */
export const PROTECTION_NOTES: Readonly<Record<Protection, string>> = {
  copied:
    'If an object is protected (adminCount), first remove the entry from AdminSDHolder (CN=AdminSDHolder,CN=System) of its domain, which also has it: the SDProp process replaces the list of the object with this list within an hour.',
  own: 'AdminSDHolder does not have these entries: on protected objects (adminCount), where inheritance is off, remove them from the object itself.',
  unknown:
    'If an object is protected (adminCount), first check the access control list of AdminSDHolder (CN=AdminSDHolder,CN=System) of its domain, which was not collected for these rights. If it has the entry, remove it there, because the SDProp process otherwise restores it within an hour.',
};

interface AuthorityRole {
  readonly name: string;
  /** Work of its holders. */
  readonly work: string;
}

/** Rights of the CA's own list, which is not the list of its object in the directory, as the console names them. */
const AUTHORITY_ROLES: Readonly<Record<string, AuthorityRole>> = {
  ManageCA: { name: '"Manage CA"', work: 'changing its settings' },
  ManageCertificates: {
    name: '"Issue and Manage Certificates"',
    work: 'approving and revoking certificates',
  },
};

const authorityRoles = (relations: readonly string[]): AuthorityRole[] =>
  relations.flatMap((relation) => AUTHORITY_ROLES[relation] ?? []);

const namesOf = (roles: readonly AuthorityRole[], word: string): string =>
  roles.map(({ name }) => name).join(word);

const roleAtAuthority = ({ object, principal }: RepairNames, roles: readonly AuthorityRole[]): Steps => ({
  change: `On the host of ${object}, open its properties in the Certification Authority console, and on the Security tab, clear ${namesOf(roles, ' and ')} of ${principal}. This list is in the registry of the host; the access control list of the CA's object in the directory does not contain these rights. First check that another principal keeps "Manage CA".`,
  check: `The Security tab of ${object} in the Certification Authority console no longer grants ${principal} ${namesOf(roles, ' or ')}, and the next collection shows no such relationship. Other rights of ${principal} at ${object} stay.`,
  risk: `Everything that ${principal} does with ${namesOf(roles, ' and ')} at ${object} stops, such as ${roles.map(({ work }) => work).join(' and ')}: find out first what it does, and provide another CA administrator or certificate manager for it.`,
});

/** Rights of a template with which a principal can enroll; the last two include it. */
const ENROLLING: ReadonlySet<string> = new Set(['Enroll', 'AutoEnroll', 'AllExtendedRights', 'GenericAll']);

/** Whether the rights on a template let a principal enroll, and not only change the template. */
export const canEnroll = (relations: readonly string[]): boolean =>
  relations.some((relation) => ENROLLING.has(relation));

/** The rights on a template: some let the principal enroll, others only let it change the template. */
export function templateEntry({
  object,
  principal,
  relations,
  isGroup,
}: RepairNames): Pick<RepairText, 'change' | 'risk'> {
  const entry = `On the Security tab of the certificate template ${object}, remove ${list(relations)} from ${principal}`;
  if (!canEnroll(relations))
    return {
      change: `${entry}. Enrollment with the template stays as it is.`,
      risk: `Everything that ${principal} does with this right stops: find out first whether it maintains ${object}, and let Tier Zero administrators do this instead.`,
    };
  const users = isGroup === true ? `Members of ${principal} who use this certificate` : principal;
  const what = isGroup === true ? 'it' : 'this certificate';
  return {
    change: `${entry}, or grant Enroll to a group of principals that need it instead.`,
    risk: `${users} can no longer get or renew ${what}: check the issued requests of ${object} first, and grant Enroll to a group of principals that need it. Issued certificates stay valid: revoke certificates with unexpected names.`,
  };
}

/** Without this right, no principal can enroll at an authority, regardless of its templates. */
function enrollmentAtAuthority(
  { object, principal, relations }: RepairNames,
  { isRegistryRead, dangerousTemplates }: AuthorityNames,
): Steps {
  const place = isRegistryRead
    ? `on the Security tab of ${object} in the Certification Authority console: its own list counts, not the list of its object in the directory`
    : `on the Security tab of ${object} in the Certification Authority console. That list was not collected, only the list of its object in the directory: check both`;
  const others =
    dangerousTemplates === 0
      ? 'delete the templates that give control under Certificate Templates of this CA'
      : `delete the ${dangerousTemplates === 1 ? 'one published template' : `${dangerousTemplates} published templates`} that ${dangerousTemplates === 1 ? 'gives' : 'give'} control to enrollees, under Certificate Templates of this CA`;
  return {
    change: `First grant "Request Certificates" (Enroll) at ${object} to the groups that need its certificates, including Domain Controllers, and check that a user, a computer and a domain controller in these groups can still get certificates. Then remove ${list(relations)} from ${principal} ${place}. As an alternative, ${others}: this needs more changes, but certificates of other templates are not affected.`,
    check: `${object} no longer grants ${principal} ${list(relations)}, and a computer and a domain controller can renew their certificates.`,
    risk: `All enrollment at ${object} that depends on ${principal} ends, including autoenrollment of users, computers and domain controllers: smart cards, network access, LDAPS and web servers fail one by one when their certificates expire. Grant Enroll to the groups that need it before the change. Issued certificates stay valid: check the issued requests, and revoke certificates with unexpected names.`,
  };
}

export const list = (names: readonly string[]): string =>
  names.length === 0 ? 'the relationship' : names.join(', ');

const inherited = (names: RepairNames): string => {
  const { isInherited, inheritedFrom, object } = names;
  if (!isInherited) return '';
  if (inheritedFrom !== '') return `; it is inherited, so change it on ${inheritedFrom}, where it is defined`;
  const where = `; it is inherited, so change it on the parent container of ${object} where it is defined`;
  return names.inherited === undefined
    ? where
    : `${where}, probably ${names.inherited.container}: check "Inherited from" of the entry in the advanced security settings of ${object} first`;
};

/** @returns sentences about other objects that lose an inherited entry; empty if no other object does */
function alsoBelow({ inherited, principal }: RepairNames): string {
  if (inherited === undefined) return '';
  const { container, others, isForJoins } = inherited;
  const also =
    others === 0 ? '' : `The entry also applies to ${counted(others, 'other object')} below ${container}. `;
  if (!isForJoins) return also;
  return `${also}Accounts that join computers to the domain have this right: if ${principal} does, it can no longer join computers there again. `;
}
