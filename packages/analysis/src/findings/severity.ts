/** Severity from a share of principals. Rule: `docs/findings.md#severity`. */

import type { RulesMode } from '@clew/model';
import type { FindingType, Severity } from './types/index.ts';

/** Ascending: compare places, never the words. */
export const SEVERITIES: readonly Severity[] = ['low', 'moderate', 'high', 'critical'];

/** Least per cent of each severity; borders belong to the greater one. */
const MIN_PERCENT: readonly number[] = [0, 40, 80, 95];

/** As far as impact raises a missing safeguard of Tier Zero. */
const MAX_OF_SAFEGUARD = SEVERITIES.indexOf('moderate');

/** @param fraction 0..1, not rounded. @returns place in `SEVERITIES` */
export function severityOf(fraction: number): number {
  return MIN_PERCENT.findLastIndex((least) => fraction * 100 >= least);
}

/** Zone findings are rated by exposure; where everybody is a source, and for single objects, impact decides. */
export function isRatedByImpact(type: FindingType): boolean {
  return type.kind === 'list' || type.boundary === 'large-default-group' || type.boundary === 'large-group';
}

export interface SeverityOptions {
  /** Default: `clean`. */
  readonly rules?: RulesMode;
  /** The target is a member of Tier Zero. */
  readonly isOverTierZero?: boolean;
}

/**
 * Impact says what an object controls, not whether its setting lets anybody take it. By impact alone every unused
 * account of a domain that everybody can take over would be critical, above the way in itself: repairing those first
 * lowers no risk. Objects of Tier Zero control much by design, and a safeguard they miss rises to moderate; others do
 * so only over a way that is a finding of its own, so theirs stays at its floor. The public rule, kept for `parity`,
 * knows no such limit.
 *
 * @returns place in `SEVERITIES`
 */
export function findingSeverity(
  type: FindingType,
  exposure: number,
  impact: number,
  { rules = 'clean', isOverTierZero = false }: SeverityOptions = {},
): number {
  const own = severityOf(isRatedByImpact(type) ? impact : exposure);
  if (type.kind !== 'list') {
    // What everybody may do to Tier Zero needs no figure.
    const isEverybodys = isRatedByImpact(type) && isOverTierZero && rules === 'clean';
    return isEverybodys ? SEVERITIES.length - 1 : own;
  }
  const floor = SEVERITIES.indexOf(type.floor);
  const isLimited = type.nature === 'safeguard' && rules === 'clean';
  if (!isLimited) return Math.max(own, floor);
  return type.scope === 'tier-zero' ? Math.max(Math.min(own, MAX_OF_SAFEGUARD), floor) : floor;
}
