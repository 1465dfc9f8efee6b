/**
 * The tree of a domain: its organizational units and containers, and the access entries that each passes on. A delegation is defined once,
 * at the place where an administrator would define it; the inherited entries of an object follow from its container.
 */
import { dialectOf } from './dialects/index.ts';
import { ACQUIRED_UNITS, DEPARTMENTS, siteName } from './names.ts';
import {
  blockPrincipal,
  type DomainPlan,
  domainStream,
  objectGuid,
  peopleOfSite,
  prefixedGroup,
  roleGroup,
  siteOfPerson,
  specialAccount,
  wellKnownGroup,
} from './plan.ts';
import { digestOf } from './random.ts';
import { type Ace, ace, type Principal, principal } from './records.ts';

/** Kinds of objects to which an inheritable entry can apply. */
export type TargetKind = 'User' | 'Group' | 'Computer' | 'ComputerWithLaps' | 'OU' | 'Container';

export interface Delegation {
  readonly holder: Principal;
  readonly right: string;
  readonly targets: readonly TargetKind[];
}

export interface Place {
  readonly name: string;
  readonly path: string;
  readonly kind: 'Domain' | 'OU' | 'Container';
  readonly objectId: string;
  readonly distinguishedName: string;
  readonly parent?: Place;
  readonly delegations: readonly Delegation[];
  /** Group policies stop here unless enforced. */
  readonly blocksInheritance: boolean;
  /** Entries of ancestors stop here. */
  readonly isAclProtected: boolean;
  /** Number of the site whose workstations are here. */
  readonly workstationSite?: number;
}

const EVERY: readonly TargetKind[] = ['User', 'Group', 'Computer', 'ComputerWithLaps', 'OU', 'Container'];
const COMPUTERS: readonly TargetKind[] = ['Computer', 'ComputerWithLaps'];

/** The delegations that the root of every domain passes on by default. */
function domainDelegations(domain: DomainPlan): Delegation[] {
  const administrators = prefixedGroup(domain, 'S-1-5-32-544');
  const defaults: Delegation[] = [
    {
      holder: { ObjectIdentifier: `${domain.forestSid}-519`, ObjectType: 'Group' },
      right: 'GenericAll',
      targets: EVERY,
    },
    { holder: administrators, right: 'WriteDacl', targets: EVERY },
    { holder: administrators, right: 'WriteOwner', targets: EVERY },
    { holder: administrators, right: 'GenericWrite', targets: ['User', 'Group', ...COMPUTERS, 'OU'] },
    { holder: administrators, right: 'AllExtendedRights', targets: ['User', 'ComputerWithLaps'] },
  ];
  if (!domain.hasKeyAdmins) return defaults;
  const targets: readonly TargetKind[] = ['User', ...COMPUTERS];
  const keyAdmins = [wellKnownGroup(domain, 526), wellKnownGroup(domain, 527)];
  return [...defaults, ...keyAdmins.map((holder) => ({ holder, right: 'AddKeyCredentialLink', targets }))];
}

type Row = readonly [
  path: string,
  options?: {
    readonly kind?: 'Container';
    readonly delegations?: readonly Delegation[];
    readonly blocksInheritance?: boolean;
    readonly isAclProtected?: boolean;
    readonly workstationSite?: number;
  },
];

/** In shape 3, the unit of the controllers of some domains blocks unenforced policies of the domain. */
const doControllersBlock = (domain: DomainPlan): boolean =>
  domain.shape === 3 && domainStream(domain, 'controllers-block')(0) < 0.3;

