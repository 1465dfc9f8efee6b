/**
 * Texts of work packages, in addition to those of their single changes: the steps, their verification, and possible outages.
 * Every name comes from a relationship or a setting that the package changes.
 */
import {
  type EdgeRef,
  edgeNameOf,
  environments,
  hasExplicit,
  inheritanceSource,
  isInherited,
} from '@clew/analysis';
import { type AttackGraph, hasKind, NOTHING_DECLARED, nameOf as nameOfNode, objectIdOf } from '@clew/graph';
import { counted, EdgeKind, type EdgeKindName, edgeKindByName, NodeKind } from '@clew/model';
import { stayingWithoutGroups, waysInto } from '../packages/leavers.ts';
import type { GROUPED_KINDS } from '../packages/packageKinds.ts';
import { entrySources } from '../packages/prices/entrySources.ts';
import type { PlannedPackage } from '../planTypes.ts';
import {
  canEnroll,
  PROTECTION_NOTES,
  replicates,
  replicationRisk,
  separateLogons,
  serviceWarning,
} from '../repairs/accessTexts.ts';
import { ELEVATED, scopesOf } from '../repairs/assignmentScopes.ts';
import { deniedServices } from '../repairs/deniedLogons.ts';
import { withoutAdministrator } from '../repairs/lastAdministrators.ts';
import { listed, MAX_LISTED } from '../repairs/listed.ts';
import { misplacedAs } from '../repairs/misplaced.ts';
import { authorityNames } from '../repairs/namedFacts.ts';
import { distinctName } from '../repairs/objectNames.ts';
import { policyMembers } from '../repairs/policyMembers.ts';
import { type Protection, protectionOf } from '../repairs/protectedEntries.ts';
import type { Repair } from '../repairs/repair.ts';
import type { InheritedNames, PolicyNames, RepairNames } from '../repairs/repairTextTypes.ts';
import { textOfRepair } from '../repairs/repairWords.ts';
import { type CopiedTemplate, copiedTemplate, copyFirst } from '../repairs/templateCopies.ts';
import { type AnalyzedWorld, tierZeroOf } from '../simulation/simulate.ts';

export interface PackageText {
  /** The change in one line. */
  readonly title: string;
  readonly fix: string;
  /** How to verify the change. */
  readonly check: string;
  /** Services that may stop working. */
  readonly risk: string;
  /** One line per single change, limited to `MAX_CHANGES`. */
  readonly changes: readonly string[];
}

/** Maximum number of changes shown as examples for a large package. */
export const MAX_CHANGES = 100;
/** Maximum number of computers listed in the text of a change of policies. */
const MAX_COMPUTERS = 10;
/** Maximum length of a name in a sentence. */
const NAME_LENGTH = 200;

type Described = Pick<PlannedPackage, 'kind' | 'subjects' | 'repairs'>;

/** Formats a node for a text. */
type NameOf = (node: number) => string;

export const shownNames =
  (world: AnalyzedWorld): NameOf =>
  (node) =>
    shownName(world, node);

export function packageText(world: AnalyzedWorld, described: Described): PackageText {
  return textOf(world, described, shownNames(world));
}

/** Marks a node in a text; no name contains this character. */
const MARK = '\u0000';

/** Part of a title: fixed words, or a node that it names. */
export type TitlePart = string | { readonly node: number };

/** @returns the title of a package in parts; undefined if the words come from a definition of another platform, which may name objects */
export function packageTitle(world: AnalyzedWorld, described: Described): readonly TitlePart[] | undefined {
  const { repairs, kind } = described;
  if (repairs.some(({ edgeKinds }) => edgeKinds.some((name) => edgeKindByName(name) === undefined)))
    return undefined;
  const nameOf = (node: number) => `${MARK}${node}${MARK}`;
  const { title } = isGrouped(kind)
    ? groupedText(world, kind, described, nameOf)
    : singleText(world, repairs[0] as Repair, nameOf);
  return title.split(MARK).map((part, at) => (at % 2 === 0 ? part : { node: Number(part) }));
}

