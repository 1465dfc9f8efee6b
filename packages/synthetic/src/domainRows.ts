/** The domains of an organization, their forests, and the share of the people in each. */
import { below, pick, randomStream } from './random.ts';
import type { Shape } from './teams.ts';

export interface DomainRow {
  readonly name: string;
  readonly netbios: string;
  readonly forest: string;
  readonly functionalLevel: string;
  readonly hasKeyAdmins: boolean;
  readonly infrastructure: readonly string[];
}

/** Default number of domains of a forest, and the maximum, which is the number of names. */
export const DEFAULT_DOMAINS = 3;
export const MAX_DOMAINS = 20;

const childRow = (label: string, forest = 'AURORA'): DomainRow => ({
  ...{ name: `${label}.${forest}.EXAMPLE`, netbios: label, forest: `${forest}.EXAMPLE` },
  ...{ functionalLevel: '2012 R2', hasKeyAdmins: false, infrastructure: ['BKP01'] },
});

const forestRow = (label: string): DomainRow => ({
  ...{ name: `${label}.EXAMPLE`, netbios: label, forest: `${label}.EXAMPLE` },
  ...{ functionalLevel: '2016', hasKeyAdmins: true, infrastructure: ['PKI01', 'BKP01'] },
});

/** The domains of shapes 1 and 2 in the order in which they are added. */
const DOMAINS: readonly DomainRow[] = [
  {
    ...{ name: 'AURORA.EXAMPLE', netbios: 'AURORA', forest: 'AURORA.EXAMPLE' },
    ...{ functionalLevel: '2012 R2', hasKeyAdmins: false },
    infrastructure: ['PKI01', 'SYNC01', 'EXCH01', 'EXCH02', 'BKP01', 'SCCM01'],
  },
  ...[childRow('SOUTH'), forestRow('BOREAL'), childRow('WEST'), childRow('EAST'), childRow('NORTH')],
  ...[forestRow('CORAL'), childRow('LAB'), childRow('PLANT'), childRow('ISLANDS'), childRow('COAST')],
  ...[forestRow('DELTA'), childRow('VALLEY'), childRow('HARBOR'), childRow('LAKES'), childRow('HILLS')],
  ...[forestRow('EMBER'), childRow('PLAINS'), childRow('RIVER'), childRow('FJORD')],
];

/** @returns the share of all people in each domain; the three default domains keep their original shares */
export function sharesOf(shape: Shape, domains: number): number[] {
  if (domains === DEFAULT_DOMAINS && shape !== 3) return [0.6, 0.3, 0.1];
  const weights = Array.from({ length: domains }, (_, at) => (at + 1) ** -1.3);
  const whole = weights.reduce((total, weight) => total + weight, 0);
  return weights.map((weight) => weight / whole);
}

/** @returns the rows of an organization, the root domain first */
export function domainRows(shape: Shape, seed: number, domains: number): readonly DomainRow[] {
  return shape === 3 ? drawnRows(seed, domains) : DOMAINS.slice(0, domains);
}

/** Numbers of forests of an organization of shape 3: most have one or two, as most merged ones do. */
const FORESTS = [1, 1, 1, 2, 2, 3, 4, 5] as const;

const ROOTS = ['AURORA', 'BOREAL', 'CORAL', 'DELTA', 'EMBER'] as const;

const LABELS = DOMAINS.filter(({ name, forest }) => name !== forest).map(({ netbios }) => netbios);

/** In shape 3, the seed selects the number of forests, and each further domain is a child in any of them. */
function drawnRows(seed: number, domains: number): DomainRow[] {
  const draw = randomStream(seed, 'domains');
  const forests = Math.min(domains, pick(FORESTS, draw(0)));
  // The first forest has most of the domains.
  const forestOf = Array.from({ length: domains }, (_, at) =>
    at === 0 ? 0 : at < forests ? at : below(forests, draw(1, at) ** 2),
  );
  const labels = [...LABELS, ...ROOTS.slice(forests).map((name) => `${name}2`)];
  return forestOf.map((forest, at): DomainRow => {
    const root = ROOTS[forest] as string;
    const isNew = draw(2, forest) < 0.5;
    const age = isNew
      ? { functionalLevel: '2016', hasKeyAdmins: true }
      : { functionalLevel: '2012 R2', hasKeyAdmins: false };
    // The other contents of a root domain follow from the traits of its forest.
    if (at < forests) return { ...forestRow(root), ...age, infrastructure: ['BKP01'] };
    return { ...childRow(labels[at - forests] as string, root), ...age };
  });
}

/** @returns the default number of domains of an organization of shape 3: few have many, and small ones have few */
export function drawnDomainCount(seed: number, users: number): number {
  const draw = randomStream(seed, 'domains');
  const most = Math.max(1, Math.min(MAX_DOMAINS, Math.floor(users / 100)));
  return Math.min(most, 1 + below(MAX_DOMAINS, draw(3) ** 2));
}
