/**
 * The traits in which organizations differ: the share of principals with a path to Tier Zero, the separation of
 * tiers, the authorities, and the requirements of machines. Shapes 1 and 2 have the same traits in every
 * organization; in shape 3 they are drawn from the seed, some for the organization, some for each forest, some for
 * each domain.
 */
import type { DomainRow } from './domainRows.ts';
import { below, pick, randomStream } from './random.ts';
import type { Shape } from './teams.ts';

export interface Authority {
  /** Name without the domain. */
  readonly name: string;
  /** Name of its host in the infrastructure of the root domain. */
  readonly host: string;
  /** Enrollment over the web without protection against relay attacks. */
  readonly webEnrollment: 'none' | 'http';
  /** Requesters may name others in any request (ESC6). */
  readonly allowsNames: boolean;
  /** Authenticated Users may enroll; if false, only the administrators of servers and of Tier Zero. */
  readonly isOpen: boolean;
  readonly isRegistryRead: boolean;
}

/** The principals with too many rights, from none to everybody. */
export type Audience = 'people' | 'departments' | 'computers' | 'users' | 'everybody';

export interface Traits {
  /** The principals with many paths to Tier Zero. `people`: single people and teams only. */
  readonly audience: Audience;
  /** Number of departments, if departments are the audience. */
  readonly departments: number;
  /** Wide flaws are planted in this domain; if false, only in other domains of its forest. */
  readonly isOpen: boolean;
  /** Only paths that are planted for the audience lead from Tier 1 to Tier Zero. */
  readonly isTiered: boolean;
  /** Probability of each narrow flaw. */
  readonly sickness: number;
  /** Share of controllers that require LDAP signing and channel binding. */
  readonly ldapSigning: number;
  readonly channelBinding: number;
  /** Shares of machines, other than controllers, that require SMB signing. */
  readonly smbSigning: { readonly infrastructure: number; readonly others: number };
  /** Share of servers and workstations that answered the collector. */
  readonly answering: { readonly servers: number; readonly workstations: number };
  /** Share of people whose password never expires. */
  readonly neverExpires: number;
  /** Controllers map certificates weakly, as before 2022. */
  readonly hasWeakMapping: boolean;
  /** Authorities of the forest, in the order of their hosts; the same for each of its domains. */
  readonly authorities: readonly Authority[];
  /** Certificate templates of the forest in addition to those of every forest. */
  readonly furtherTemplates: number;
}

/** @returns the traits of shapes 1 and 2: younger forests are more secure than the oldest */
export function evenTraits({ hasKeyAdmins }: DomainRow): Traits {
  return {
    ...{ audience: 'everybody', departments: 0, isOpen: true, isTiered: false, sickness: 1 },
    ...{ ldapSigning: hasKeyAdmins ? 1 : 0.5, channelBinding: hasKeyAdmins ? 1 : 0 },
    smbSigning: { infrastructure: 0.7, others: 0.4 },
    answering: { servers: 0.8, workstations: 0.45 },
    ...{ neverExpires: 0.03, hasWeakMapping: !hasKeyAdmins, furtherTemplates: 0 },
    authorities: [
      {
        ...{ name: 'ISSUING CA', host: 'PKI01', isOpen: true, isRegistryRead: true },
        webEnrollment: hasKeyAdmins ? 'none' : 'http',
        allowsNames: hasKeyAdmins,
      },
    ],
  };
}

const AUTHORITIES = ['ISSUING CA', 'ISSUING CA 2', 'USER CA', 'MACHINE CA', 'OLD ENTERPRISE CA', 'LAB CA'];

const between = (low: number, high: number, fraction: number): number => low + (high - low) * fraction;

/** Maximum width for each audience; above the last one, it is everybody. */
const WIDTH = { people: 0.18, departments: 0.54, computers: 0.62, users: 0.8 } as const;

function audienceOf(width: number): Audience {
  if (width < WIDTH.people) return 'people';
  if (width < WIDTH.departments) return 'departments';
  if (width < WIDTH.computers) return 'computers';
  return width < WIDTH.users ? 'users' : 'everybody';
}

