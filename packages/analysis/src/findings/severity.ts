/**
 * Severity: computed from the number of principals that can use a finding or fall with its target, the attack effort of its step, and the
 * zone. One table defines it, and generates `docs/findings.md#severity`.
 */
import type { RulesMode } from '@clew/model';
import type { EffortClass } from './effortClass.ts';
import type { FindingType, Severity } from './types/index.ts';

/** Ascending: compare places, not words. */
export const SEVERITIES: readonly Severity[] = ['low', 'moderate', 'high', 'critical'];

/** Lower bound of each band in percent (inclusive). */
export const SEVERITY_BANDS: readonly number[] = [0, 40, 80, 95];

/** The principals that a share counts: those that can use the finding, those that its object can reach, or the smaller of both. */
export type SeverityBasis = 'users' | 'falling' | 'lesser';

export interface SeverityRow {
  readonly id: string;
  /** The findings that the row applies to. */
  readonly of: string;
  readonly basis: SeverityBasis;
  /** One severity per band, never decreasing, so that a wider opening never ranks below a narrower one. */
  readonly severities: readonly [Severity, Severity, Severity, Severity];
  /** The minimum severity of the type applies as well. */
  readonly hasFloor?: boolean;
}

/** The first matching row applies. */
export const SEVERITY_ROWS = [
  {
    id: 'everybody-over-zone',
    of: 'relationship of a large default group into Tier Zero',
    basis: 'users',
    severities: ['critical', 'critical', 'critical', 'critical'],
  },
  {
    id: 'zone-action',
    of: 'relationship into Tier Zero that takes one or several actions and that a principal can use',
    basis: 'users',
    severities: ['high', 'high', 'high', 'critical'],
  },
  {
    id: 'zone-condition',
    of: 'relationship into Tier Zero that depends on a condition (a user is signed in, a host answers) and that a principal can use',
    basis: 'users',
    severities: ['moderate', 'moderate', 'high', 'critical'],
  },
  {
    id: 'boundary',
    of: 'other relationship into a zone: it depends on luck, leads into a zone other than Tier Zero, belongs to an object that is not certified, or cannot be used today',
    basis: 'users',
    severities: ['low', 'moderate', 'high', 'critical'],
  },
  {
    id: 'everybody',
    of: 'other relationship of a large group',
    basis: 'falling',
    severities: ['low', 'moderate', 'high', 'critical'],
  },
  {
    id: 'opening-zone-everybody',
    of: 'opening of Tier Zero that takes actions and that a large default group can use (its object is in Tier Zero, controls Tier Zero because of its function, or represents a domain, like a logon template)',
    basis: 'lesser',
    severities: ['critical', 'critical', 'critical', 'critical'],
  },
  {
    id: 'opening-zone-action',
    of: 'opening of Tier Zero that takes actions and that a principal can use',
    basis: 'lesser',
    severities: ['high', 'high', 'high', 'critical'],
    hasFloor: true,
  },
  {
    id: 'opening',
    of: 'other opening that takes actions or depends on a condition',
    basis: 'lesser',
    severities: ['low', 'moderate', 'high', 'critical'],
    hasFloor: true,
  },
  {
    id: 'opening-luck',
    of: 'opening that depends on luck, such as guessing a password',
    basis: 'lesser',
    severities: ['low', 'moderate', 'high', 'high'],
    hasFloor: true,
  },
  {
    id: 'safeguard-of-zone',
    of: 'missing safeguard of an object of Tier Zero',
    basis: 'falling',
    severities: ['low', 'moderate', 'moderate', 'moderate'],
    hasFloor: true,
  },
  {
    id: 'safeguard',
    of: 'other missing safeguard',
    basis: 'falling',
    severities: ['low', 'low', 'low', 'low'],
    hasFloor: true,
  },
  {
    id: 'check',
    of: 'finding of a custom check without a severity, by the share of principals that can reach the object',
    basis: 'users',
    severities: ['low', 'moderate', 'high', 'critical'],
  },
  {
    id: 'check-impact',
    of: 'finding of a custom check with severity `impact`, by the share of principals that the object controls',
    basis: 'falling',
    severities: ['low', 'moderate', 'high', 'critical'],
  },
  {
    id: 'check-fixed',
    of: 'finding of a custom check with a fixed severity, which always applies',
    basis: 'users',
    severities: ['low', 'low', 'low', 'low'],
    hasFloor: true,
  },
  {
    id: 'public',
    of: 'every finding with `CLEW_RULES=parity`: by exposure at the boundary of a zone, otherwise by impact',
    basis: 'users',
    severities: ['low', 'moderate', 'high', 'critical'],
    hasFloor: true,
  },
] as const satisfies readonly SeverityRow[];