function fixedRows(domain: DomainPlan): Row[] {
  const container = { kind: 'Container' } as const;
  const protectedContainer = { kind: 'Container', isAclProtected: true } as const;
  const rows: Row[] = [
    ['USERS', container],
    ['COMPUTERS', container],
    ['MANAGED SERVICE ACCOUNTS', container],
    ['FOREIGNSECURITYPRINCIPALS', container],
    ['PROGRAM DATA', container],
    ['SYSTEM', container],
    ['SYSTEM/POLICIES', container],
    ['SYSTEM/ADMINSDHOLDER', protectedContainer],
    ['SYSTEM/WMIPOLICY', protectedContainer],
    ['DOMAIN CONTROLLERS', { isAclProtected: true, blocksInheritance: doControllersBlock(domain) }],
    ['TIER0', { isAclProtected: true, blocksInheritance: true }],
    ['TIER0/ACCOUNTS'],
    ['TIER0/GROUPS'],
    ['TIER0/SERVERS'],
    ['TIER1'],
    ['TIER1/ACCOUNTS'],
    ['TIER1/GROUPS'],
    [
      'TIER1/SERVERS',
      {
        delegations: [
          { holder: roleGroup(domain, 'T1_SERVER_ADMINS'), right: 'GenericAll', targets: COMPUTERS },
          {
            holder: specialAccount(domain, 'SVC_JOIN'),
            right: 'WriteAccountRestrictions',
            targets: COMPUTERS,
          },
        ],
      },
    ],
    ['TIER1/SERVICE ACCOUNTS'],
    ['TIER2'],
    ['TIER2/ACCOUNTS'],
    ['TIER2/GROUPS'],
    ['LEGACY', { blocksInheritance: true }],
    ['SITES'],
  ];
  if (domain.shape !== 1) rows.push([DISABLED_USERS], ...acquiredRows());
  if (!domain.isForestRoot) return rows;
  const services = 'CONFIGURATION/SERVICES/PUBLIC KEY SERVICES';
  return [
    ...rows,
    ['CONFIGURATION', container],
    ['CONFIGURATION/SERVICES', container],
    [services, container],
    [`${services}/AIA`, container],
    [`${services}/CERTIFICATION AUTHORITIES`, container],
    [`${services}/ENROLLMENT SERVICES`, container],
    [`${services}/CERTIFICATE TEMPLATES`, container],
    [`${services}/OID`, container],
  ];
}

export const DISABLED_USERS = 'LEGACY/DISABLED USERS';

const acquiredPath = (depth: number): string => ['LEGACY', ...ACQUIRED_UNITS.slice(0, depth)].join('/');

/** Paths of the units of the acquired organization, from the top down. */
export const ACQUIRED_PATHS = ACQUIRED_UNITS.map((_, index) => acquiredPath(index + 1));

const acquiredRows = (): Row[] =>
  ACQUIRED_PATHS.map((path, index) => [path, { isAclProtected: index === 3 }]);

/** One site in eight has machines to which everybody at the site may log on remotely. */
export const isKioskSite = (site: number): boolean => site % 8 === 3;

/** @returns the departments with a separate unit at the site: more at larger sites */
function departmentsOfSite(domain: DomainPlan, site: number): string[] {
  const [from, to] = peopleOfSite(domain, site);
  const count = Math.min(DEPARTMENTS.length, Math.floor((to - from) / 60));
  return Array.from(
    { length: count },
    (_, index) => DEPARTMENTS[(site + index * 3) % DEPARTMENTS.length] as string,
  );
}

/** Units for external people in the departments of a site, one per partner. */
const EXTERNAL = 'EXTERNAL/CONTRACTORS';

/** @returns the path of the unit that contains a person's account */
export function placeOfPerson(domain: DomainPlan, person: number): string {
  const site = siteOfPerson(domain, person);
  const users = `SITES/${siteName(site)}/USERS`;
  const departments = domain.shape === 1 ? [] : departmentsOfSite(domain, site);
  // Half of the people were never assigned to the unit of a department.
  if (departments.length === 0 || person % 2 === 0) return users;
  const department = `${users}/${departments[(person >> 1) % departments.length]}`;
  return person % 20 === 1 ? `${department}/${EXTERNAL}` : department;
}

const WORKSTATION_UNITS = ['', '/LAPTOPS', '/LAPTOPS/ENCRYPTED', '/DESKTOPS'] as const;

/** @returns the path of the unit of a workstation. Kiosks are in the unit to which their policy is linked. */
export function placeOfWorkstation(domain: DomainPlan, index: number): string {
  const site = siteOfPerson(domain, index);
  const unit =
    domain.shape === 1 || isKioskSite(site) ? '' : WORKSTATION_UNITS[index % WORKSTATION_UNITS.length];
  return `SITES/${siteName(site)}/WORKSTATIONS${unit}`;
}

/** Units below the standard units of a site. */
function deeperSiteRows(domain: DomainPlan, site: number): Row[] {
  if (domain.shape === 1) return [];
  const path = `SITES/${siteName(site)}`;
  const departments = departmentsOfSite(domain, site).flatMap((name): Row[] => [
    [`${path}/USERS/${name}`],
    [`${path}/USERS/${name}/EXTERNAL`],
    [`${path}/USERS/${name}/${EXTERNAL}`],
  ]);
  const machines = isKioskSite(site) ? [] : WORKSTATION_UNITS.slice(1);
  return [...departments, ...machines.map((unit): Row => [`${path}/WORKSTATIONS${unit}`])];
}

