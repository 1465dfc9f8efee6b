/**
 * How near a change is to the cause of a path: of sets with equal effect and price, the one whose changes are wrong in themselves comes first,
 * then the one that more principals may use, and what Microsoft ships or people need comes last.
 *
 * Rule: `docs/plan.md#search`.
 */

import type { Repair } from '../repairs/repairs.ts';
import { MAX_COUNTED } from './prices/groupSizes.ts';
import { isKept, type Price, type PriceReason } from './prices/reasons.ts';

/** Reasons of changes whose finding exists whatever else is changed. */
const WRONG_ITSELF: ReadonlySet<PriceReason> = new Set([
  ...(['intruder', 'against-tier', 'left', 'dangerous-setting'] as const),
]);
const RANK = 2 * MAX_COUNTED;

/** @returns a number, the smaller the nearer to the cause */
export function rootOf({ change, edgeKinds }: Repair, price: Price): number {
  const isSetting = change.removed.length === 0 && edgeKinds.length === 0;
  const rank = isKept(price) ? 2 : isSetting || WRONG_ITSELF.has(price.reason) ? 0 : 1;
  // A setting is open to all who reach it.
  const users = isSetting ? MAX_COUNTED + 1 : (price.facts?.principals ?? 1);
  return rank * RANK + MAX_COUNTED + 1 - users;
}