function textOf(world: AnalyzedWorld, described: Described, nameOf: NameOf): PackageText {
  const { kind, repairs } = described;
  const texts = repairs.slice(0, MAX_CHANGES).map((repair) => singleText(world, repair, nameOf));
  const changes = texts.map(({ title }) => title);
  const [first] = texts;
  if (!isGrouped(kind)) {
    const { title, change, check, risk } = first;
    return { title, fix: change, check, risk, changes };
  }
  const text = groupedText(world, kind, described, nameOf);
  // Notes consider all changes, including changes without a line. Ending enrollment at an authority always has a note.
  const ended = repairs.find((repair) => endsEnrollment(world, repair));
  const notes = [kind === 'protected-entry' ? '' : protectionNote(world, repairs)];
  // Access lists do not contain the readers of a managed password, and those of CAs in the directory no roles of the CA.
  const reader = repairs.find(isPasswordReader);
  const role = repairs.find((one) => isAuthorityRole(world, one));
  const risks = [ended, reader, role].flatMap((one) =>
    one === undefined ? [] : singleText(world, one, nameOf).risk,
  );
  const namesConsole = (kind === 'rights-on-object' || kind === 'access-list') && isOfConsole(world, repairs);
  for (const one of namesConsole ? [reader] : [reader, role])
    if (one !== undefined) notes.push(` ${singleText(world, one, nameOf).change}`);
  return { ...text, fix: text.fix + notes.join(''), risk: [text.risk, ...risks].join(' '), changes };
}

const singleText = (world: AnalyzedWorld, repair: Repair, nameOf: NameOf) =>
  textOfRepair(world.context.graph, repair.kind, repairNames(world, repair, nameOf));

const groupedText = (
  world: AnalyzedWorld,
  kind: GroupedKind,
  { subjects, repairs }: Described,
  nameOf: NameOf,
): Omit<PackageText, 'changes'> =>
  GROUPED[kind]({
    names: subjects.map(nameOf),
    repairs,
    objects: namesOf(repairs, 'object', nameOf),
    principals: namesOf(repairs, 'principal', nameOf),
    copied: copiesOf(world, repairs, nameOf),
    isOfConsole: isOfConsole(world, repairs),
    isOfGroup: isGroup(world, repairs[0]?.principal),
    members: membersText(world, subjects),
    isNamed: isNamed(world, subjects, repairs),
    services: kind === 'forest-separate-logons' ? serviceWarnings(world, repairs, nameOf) : [],
  });

type GroupedKind = (typeof GROUPED_KINDS)[number];

const isGrouped = (kind: string): kind is GroupedKind => Object.hasOwn(GROUPED, kind);

interface PackageNames {
  /** Sentences about service accounts to which logons are denied. */
  readonly services: readonly string[];
  /** Names of the package's subjects. */
  readonly names: readonly string[];
  readonly repairs: readonly Repair[];
  /** Unique names of the changed objects. */
  readonly objects: readonly string[];
  /** Unique names of the principals that lose access. */
  readonly principals: readonly string[];
  /** Changed or retired templates of version 1. */
  readonly copied: readonly CopiedTemplate[];
  /** Whether the list of a CA that its console shows has all these rights, and not the list of its object in the directory. */
  readonly isOfConsole: boolean;
  /** Whether a group loses the access of the first change. */
  readonly isOfGroup: boolean;
  /** Describes the members of the package's group. */
  readonly members: string;
  /** Whether the collection lists the entries on the object that passes them on. */
  readonly isNamed: boolean;
}

type Tell = (names: PackageNames) => Omit<PackageText, 'changes'>;

const rightsRisk = (repairs: readonly Repair[], holder: string): string => {
  const text = `Everything that ${holder} does with these rights stops: find out first what it does, and grant only the narrower rights that it needs.`;
  return replicates(repairs.flatMap(({ edgeKinds }) => edgeKinds))
    ? `${text} ${replicationRisk(holder)}`
    : text;
};
const ENTRY_CHECK = 'The next collection shows none of these rights.';

