/** A package with the prices of its changes, for display. */

import type { Repair } from '../repairs/repair.ts';
import type { WorkPackage } from './packageOrder.ts';
import type { PackagePrice, PricedPackage } from './plannedTypes.ts';
import type { Price, PriceReason } from './prices/reasons.ts';

/** Maximum number of changes that are priced one by one. */
const MAX_SINGLY_PRICED = 10;

export function pricedPackage(
  { key, kind, subjects, cost, isKept: isOfKept }: WorkPackage,
  repairs: readonly Repair[],
  priceOf: (repair: Repair) => Price,
): PricedPackage {
  return { key, kind, subjects, repairs, cost, isKept: isOfKept, prices: pricesOf(repairs, priceOf) };
}

function pricesOf(repairs: readonly Repair[], priceOf: (repair: Repair) => Price): PackagePrice[] {
  const own = repairs.map((repair, place): PackagePrice => ({ ...priceOf(repair), repairs: [place] }));
  const prices = own.length <= MAX_SINGLY_PRICED ? own : byReason(own);
  return prices.sort((a, b) => b.work + b.breaks - a.work - a.breaks);
}

function byReason(prices: readonly PackagePrice[]): PackagePrice[] {
  const found = new Map<PriceReason, PackagePrice & { repairs: number[] }>();
  for (const price of prices) {
    const known = found.get(price.reason);
    if (known === undefined) found.set(price.reason, { ...price, repairs: [...price.repairs] });
    else known.repairs.push(...price.repairs);
  }
  return [...found.values()];
}

/** @returns the cost of a package without the damage of the given changes */
export function costWithout({ cost, prices }: PricedPackage, places: ReadonlySet<number>): number {
  const breaks = prices.reduce(
    (sum, price) => (price.repairs.some((place) => places.has(place)) ? sum + price.breaks : sum),
    0,
  );
  return Math.max(0, Math.round(100 * (cost - breaks)) / 100);
}
