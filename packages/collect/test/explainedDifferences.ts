/**
 * Differences between the relationships of this collector and those of RustHound-CE 2.5.30 in the lab directory. Each has a reason, which is
 * also a row of the table in `docs/collect.md`.
 */
import { isTechnicalContainer } from '../src/directory/objectType.ts';

export interface ComparedGraph {
  /** Keys are `START|KIND|END` in upper case. */
  readonly edges: ReadonlySet<string>;
  /** Properties of described objects by id. */
  readonly nodes: ReadonlyMap<string, Readonly<Record<string, unknown>>>;
}

export interface ComparedEdge {
  readonly start: string;
  readonly kind: string;
  readonly end: string;
  /** Names without the domain, or ids. */
  readonly from: string;
  readonly to: string;
  readonly clew: ComparedGraph;
  readonly other: ComparedGraph;
}

export interface Reason {
  readonly text: string;
  readonly isOne: (edge: ComparedEdge) => boolean;
}

const isTechnical = ({ clew, other }: ComparedEdge, id: string): boolean =>
  !clew.nodes.has(id) && isTechnicalContainer(String(other.nodes.get(id)?.distinguishedname ?? ''));
const hasClass = (edge: ComparedEdge): boolean => ['DMSA2$', 'INETP'].includes(edge.to);
const isManaged = ({ to }: ComparedEdge): boolean => /^[GD]MSA\d\$$/.test(to);

const PRINCIPAL_CONTAINERS: readonly string[] = [
  'FOREIGNSECURITYPRINCIPALS',
  'WELLKNOWN SECURITY PRINCIPALS',
];
/** Planted denials. */
const DENIED: readonly string[] = ['ADDMEMBER GB', 'GENERICALL T18', 'WRITEDACL T20'];

/** Relationships that only RustHound-CE has. */
export const ONLY_OTHER: readonly Reason[] = [
  {
    text: 'containers without delegated rights (update markers, display specifiers, parts of policies) are omitted by Clew',
    isOne: (edge) => isTechnical(edge, edge.end) || isTechnical(edge, edge.start),
  },
  {
    text: 'disabled policy links count in RustHound-CE',
    isOne: ({ kind, from }) => kind === 'GPLINK' && /^DISABLED/i.test(from),
  },
  {
    text: 'entries inherited for one class count for other classes in RustHound-CE',
    isOne: (edge) => hasClass(edge) && edge.kind !== 'OWNSRAW',
  },
  {
    text: 'denied entries are ignored by RustHound-CE',
    isOne: ({ kind, to }) => DENIED.includes(`${kind} ${to}`),
  },
  {
    text: 'inherit-only entries count on the unit itself in RustHound-CE',
    isOne: ({ kind, to }) => kind === 'GENERICALL' && to === 'SERVERS',
  },
  {
    text: 'an owner whose rights an entry for OWNER RIGHTS replaces is an owner in RustHound-CE',
    isOne: ({ kind, to }) => kind === 'OWNSRAW' && to === 'OWNLIM',
  },
  {
    text: 'containment of foreign and well-known principals, whose container gives no control over them',
    isOne: ({ kind, from }) => kind === 'CONTAINS' && PRINCIPAL_CONTAINERS.includes(from),
  },
  {
    text: 'containment of policies in their container, which gives no control over them',
    isOne: ({ kind, from }) => kind === 'CONTAINS' && from === 'POLICIES',
  },
  {
    text: 'parts of a GenericWrite are listed again by RustHound-CE',
    isOne: ({ kind, start, end, clew }) =>
      ['ADDALLOWEDTOACT', 'WRITEACCOUNTRESTRICTIONS'].includes(kind) &&
      clew.edges.has(`${start}|GENERICWRITE|${end}`),
  },
  {
    text: 'rights of an authority from the bits of its object in the directory, which mean creating and deleting children there',
    isOne: ({ kind }) => ['MANAGECA', 'MANAGECERTIFICATES'].includes(kind),
  },
  {
    text: 'contacts, which cannot sign in, are members in RustHound-CE; Clew notes them',
    isOne: ({ kind, start }) => kind === 'MEMBEROF' && start.startsWith('CN='),
  },
  {
    text: 'members of Everyone and Authenticated Users: the service adds them itself',
    isOne: ({ kind, end }) => kind === 'MEMBEROF' && /-S-1-(1-0|5-11)$/.test(end),
  },
  {
    text: 'the owner of the list of readers counts as a reader in RustHound-CE',
    isOne: ({ kind, from, to }) =>
      kind === 'READGMSAPASSWORD' && from === 'ADMINISTRATORS' && to === 'GMSA1$',
  },
];