export type SeverityRowId = (typeof SEVERITY_ROWS)[number]['id'];

const rowNumbers = new Map<string, number>(SEVERITY_ROWS.map(({ id }, at) => [id, at]));

/** @returns band of an unrounded share 0..1 */
const bandOf = (share: number): number => SEVERITY_BANDS.findLastIndex((least) => share * 100 >= least);

/** Boundaries of relationships that start at groups of nearly everyone. */
export const LARGE_BOUNDARIES: ReadonlySet<string> = new Set(['large-default-group', 'large-group']);

/** Whether findings of the type belong to no zone. */
export const isOfNoZone = (type: FindingType): boolean =>
  type.kind === 'list' ? type.scope === 'hygiene' : LARGE_BOUNDARIES.has(type.boundary);

/** Zone findings are rated by exposure; findings with everybody as source, and findings about single objects, by impact. */
export function isRatedByImpact(type: FindingType): boolean {
  return type.kind === 'list' ? type.check === undefined : LARGE_BOUNDARIES.has(type.boundary);
}

/** Shares are 0..1. */
export interface SeverityFacts {
  /** Users of the finding: the largest share over all environments. */
  readonly users: number;
  /** Share that the object can reach; for an opening, only by its own rights, without those of everybody. */
  readonly falling: number;
  readonly effort: EffortClass;
  /** The target is a member of Tier Zero, controls it because of its function, or represents a domain. */
  readonly isOverTierZero?: boolean;
  /** A group of nearly everyone is the source, or can use the finding. */
  readonly isEverybodys?: boolean;
  /** Default: `clean`. */
  readonly rules?: RulesMode;
}

export interface RatedSeverity {
  /** Place in `SEVERITIES`. */
  readonly severity: number;
  /** Place in `SEVERITY_ROWS`. */
  readonly row: number;
  /** Whether the deciding share counts the users instead of the principals that the object can reach. */
  readonly isByUsers: boolean;
}

export function rateSeverity(type: FindingType, facts: SeverityFacts): RatedSeverity {
  const row = rowNumbers.get(rowOf(type, facts)) as number;
  const { basis, severities, ...more }: SeverityRow = SEVERITY_ROWS[row];
  const isByUsers =
    type.kind === 'list' && type.check !== undefined
      ? basis === 'users'
      : facts.rules === 'parity'
        ? !isRatedByImpact(type)
        : basis === 'users' || (basis === 'lesser' && facts.users < facts.falling);
  const own = SEVERITIES.indexOf(severities[bandOf(isByUsers ? facts.users : facts.falling)]);
  const floor = more.hasFloor === true && type.kind === 'list' ? SEVERITIES.indexOf(type.floor) : 0;
  return { severity: Math.max(own, floor), row, isByUsers };
}

function rowOf(type: FindingType, facts: SeverityFacts): SeverityRowId {
  const { users, effort, isOverTierZero = false, isEverybodys = false, rules = 'clean' } = facts;
  if (type.kind === 'list' && type.check !== undefined)
    return type.check.severity !== undefined
      ? 'check-fixed'
      : type.check.isByImpact === true
        ? 'check-impact'
        : 'check';
  if (rules === 'parity') return 'public';
  if (type.kind === 'list') {
    if (type.nature === 'opening') {
      if (effort === 8) return 'opening-luck';
      if (!isOverTierZero || effort === 4 || users === 0) return 'opening';
      return isEverybodys ? 'opening-zone-everybody' : 'opening-zone-action';
    }
    return type.scope === 'tier-zero' ? 'safeguard-of-zone' : 'safeguard';
  }
  if (isOverTierZero && (isEverybodys || isRatedByImpact(type))) return 'everybody-over-zone';
  if (isRatedByImpact(type)) return 'everybody';
  // A relationship that awaits certification is not yet an opening: it is known, and someone will decide.
  const isDirect = isOverTierZero && users > 0 && type.boundary !== 'uncertified';
  if (!isDirect || effort === 8) return 'boundary';
  return effort === 4 ? 'zone-condition' : 'zone-action';
}