const GROUPED: Readonly<Record<GroupedKind, Tell>> = {
  'ldap-protection': ({ names: [domain] }) => ldapProtection(`the domain controllers of ${domain}`),
  'forest-ldap-protection': ({ names: [domain] }) =>
    ldapProtection(`all domain controllers of the forest of ${domain}`),
  'forest-certificate-binding': ({ names: [domain] }) => ({
    title: `Enforce strong certificate binding on all domain controllers of the forest of ${domain}`,
    fix: 'Set StrongCertificateBindingEnforcement to 2 under HKLM\\SYSTEM\\CurrentControlSet\\Services\\Kdc on every domain controller of the forest.',
    check: 'The value is 2 on every domain controller, and event 39 of Kdcsvc names no certificate in use.',
    risk: 'Certificates without the security extension or a strong mapping no longer log on: check events 39 to 41 first.',
  }),
  'forest-certificate-mapping': ({ names: [domain] }) => ({
    title: `Stop mapping certificates by UPN on all domain controllers of the forest of ${domain}`,
    fix: 'Clear 0x4 in CertificateMappingMethods under HKLM\\SYSTEM\\CurrentControlSet\\Control\\SecurityProviders\\Schannel on every domain controller of the forest; the default is 0x18.',
    check: 'The value is 0x18 on every domain controller.',
    risk: 'Applications that log on with certificates over TLS and depend on the UPN, such as VPN gateways and web servers, fail until their accounts have a strong mapping: add the mappings first, and start with one domain controller.',
  }),
  'forest-smb-signing': ({ names: [domain], objects }) => ({
    title: `Require SMB signing on all computers of the forest of ${domain}`,
    fix: `In policies linked to ${listed(objects)}, set "Microsoft network server: Digitally sign communications (always)".`,
    check: 'RequireSecuritySignature is 1 on every computer that the next collection reaches.',
    risk: 'Very old clients and appliances that cannot sign lose access: start with a few computers of each kind, and monitor file transfers and scanners there before you apply the policy to all.',
  }),
  'forest-separate-logons': ({ names: [domain], objects, services }) => {
    const { change: fix, check, risk } = separateLogons(listed(objects), services);
    return {
      title: `Keep Tier Zero accounts of the forest of ${domain} off all computers outside Tier Zero`,
      ...{ fix, check, risk },
    };
  },
  'ca-template-enrollment': ({ names: [ca, principal], objects, repairs, isOfGroup }) => {
    const enrolls = repairs.some(({ edgeKinds }) => canEnroll(edgeKinds));
    const users = isOfGroup ? `Members of ${principal} who use these certificates` : principal;
    return {
      title: `Clean up the templates on ${ca} in which ${principal} ${enrolls ? 'can enroll' : 'has write permissions'}`,
      fix: enrolls
        ? `On the Security tab of ${listed(objects)}, remove Enroll and write permissions from ${principal}, or grant Enroll to a group of principals that need the certificate.`
        : `On the Security tab of ${listed(objects)}, remove the write permissions of ${principal}. Enrollment with the templates stays as it is.`,
      check: enrolls
        ? `${principal} can no longer enroll in these templates or change them.`
        : `${principal} can no longer change these templates.`,
      risk: enrolls
        ? `${users} can no longer get or renew ${isOfGroup ? 'them' : 'these certificates'}: check the issued requests first, and grant Enroll to a group of principals that need it. Issued certificates stay valid: revoke certificates with unexpected names.`
        : `Everything that ${principal} does with these rights stops: find out first whether it maintains the templates, and let Tier Zero administrators do this instead.`,
    };
  },
  'ca-template-approval': ({ names: [ca], objects, copied }) => ({
    title: `Require manager approval in the open templates on ${ca}`,
    fix: `In ${listed(objects)}, select "CA certificate manager approval" on the Issuance Requirements tab.${copied.length === 0 ? '' : ` The console cannot edit ${listed(copied.map(({ name }) => name))} of version 1. ${copyFirst(copied, ca ?? '', 'approval')} Then delete the old templates under Certificate Templates of ${ca}.`}`,
    check: 'msPKI-Enrollment-Flag of each template contains 0x2, and a request stays pending.',
    risk: 'Autoenrollment and renewal with these templates stop until each request is approved. Check the issued requests first: if computers or users enroll automatically, appoint approvers before the first certificates expire. Certificates that are already issued stay valid: revoke certificates with unexpected names.',
  }),
  'ca-template-unpublishing': ({ names: [ca], principals, copied }) => ({
    title: `Stop publishing the open templates on ${ca}`,
    fix: `${copied.length === 0 ? 'In' : `${copyFirst(copied, ca ?? '')} Then, in`} the console of ${ca}, delete ${listed(principals)} under Certificate Templates; the templates themselves stay.`,
    check: `${ca} no longer lists these templates.`,
    risk: 'Certificates of these templates are no longer issued or renewed, so services that use them stop when their certificates expire: check the issued requests first, and provide another template for users who need one. Issued certificates stay valid: revoke certificates with unexpected names.',
  }),
  'local-group-of-hosts': ({ names: [place, principal], objects }) => ({
    title: `Remove ${principal} from local groups of ${objects.length} computers in ${place}`,
    fix: `Remove ${principal} from ${listed(objects)}, and from the policy that adds it.`,
    check: `After the policies are applied, none of these groups lists ${principal}.`,
    risk: `${principal} loses these rights on these computers, and services that run under it there may stop: find out first who needs these rights there, and check that another administrator group stays.`,
  }),
  'rights-on-object': ({ names: [object = '', principal = ''], repairs, isOfConsole }) => ({
    title: `Remove ${kindsOf(repairs)} on ${object} from ${principal}`,
    fix: isOfConsole
      ? atConsole(object, kindsOf(repairs), principal)
      : repairs.some(({ kind }) => kind === 'change-owner')
        ? `Make a Tier Zero group the owner of ${object}, and remove the other entries of ${principal} from its access control list.`
        : `Remove the entries of ${principal} from the access control list of ${object}.`,
    check: ENTRY_CHECK,
    risk: rightsRisk(repairs, principal),
  }),
  'inherited-entry': ({ names: [container, principal], repairs, objects, isNamed }) => ({
    title: `Remove ${kindsOf(repairs)} of ${principal} on ${container}, which ${counted(objects.length, 'object')} below inherit`,
    fix: isNamed
      ? `Remove the entry of ${principal} from the access control list of ${container}; the objects below inherit it.`
      : `Remove the entry of ${principal} that ${listed(objects)} inherit. The entry applies only to some kinds of objects, so the collection does not show where it is defined; all objects with the entry are below ${container}. First check "Inherited from" of the entry in the advanced security settings of one of these objects, and remove the entry there.`,
    check: ENTRY_CHECK,
    risk: `The entry also applies to other objects below ${container}. ${rightsRisk(repairs, principal)}`,
  }),
  'protected-entry': ({ names: [holder, principal], repairs, objects }) => ({
    title: `Remove ${kindsOf(repairs)} of ${principal} on ${holder}, which Windows copies to protected objects`,
    fix: `Remove the entry of ${principal} from the access control list of ${holder}. Windows copies this list to every protected object within an hour (${counted(objects.length, 'object')} here): if you remove an entry only from a protected object, Windows restores it.`,
    check: `An hour later, neither ${holder} nor the protected objects have these rights of ${principal}.`,
    risk: rightsRisk(repairs, principal),
  }),
  'rights-in-container': ({ names: [container, principal], repairs, objects }) => ({
    title: `Remove the rights of ${principal} on ${counted(objects.length, 'object')} in ${container}`,
    fix: `Remove the entries of ${principal} from the access control lists of ${listed(objects)}.`,
    check: ENTRY_CHECK,
    risk: rightsRisk(repairs, principal),
  }),
  'access-list': ({ names: [object = ''], principals, repairs, isOfConsole }) => ({
    title: `Clean up the access control list of ${object}`,
    fix: isOfConsole
      ? atConsole(object, kindsOf(repairs), listed(principals))
      : `Remove the entries of ${listed(principals)} from the access control list of ${object}.`,
    check: ENTRY_CHECK,
    risk: rightsRisk(repairs, listed(principals)),
  }),
  'rights-of-default-group': ({ names: [group], objects, members }) => ({
    title: `Remove the direct rights of ${group} on ${counted(objects.length, 'object')}`,
    fix: `Grant the rights that a task needs to a group of the people who do it, then remove the entries of ${group} from the access control lists of ${listed(objects)}.`,
    check: ENTRY_CHECK,
    risk: `${members}, and lose these rights: find out first who uses them.`,
  }),
  'account-off-hosts': ({ names: [account], objects }) => logons(account, listed(objects)),
  'accounts-off-host': ({ names: [host], principals }) => logons(listed(principals), host),
  'members-of-group': ({ names: [group], principals }) => ({
    title: `Remove ${listed(principals)} from ${group}`,
    fix: `Remove ${listed(principals)} from the members of ${group}.`,
    check: `${group} no longer lists them.`,
    risk: `They lose all rights of ${group}: find out first which of these rights they use, and grant these rights in another way.`,
  }),
};

