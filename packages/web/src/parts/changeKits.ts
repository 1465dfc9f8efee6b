/** Determines which repairs have a change kit, so that buttons and texts agree. */
import { MAX_KIT_CHANGES, type RepairReference } from '@clew/api';
import { isMasked } from '../text/masking.ts';

/** @returns a sentence with the reason why these repairs have no change kit; `undefined` if they have one */
export function noKitReason(repairs: readonly RepairReference[]): string | undefined {
  // Users who mask names and ids do not want to pass them on.
  if (isMasked()) return 'Names are masked, but a change kit needs real names and IDs.';
  if (repairs.length === 0) return 'These changes have no change kit.';
  if (repairs.length <= MAX_KIT_CHANGES) return undefined;
  return `A change kit can have at most ${MAX_KIT_CHANGES} changes, but these are ${repairs.length}.`;
}
