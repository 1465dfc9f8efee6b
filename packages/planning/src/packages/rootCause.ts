/**
 * Ranks how near a change is to the root cause of a path. Among sets of equal effect and price, changes of misconfigurations come
 * first, then those that more principals may use; defaults of Microsoft, and access that users need, come last.
 *
 * Rule: `docs/plan.md#search`.
 */

import type { Repair } from '../repairs/repair.ts';
import { MAX_COUNTED } from './prices/groupSizes.ts';
import { isKept, type Price, type PriceReason } from './prices/reasons.ts';

/** Reasons of changes whose finding exists regardless of other changes. */
const WRONG_ITSELF: ReadonlySet<PriceReason> = new Set([
  ...(['intruder', 'against-tier', 'left', 'dangerous-setting'] as const),
]);
const RANK = 2 * MAX_COUNTED;

/** @returns a rank; smaller is nearer to the root cause */
export function rootOf({ change, edgeKinds }: Repair, price: Price): number {
  const isSetting = change.removed.length === 0 && edgeKinds.length === 0;
  const rank = isKept(price) ? 2 : isSetting || WRONG_ITSELF.has(price.reason) ? 0 : 1;
  // A setting affects everyone who can reach the object.
  const users = isSetting ? MAX_COUNTED + 1 : (price.facts?.principals ?? 1);
  return rank * RANK + MAX_COUNTED + 1 - users;
}