const atConsole = (ca: string, rights: string, holders: string): string =>
  `On the host of ${ca}, open its properties in the Certification Authority console, and on the Security tab, remove ${rights} from ${holders}. This list is in the registry of the host, and counts instead of the access control list of the CA's object in the directory. First check that another principal keeps "Manage CA".`;

const ldapProtection = (controllers: string): Omit<PackageText, 'changes'> => ({
  title: `Require LDAP signing and channel binding on ${controllers}`,
  fix: `In the policy of ${controllers}, set "Domain controller: LDAP server signing requirements" to "Require signing" and "Domain controller: LDAP server channel binding token requirements" to "Always". If you set only one of them, an attack path remains.`,
  check: 'LDAPServerIntegrity and LdapEnforceChannelBinding are 2 on every domain controller.',
  risk: 'Clients that bind without signing or without channel binding fail, including printers, storage systems and Linux servers: first collect events 2889 and 3039 on all domain controllers for two weeks (channel binding at "When supported"), and reconfigure the clients in these events.',
});

const logons = (accounts: string, hosts: string): Omit<PackageText, 'changes'> => ({
  title: `Keep ${accounts} off ${hosts}`,
  fix: `On ${hosts}, deny ${accounts} all types of logon, or assign these accounts an authentication policy for their own tier. Restart the computers, so that no session data stays in memory.`,
  check: 'The next collections show no such session.',
  risk: `Services, tasks and people that use ${accounts} on ${hosts} stop: find out first what they do there, and provide accounts of the tier of these computers for it.`,
});

