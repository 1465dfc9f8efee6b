/** Severity from a share of principals. Rule: shared reference `findings.md` 3.5. */
import type { FindingType, Severity } from '@clew/model';

/** Ascending: compare places, never the words. */
export const SEVERITIES: readonly Severity[] = ['low', 'moderate', 'high', 'critical'];

/** Least per cent of each severity; borders belong to the greater one. */
const LEAST_PERCENT: readonly number[] = [0, 40, 80, 95];

/** @param fraction 0..1, not rounded. @returns place in `SEVERITIES` */
export function severityOf(fraction: number): number {
  return LEAST_PERCENT.findLastIndex((least) => fraction * 100 >= least);
}

/** Zone findings are rated by exposure; where everybody is a source, and for single objects, impact decides. */
export function isRatedByImpact(type: FindingType): boolean {
  return type.kind === 'list' || type.boundary === 'large-default-group' || type.boundary === 'large-group';
}

/** @returns place in `SEVERITIES` */
export function findingSeverity(type: FindingType, exposure: number, impact: number): number {
  const own = severityOf(isRatedByImpact(type) ? impact : exposure);
  return type.kind === 'list' ? Math.max(own, SEVERITIES.indexOf(type.floor)) : own;
}