const ESCAPED = /[,"+#;<>=\\]/;
const ADMINISTRATORS: readonly string[] = ['ADMINISTRATORS', 'DOMAIN ADMINS'];

/** Relationships that only this collector has. */
export const ONLY_CLEW: readonly Reason[] = [
  {
    text: 'Builtin, Configuration, sites and their servers are not in the files of RustHound-CE',
    isOne: ({ start, end, other }) =>
      !other.nodes.has(end) || (!other.nodes.has(start) && !start.includes('-S-1-')),
  },
  {
    text: 'units with a comma or another escaped character in their names have no parent or no children in RustHound-CE',
    isOne: ({ kind, from, to }) => kind === 'CONTAINS' && (ESCAPED.test(from) || ESCAPED.test(to)),
  },
  {
    text: 'readers of delegated managed accounts, and hosts of standalone ones (`msDS-HostServiceAccount`)',
    isOne: ({ kind, to }) =>
      kind === 'DUMPSMSAPASSWORD' || (kind === 'READGMSAPASSWORD' && to.startsWith('DMSA')),
  },
  {
    text: 'entries inherited for the class of delegated managed accounts',
    isOne: ({ kind, to, from }) => kind === 'GENERICALL' && to === 'DMSA2$' && from === 'V00',
  },
  {
    text: 'rights of administrators on managed accounts, which a denied right of the default list leaves in parts',
    isOne: (edge) => isManaged(edge) && ADMINISTRATORS.includes(edge.from),
  },
  {
    text: 'account restrictions that the default list grants Domain Admins',
    isOne: ({ kind, from }) => kind === 'WRITEACCOUNTRESTRICTIONS' && from === 'DOMAIN ADMINS',
  },
  {
    text: 'all extended rights on computers with LAPS and on certificate templates',
    isOne: ({ kind, to }) => kind === 'ALLEXTENDEDRIGHTS' && (/^LAPS/.test(to) || /^LAB/.test(to)),
  },
  {
    text: 'GenericWrite of administrators on the domain and on objects of certificate services',
    isOne: ({ kind, from }) => kind === 'GENERICWRITE' && ADMINISTRATORS.includes(from),
  },
  {
    text: 'property sets, which grant writing each of their attributes: members, service names, public information, identities of certificates',
    isOne: ({ kind, from }) =>
      ['ADDMEMBER', 'WRITESPN', 'WRITEALTSECURITYIDENTITIES', 'WRITEPUBLICINFORMATION'].includes(kind) &&
      /^U\d+$/.test(from),
  },
  {
    text: 'writing the links of the domain, and the name and enrollment flags of certificate templates',
    isOne: ({ kind }) => ['WRITEGPLINK', 'WRITEPKINAMEFLAG', 'WRITEPKIENROLLMENTFLAG'].includes(kind),
  },
  {
    text: 'the computer that hosts an authority',
    isOne: ({ kind }) => kind === 'HOSTSCASERVICE',
  },
  {
    text: 'local groups of controllers, whose members are those of Builtin (`DCOnly` of RustHound-CE omits them)',
    isOne: ({ kind, start, end }) =>
      ['LOCALTOCOMPUTER', 'MEMBEROFLOCALGROUP'].includes(kind) &&
      /S-1-5-32-|-S-1-5-21-/.test(`${start}${end}`),
  },
];