function siteRows(domain: DomainPlan, site: number): Row[] {
  const path = `SITES/${siteName(site)}`;
  const helpdesk = blockPrincipal(domain, 'siteHelpdesk', site);
  const identityManagement = specialAccount(domain, 'SVC_IDM');
  return [
    [path, { blocksInheritance: site % 16 === 15 }],
    [
      `${path}/USERS`,
      { delegations: [{ holder: helpdesk, right: 'ForceChangePassword', targets: ['User'] }] },
    ],
    [
      `${path}/WORKSTATIONS`,
      {
        delegations: [{ holder: helpdesk, right: 'ReadLAPSPassword', targets: ['ComputerWithLaps'] }],
        workstationSite: site,
      },
    ],
    [
      `${path}/GROUPS`,
      { delegations: [{ holder: identityManagement, right: 'AddMember', targets: ['Group'] }] },
    ],
    ...deeperSiteRows(domain, site),
  ];
}

/** The places of one domain, parents before children. */
export class Places {
  readonly #byPath = new Map<string, Place>();
  readonly #inherited = new Map<string, readonly Ace[]>();
  readonly #plantedAt: (objectId: string) => readonly Delegation[];

  /** @param plantedAt delegations that flaws add to a unit or container, by its object id */
  constructor(domain: DomainPlan, plantedAt: (objectId: string) => readonly Delegation[]) {
    this.#plantedAt = plantedAt;
    this.#byPath.set('', {
      name: domain.name,
      path: '',
      kind: 'Domain',
      objectId: domain.sid,
      distinguishedName: domain.distinguishedName,
      delegations: [...domainDelegations(domain), ...plantedAt(domain.sid)],
      blocksInheritance: false,
      isAclProtected: false,
    });
    for (const row of fixedRows(domain)) this.#add(domain, row);
    for (let site = 0; site < domain.sites; site++) {
      for (const row of siteRows(domain, site)) this.#add(domain, row);
    }
  }

  #add(domain: DomainPlan, [path, options = {}]: Row): void {
    const cut = path.lastIndexOf('/');
    const parent = this.at(path.slice(0, Math.max(cut, 0)));
    const name = dialectOf(domain).unit(path.slice(cut + 1));
    const kind = options.kind ?? 'OU';
    const objectId = objectGuid(domain, path);
    this.#byPath.set(path, {
      name,
      path,
      ...{ kind, objectId },
      distinguishedName: `${kind === 'OU' ? 'OU' : 'CN'}=${name},${parent.distinguishedName}`,
      parent,
      delegations: [...(options.delegations ?? []), ...this.#plantedAt(objectId)],
      blocksInheritance: options.blocksInheritance ?? false,
      isAclProtected: options.isAclProtected ?? false,
      ...(options.workstationSite !== undefined && { workstationSite: options.workstationSite }),
    });
  }

  /** @throws Error if the path is not a place of the domain */
  at(path: string): Place {
    const place = this.#byPath.get(path);
    if (place === undefined) throw new Error(`no place ${path}`);
    return place;
  }

  *all(): Generator<Place> {
    for (const place of this.#byPath.values()) if (place.kind !== 'Domain') yield place;
  }

  /** @returns the entries that an object of the kind inherits at the place, nearest ancestor first */
  inheritedAces(place: Place, target: TargetKind): readonly Ace[] {
    const key = `${target}/${place.path}`;
    const known = this.#inherited.get(key);
    if (known !== undefined) return known;
    const own = place.delegations
      .filter((delegation) => delegation.targets.includes(target))
      .map((delegation) => ace(delegation.holder, delegation.right, inheritanceHash(place, delegation)));
    const above =
      place.parent === undefined || place.isAclProtected ? [] : this.inheritedAces(place.parent, target);
    const aces = [...own, ...above];
    this.#inherited.set(key, aces);
    return aces;
  }
}

function inheritanceHash(place: Place, { holder, right, targets }: Delegation): string {
  return digestOf(`${place.objectId}/${holder.ObjectIdentifier}/${right}/${targets.join()}`);
}

/** @returns the hashes of the entries that a place passes on; inherited entries of its children contain them */
export const inheritanceHashes = (place: Place): string[] =>
  place.delegations.map((delegation) => inheritanceHash(place, delegation));

export const containedBy = (place: Place): Principal => principal(place.kind, place.objectId);
