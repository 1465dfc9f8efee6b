/**
 * Texts of access repairs for which a short instruction would cause damage: logons denied to too many accounts, entries that
 * Windows restores, entries that all principals need for certificates.
 *
 * Sources: Microsoft, securing Active Directory, appendix C (AdminSDHolder) and appendix F (groups to which logon is denied).
 */
import type { Protection } from './protectedEntries.ts';
import type { AuthorityNames, RepairNames, RepairText } from './repairTextTypes.ts';

type Steps = Omit<RepairText, 'title'>;

/** @param places one or more domains */
export function separateLogons(places: string): Steps {
  return {
    change: `In a policy for the computers outside Tier Zero, add Domain Admins, Enterprise Admins, Schema Admins and the single accounts of Tier Zero of ${places} to "Deny log on locally", "... through Remote Desktop Services", "... as a service", "... as a batch job" and "Deny access to this computer from the network". Never add Administrators, Users, Authenticated Users or Everyone: on a computer, Administrators are all who administer it, and that would lock each of them out. Do not link the policy to domain controllers or to other hosts of Tier Zero. In place of the policy, an authentication policy can allow these accounts hosts of Tier Zero only. Restart the computers on which they were logged on.`,
    check: `The next collections show no session of an account of Tier Zero on a computer outside it, and the administrators of a test computer still log on to it.`,
    risk: `Services and tasks that run as such an account on other computers stop, and these accounts cannot repair a computer outside Tier Zero any more: find both first (event 4624 on the computers), and give them accounts of their own. Keep one emergency account out of the lists, and begin with a few computers.`,
  };
}

/**
 * Steps before templates of version 1 are retired: the console cannot edit such templates.
 *
 * @param templates one or more templates
 */
export const copyFirst = (templates: string, authority: string): string =>
  `First duplicate ${templates} in the console for templates: a copy has version 2. In the copy, select "CA certificate manager approval" or build the subject from the directory, give Enroll to a group of those whom the issued requests name, and publish it on ${authority}; those who use the old one request from the copy.`;

export function removePermission(names: RepairNames): RepairText {
  const { object, principal, relations, protection, authority } = names;
  const title = `Remove ${list(relations)} on ${object} from ${principal}`;
  if (authority !== undefined && relations.includes('Enroll'))
    return { title, ...enrollmentAtAuthority(names, authority) };
  if (relations.length === 1 && relations[0] === 'ReadGMSAPassword')
    return { title, ...passwordReader(names) };
  const rest = `What ${principal} does with this right stops: find out first what that is, and give it the narrower right that this needs.`;
  if (protection !== undefined) return { title, ...PROTECTED[protection](names, rest) };
  return {
    title,
    change: `Remove the entry of ${principal} with ${list(relations)} from the access list of ${object}${inherited(names)}.`,
    check: `The access list of ${object} no longer names ${principal}, and the next collection shows no such relationship.`,
    risk: rest,
  };
}

/** The readers of the password of a group managed account are a separate list (msDS-GroupMSAMembership), not its access list. */
const passwordReader = ({ object, principal }: RepairNames): Steps => ({
  change: `Take ${principal} out of the principals that may retrieve the managed password of ${object} (msDS-GroupMSAMembership). Set-ADServiceAccount -PrincipalsAllowedToRetrieveManagedPassword replaces the whole list, so name all that stay.`,
  check: `Get-ADServiceAccount with -Properties PrincipalsAllowedToRetrieveManagedPassword no longer lists ${principal} for ${object}.`,
  risk: `Services that run as ${object} on hosts which read its password through ${principal} stop at the next restart or change of the password: find these hosts first, and name them in the list.`,
});

/**
 * On protected objects, the protection task sets the entries, not a container; entries that it restores within the hour are
 * changed at their source.
 */
