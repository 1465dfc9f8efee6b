/** Figures of a plan as people read them. */
import type { CardRecord, PlanRecord } from '@clew/api';
import { formatCount } from '../../text/formats.ts';

/** One decimal; 100% and 0% mean all and none. */
export function share(part: number, whole: number): string {
  if (whole === 0 || part === 0) return '0%';
  if (part === whole) return '100%';
  return `${Math.min(99.9, Math.max(0.1, Math.round((part / whole) * 1000) / 10)).toFixed(1)}%`;
}

export const principals = (count: number): string =>
  count === 1 ? '1 user or computer' : `${formatCount(count)} users and computers`;

export const exposureOf = (all: PlanRecord['before']) => ({
  exposed: all.reduce((sum, { exposed_count }) => sum + exposed_count, 0),
  all: all.reduce((sum, { principal_count }) => sum + principal_count, 0),
});

export const TIER_ZERO = 1;
export const zoneText = (zone: number): string => (zone === TIER_ZERO ? 'Tier Zero' : 'the zone');

/** Shares before and after a card; nothing where they are not shown. */
export function sharesOf({ exposed_before, exposed_after, exposure }: CardRecord) {
  const { all } = exposureOf(exposure);
  return exposed_before === null || exposed_after === null || all === 0
    ? undefined
    : {
        before: exposed_before / all,
        after: exposed_after / all,
        from: share(exposed_before, all),
        to: share(exposed_after, all),
      };
}

export function fallOf(card: CardRecord): string {
  const shares = sharesOf(card);
  return shares === undefined ? '' : `${shares.from} -> ${shares.to}`;
}

/** Cost without a needless decimal. */
export const costText = (cost: number): string => String(Math.round(cost * 10) / 10);