/** Kinds of the removed relationships, as displayed. */
function kindsOf(repairs: readonly Repair[]): string {
  const kinds = new Set(repairs.flatMap(({ change }) => change.removed.map(({ kind }) => shownKind(kind))));
  const shown = [...kinds];
  return shown.length <= MAX_LISTED ? listed(shown) : `${counted(shown.length, 'right')}`;
}

const shownKind = (
  kind: number,
  graph: Pick<AttackGraph, 'declared'> = { declared: NOTHING_DECLARED },
): string => (edgeNameOf(graph, kind) ?? String(kind)).replace(/Raw$/, '');

function namesOf(repairs: readonly Repair[], of: 'object' | 'principal', nameOf: NameOf): string[] {
  const nodes = new Set(repairs.map((repair) => repair[of]).filter((node) => node !== undefined));
  return [...nodes].map(nameOf);
}

function shownName({ context }: AnalyzedWorld, node: number): string {
  const { graph } = context;
  const name = distinctName(context, node) || localGroupName(graph, node) || objectIdOf(graph, node);
  return name.length <= NAME_LENGTH ? name : `${name.slice(0, NAME_LENGTH).toWellFormed()}...`;
}

/** Names that Windows gives to local groups; collectors often omit them. */
const LOCAL_GROUP_NAMES: Readonly<Record<string, string>> = {
  '544': 'Administrators',
  '555': 'Remote Desktop Users',
  '562': 'Distributed COM Users',
  '580': 'Remote Management Users',
};

const nameOfRelativeId = (relativeId: string): string =>
  LOCAL_GROUP_NAMES[relativeId] ?? `local group ${relativeId}`;

/** @returns a name that contains the computer; empty if the node is not a local group */
function localGroupName(graph: AttackGraph, node: number): string {
  const { offsets, neighbors, kinds } = graph.out;
  for (let at = offsets[node]; at < offsets[node + 1]; at++) {
    if (kinds[at] !== EdgeKind.LocalToComputer) continue;
    const relativeId = /-(\d+)$/.exec(objectIdOf(graph, node))?.[1] ?? '';
    const host = nameOfNode(graph, neighbors[at]) || objectIdOf(graph, neighbors[at]);
    return `${nameOfRelativeId(relativeId)} of ${host}`;
  }
  return '';
}

/** @returns the names for a repair that removes a member from policies */
export function policyNames(
  world: AnalyzedWorld,
  { kind, change }: Repair,
  nameOf = shownNames(world),
): PolicyNames | undefined {
  const [first] = change.removed;
  if (kind !== 'remove-policy-member' || first === undefined) return undefined;
  const cause = world.context.use(policyMembers).of(first.start, first.end);
  return (
    cause && {
      group: nameOfRelativeId(cause.relativeId),
      computerCount: cause.edges.length,
      computers: hostsOf(world, cause.edges.slice(0, MAX_COMPUTERS)).map(nameOf),
      units: cause.units.slice(0, MAX_LISTED).map((unit) => nameOf(unit)),
    }
  );
}