const PROTECTED: Readonly<Record<Protection, (names: RepairNames, rest: string) => Steps>> = {
  copied: ({ object, principal, relations }, rest) => ({
    change: `Remove the entry of ${principal} with ${list(relations)} from the access list of AdminSDHolder (CN=AdminSDHolder,CN=System) in the domain of ${object}, and from ${object} itself. ${object} is a protected object: inheritance is off on it, so no container above decides, and the protection task (SDProp) writes the list of AdminSDHolder over its own within the hour.`,
    check: `Neither AdminSDHolder nor, an hour later, ${object} names ${principal} with ${list(relations)}.`,
    risk: `The entry on AdminSDHolder counts for all protected accounts and groups of the domain. ${rest}`,
  }),
  own: ({ object, principal, relations }, rest) => ({
    change: `Remove the entry of ${principal} with ${list(relations)} from the access list of ${object} itself: inheritance is off on it, so no container above decides, and as far as the collection shows, AdminSDHolder of its domain does not have the entry. If it comes back within the hour, remove it from AdminSDHolder (CN=AdminSDHolder,CN=System) as well.`,
    check: `An hour later, the access list of ${object} does not name ${principal} with ${list(relations)}.`,
    risk: rest,
  }),
  unknown: ({ object, principal, relations }, rest) => ({
    change: `First read the access list of AdminSDHolder (CN=AdminSDHolder,CN=System) in the domain of ${object}: whether it names ${principal} with ${list(relations)} was not collected. If it does, remove the entry there and from ${object} itself, since the protection task (SDProp) writes that list over its own within the hour. If it does not, remove the entry from ${object} alone. Inheritance is off on ${object}, so no container above decides.`,
    check: `Neither AdminSDHolder nor, an hour later, ${object} names ${principal} with ${list(relations)}.`,
    risk: `An entry on AdminSDHolder counts for all protected accounts and groups of the domain. ${rest}`,
  }),
};

/** Notes for several changes that include entries on protected objects. */
export const PROTECTION_NOTES: Readonly<Record<Protection, string>> = {
  copied:
    'Where an object is protected (adminCount), first remove the entry from AdminSDHolder (CN=AdminSDHolder,CN=System) of its domain, which has it: the protection task (SDProp) writes that list over the one of the object within the hour.',
  own: 'AdminSDHolder does not have these entries: on protected objects (adminCount), on which inheritance is off, remove them from the object itself.',
  unknown:
    'Where an object is protected (adminCount), first read the access list of AdminSDHolder (CN=AdminSDHolder,CN=System) of its domain, which was not collected for these rights: an entry that it has is removed there, since the protection task (SDProp) writes it back within the hour.',
};

/** Without this right, no principal can enroll at an authority, regardless of its templates. */
function enrollmentAtAuthority(
  { object, principal, relations }: RepairNames,
  { isRegistryRead, dangerousTemplates }: AuthorityNames,
): Steps {
  const place = isRegistryRead
    ? `on the Security page of ${object}, in the console of certification authorities: its own list counts, and not that of its object in the directory`
    : `on the Security page of ${object}, in the console of certification authorities. That list was not collected, only the one of its object in the directory: look at both`;
  const others =
    dangerousTemplates === 0
      ? 'delete the templates that give control under Certificate Templates of this authority'
      : `delete the ${dangerousTemplates === 1 ? 'one published template' : `${dangerousTemplates} published templates`} that ${dangerousTemplates === 1 ? 'gives' : 'give'} control to those who enroll, under Certificate Templates of this authority`;
  return {
    change: `First give "Request Certificates" (Enroll) at ${object} to the groups that need certificates of it, Domain Controllers among them, and check that a user, a computer and a domain controller of these groups still get theirs. Then remove ${list(relations)} from ${principal} ${place}. Instead of all this, ${others}: more changes, and no certificate of another template fails.`,
    check: `${object} no longer gives ${principal} ${list(relations)}, and a computer and a domain controller renew their certificates.`,
    risk: `All enrollment at ${object} that rests on ${principal} ends, also the automatic one of users, computers and domain controllers: smart cards, network access, LDAPS and web servers fail one after the other as their certificates end. Grant Enroll to the groups that need it before. Issued certificates stay valid: look at the issued requests, and revoke those with unexpected names.`,
  };
}

export const list = (names: readonly string[]): string =>
  names.length === 0 ? 'the relation' : names.join(', ');

const inherited = ({ isInherited, inheritedFrom, object }: RepairNames): string => {
  if (!isInherited) return '';
  if (inheritedFrom !== '') return `; it is inherited, so change it on ${inheritedFrom}, where it comes from`;
  return `; it is inherited, so change it on the container above ${object} that it comes from`;
};