const ACTION: Readonly<Record<EffortClass, string>> = {
  1: 'with one action',
  2: 'with several actions',
  4: 'if a condition holds',
  8: 'by luck',
};

/** The step of a relationship itself, without the steps of the paths to its source. */
const STEP: Readonly<Record<EffortClass, string>> = {
  1: 'takes one action',
  2: 'takes several actions',
  4: 'depends on a condition',
  8: 'depends on luck',
};

/** The stored inputs of a severity. */
export interface SeverityReason {
  readonly severity: Severity;
  /** Place in `SEVERITY_ROWS`. */
  readonly row: number;
  readonly isByUsers: boolean;
  readonly count: number;
  readonly of: number;
  readonly effort: EffortClass;
  /** The count covers principals of another environment. */
  readonly isForeign: boolean;
  /** The environment of its source was not collected, so its users are unknown. */
  readonly isUnread?: boolean;
  /** Name of the other environment, if known and visible. */
  readonly environment?: string | undefined;
}

const grouped = (count: number): string => count.toLocaleString('en-US');

/**
 * Users are counted like exposure, among principals outside the zone; reachable principals like impact, among all.
 *
 * @returns one sentence: "critical: 1,204 of 1,310 users and computers outside the zone can exploit it; the step itself takes one action"
 */
export function severitySentence(reason: SeverityReason): string {
  const { severity, row, isByUsers, count, of, effort, isForeign, isUnread = false } = reason;
  const { id }: SeverityRow = SEVERITY_ROWS[row];
  const other = reason.environment || 'another environment';
  const users = `users and computers${isForeign ? ` of ${other}` : ''}`;
  const attackers = `${grouped(count)} of ${grouped(of)} ${users} outside the zone`;
  // The impact of an opening counts everything that the object reaches; its severity excludes objects that everybody can reach.
  const how = id.startsWith('opening') ? ' through its own rights' : '';
  const falling =
    count === 0 ? `no user or computer${how}` : `${grouped(count)} of all ${grouped(of)} ${users}${how}`;
  if (id === 'everybody-over-zone')
    return `${severity}: nearly everyone can use it against Tier Zero ${ACTION[effort]}`;
  if (id === 'everybody')
    return count === 0
      ? `${severity}: nearly everyone can use it ${ACTION[effort]}, but it gives control of ${falling}`
      : `${severity}: nearly everyone can use it ${ACTION[effort]}, and then controls ${falling}`;
  if (id.startsWith('safeguard')) return `${severity}: a missing safeguard gives no control by itself`;
  if (id === 'check-fixed') return `${severity}: set by the custom check`;
  if (id === 'check-impact')
    return `${severity}: anyone who controls the object also controls ${grouped(count)} of ${grouped(of)} ${users}`;
  if (id === 'check') return `${severity}: ${grouped(count)} of ${grouped(of)} ${users} can reach the object`;
  if (isByUsers && count === 0) {
    if (isUnread)
      return `${severity}: the principals that can use it are unknown, because ${reason.environment || 'the environment of its source'} was not collected`;
    const floor = severity === 'low' ? '' : `, but this type is never rated below ${severity}`;
    return `${severity}: no user or computer outside the zone can use it today${floor}`;
  }
  if (isByUsers && !id.startsWith('opening'))
    return `${severity}: ${attackers} can exploit it; the step itself ${STEP[effort]}`;
  return isByUsers
    ? `${severity}: ${attackers} can use it ${ACTION[effort]}`
    : `${severity}: the object controls ${falling}, and can be taken over ${ACTION[effort]}`;
}