/** @returns the computers of the local groups at the ends of memberships */
const hostsOf = ({ context }: AnalyzedWorld, memberships: readonly EdgeRef[]): number[] =>
  memberships.flatMap(({ end }) => [...context.edges('LocalToComputer').endsOf(end)]);

/** @returns the names for the text of a single repair */
export function repairNames(world: AnalyzedWorld, repair: Repair, nameOf = shownNames(world)): RepairNames {
  const { graph } = world.context;
  const { object, principal, change, edgeKinds } = repair;
  const inherited = change.removed.find((ref) => isInherited(graph, ref));
  const container = inherited && inheritanceSource(graph, inherited);
  const unadministered = withoutAdministrator(world.context, repair);
  const gone = new Set(change.removed.map(({ kind }) => shownKind(kind, graph)));
  return {
    object: nameOf(object),
    objectKind: '',
    principal: principal === undefined ? '' : nameOf(principal),
    isObjectDisabled: world.context.properties.flag('enabled', object) === false,
    isGroup: isGroup(world, principal),
    relations: edgeKinds.filter((name: EdgeKindName) => gone.has(name)),
    isInherited: inherited !== undefined,
    inheritedFrom: container === undefined ? '' : nameOf(container),
    inherited: inherited && inheritedNames(world, inherited, nameOf),
    policy: policyNames(world, repair, nameOf),
    ...tierZeroNames(world, repair, nameOf),
    leavesWithoutAdministrator: unadministered === undefined ? undefined : nameOf(unadministered),
    copied: copyOf(world, repair, nameOf),
    protection: entriesProtected(world, [repair]),
    isElevated: scopesOf(world.context, change.removed).includes(ELEVATED),
    ...(repair.kind === 'separate-logons' && { deniedServices: serviceWarnings(world, [repair], nameOf) }),
    authority: authorityNames(world.context, object),
  };
}

/** @returns undefined if the container that sets the entry is unknown or has no name, and for copies of entries of AdminSDHolder */
function inheritedNames(
  { context }: AnalyzedWorld,
  entry: EdgeRef,
  nameOf: NameOf,
): InheritedNames | undefined {
  const sources = context.use(entrySources);
  const source = sources.of(entry);
  if (source === undefined || sources.isProtector(source)) return undefined;
  // A container that no file describes, such as Builtin, has only an id.
  if (nameOfNode(context.graph, source) === '') return undefined;
  const isOfComputer = hasKind(context.graph, entry.end, NodeKind.Computer);
  return {
    container: nameOf(source),
    others: sources.inheritingFrom(source, entry) - 1,
    isForJoins: isOfComputer && entry.kind === EdgeKind.WriteAccountRestrictions,
  };
}

/** More service accounts than these are counted. */
const MAX_SERVICES = 5;

function serviceWarnings({ context }: AnalyzedWorld, repairs: readonly Repair[], nameOf: NameOf): string[] {
  const all = repairs.flatMap((repair) => deniedServices(context, repair));
  const shown = all
    .slice(0, MAX_SERVICES)
    .map(({ account, group }) => serviceWarning(nameOf(account), group === undefined ? '' : nameOf(group)));
  const more = all.length - shown.length;
  return more > 0 ? [...shown, `The same applies to ${counted(more, 'other service account')}.`] : shown;
}

const isGroup = ({ context: { graph } }: AnalyzedWorld, principal: number | undefined): boolean =>
  principal !== undefined && hasKind(graph, principal, NodeKind.Group);

/** The template of version 1 that is changed or retired: the console cannot edit such templates, so a corrected copy is made first. */
function copyOf(
  { context }: AnalyzedWorld,
  { kind, object, principal }: Repair,
  nameOf: NameOf,
): CopiedTemplate | undefined {
  const isSetting = kind === 'template-subject' || kind === 'template-approval';
  const template = isSetting ? object : kind === 'unpublish-template' ? principal : undefined;
  return template === undefined ? undefined : copiedTemplate(context, template, nameOf(template));
}

function copiesOf(world: AnalyzedWorld, repairs: readonly Repair[], nameOf: NameOf): CopiedTemplate[] {
  const found = repairs.flatMap((repair) => copyOf(world, repair, nameOf) ?? []);
  return [...new Map(found.map((one) => [one.name, one])).values()];
}