function drawTraits(row: DomainRow, seed: number): Traits {
  const organization = randomStream(seed, 'traits');
  const forest = randomStream(seed, `traits/${row.forest}`);
  const domain = randomStream(seed, `traits/${row.forest}/${row.name}`);
  // Forests of one owner are similar, but not the same.
  const width = Math.min(0.999, Math.max(0, organization(0) + between(-0.15, 0.15, forest(0))));
  const audience = audienceOf(width);
  const hasRelay = audience === 'everybody' && forest(1) < 0.75;
  const isTiered = forest(2) < (audience === 'people' ? 0.8 : 0.4);
  return {
    ...{
      audience,
      isTiered,
      departments: 1 + below(9, (width - WIDTH.people) / (WIDTH.departments - WIDTH.people)),
    },
    isOpen: row.name === row.forest || domain(0) < 0.6,
    sickness: between(0.15, 0.8, forest(3)) * (isTiered ? 0.6 : 1),
    ldapSigning: hasRelay && domain(1) < 0.7 ? domain(2) * 0.8 : 1,
    channelBinding: hasRelay && domain(3) < 0.7 ? domain(4) * 0.5 : 1,
    smbSigning: { infrastructure: between(0.05, 0.4, domain(5)), others: between(0.01, 0.12, domain(6)) },
    answering: { servers: between(0.5, 0.95, domain(7)), workstations: between(0.2, 0.7, domain(8)) },
    neverExpires: between(0.1, 0.28, domain(9)),
    hasWeakMapping: !isTiered && forest(4) < 0.4,
    authorities: drawAuthorities(forest, { hasRelay, audience }),
    furtherTemplates: 20 + below(100, forest(5)),
  };
}

/** One forest in four has none; the others have up to six. */
function drawAuthorities(
  draw: (index: number, question?: number) => number,
  { hasRelay, audience }: { readonly hasRelay: boolean; readonly audience: Audience },
): Authority[] {
  if (draw(10) < 0.25) return [];
  return AUTHORITIES.slice(0, 1 + below(AUTHORITIES.length, draw(11) ** 1.5)).map((name, at) => ({
    ...{ name, host: `PKI0${at + 1}` },
    webEnrollment: hasRelay && draw(12, at) < 0.5 ? 'http' : 'none',
    allowsNames: audience === 'everybody' && draw(13, at) < 0.15,
    isOpen: at === 0 || draw(14, at) < 0.6,
    isRegistryRead: draw(15, at) < 0.8,
  }));
}

/** @returns the traits of the same organization with settings that close its wide paths; its objects are the same */
export const withoutFlaws = (traits: Traits): Traits => ({
  ...traits,
  ...{ ldapSigning: 1, channelBinding: 1, smbSigning: { infrastructure: 1, others: 1 } },
  authorities: traits.authorities.map((authority) => ({
    ...authority,
    ...{ webEnrollment: 'none' as const, allowsNames: false },
  })),
});

export const traitsOf = (shape: Shape, row: DomainRow, seed: number): Traits =>
  shape === 3 ? drawTraits(row, seed) : evenTraits(row);

/** @returns the infrastructure machines of a domain, in Tier Zero and outside of it */
export function infrastructureOf(
  shape: Shape,
  row: DomainRow,
  traits: Traits,
  seed: number,
): readonly string[] {
  if (shape !== 3 || row.name !== row.forest) return row.infrastructure;
  const draw = randomStream(seed, `infrastructure/${row.forest}`);
  return [
    ...traits.authorities.map(({ host }) => host),
    ...(row.netbios === 'AURORA' ? ['SYNC01'] : []),
    ...(draw(0) < 0.6 ? ['EXCH01', 'EXCH02'].slice(0, pick([1, 2], draw(1))) : []),
    ...row.infrastructure,
    ...(draw(2) < 0.5 ? ['SCCM01'] : []),
  ];
}