const isRemoved = (removed: readonly EdgeRef[], kind: number, end: number): boolean =>
  removed.some((one) => one.kind === kind && one.end === end);

/** Whether an account that does not belong in Tier Zero leaves it with the change, or the names of what keeps it there. */
function tierZeroNames(
  world: AnalyzedWorld,
  { kind, object, principal, change }: Repair,
  nameOf: NameOf,
): Pick<RepairNames, 'leavesTierZero' | 'staysInTierZero'> {
  if ((kind !== 'remove-member' && kind !== 'remove-role') || principal === undefined) return {};
  const { context, zones } = world;
  const members = tierZeroOf(zones);
  if (members?.has(object) !== true || !members.has(principal)) return {};
  const misplaced = misplacedAs(context, principal);
  if (misplaced === undefined) return {};
  const ways = waysInto(context, members, principal);
  const others = ways.filter(({ kind, end }) => !isRemoved(change.removed, kind, end));
  if (others.length === ways.length) return {};
  if (others.length === 0 && !stayingWithoutGroups(world, members).has(principal))
    return { leavesTierZero: misplaced };
  // Users who see the account and the group may not see groups of other environments.
  const { of } = context.use(environments);
  const seen = others.map(({ end }) => end).filter((end) => [of[principal], of[object]].includes(of[end]));
  const through = [...new Set(seen)].map(nameOf);
  return { staysInTierZero: { through: through.length === 0 ? '' : listed(through) } };
}

/** Whether the removed entries are on protected objects and are copies of entries of AdminSDHolder. */
function entriesProtected({ context }: AnalyzedWorld, repairs: readonly Repair[]): Protection | undefined {
  const entries = repairs.filter(({ kind }) => kind === 'remove-permission');
  return protectionOf(
    context,
    entries.flatMap(({ change }) => change.removed),
  );
}

/** @returns a sentence for the steps of several changes; empty if none of the entries is restored by Windows */
function protectionNote(world: AnalyzedWorld, repairs: readonly Repair[]): string {
  const protection = entriesProtected(world, repairs);
  return protection === undefined ? '' : ` ${PROTECTION_NOTES[protection]}`;
}

/** Whether the holder has one of the removed rights directly on the object with this number. */
function isNamed(
  { context: { graph } }: AnalyzedWorld,
  [container = -1]: readonly number[],
  repairs: readonly Repair[],
): boolean {
  return (
    container >= 0 &&
    repairs.some(({ change }) =>
      change.removed.some(
        ({ start, kind, end }) => end === container || hasExplicit(graph, start, kind, container),
      ),
    )
  );
}

const isPasswordReader = ({ kind, edgeKinds }: Repair): boolean =>
  kind === 'remove-permission' && edgeKinds.length === 1 && edgeKinds[0] === 'ReadGMSAPassword';

const isAuthorityRole = ({ context }: AnalyzedWorld, { kind, object, edgeKinds }: Repair): boolean =>
  kind === 'remove-permission' &&
  context.nodesOf('EnterpriseCA').has(object) &&
  edgeKinds.length > 0 &&
  edgeKinds.every((name) => name === 'ManageCA' || name === 'ManageCertificates');

const CONSOLE_RIGHTS: readonly string[] = ['Enroll', 'ManageCA', 'ManageCertificates'];

const isOfConsole = ({ context }: AnalyzedWorld, repairs: readonly Repair[]): boolean =>
  repairs.every(
    ({ kind, object, edgeKinds }) =>
      kind === 'remove-permission' &&
      context.nodesOf('EnterpriseCA').has(object) &&
      edgeKinds.length > 0 &&
      edgeKinds.every((name) => CONSOLE_RIGHTS.includes(name)),
  );

const endsEnrollment = ({ context }: AnalyzedWorld, { object, edgeKinds }: Repair): boolean =>
  edgeKinds.includes('Enroll') && context.nodesOf('EnterpriseCA').has(object);

/** @returns the beginning of a sentence about all members of a default group */
function membersText({ context: { graph } }: AnalyzedWorld, [group]: readonly number[]): string {
  const id = group === undefined || group < 0 ? '' : objectIdOf(graph, group);
  const who = /-513$/.test(id)
    ? 'All users of its domain'
    : /-515$/.test(id)
      ? 'All computers of its domain'
      : 'Nearly all users and computers';
  return `${who} belong to the group`;
}
