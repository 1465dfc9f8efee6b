/** Which repairs have a change kit: the buttons that download it and the texts that mention it agree. */
import { MAX_KIT_CHANGES, type RepairReference } from '@clew/api';
import { isMasked } from '../text/masking.ts';

/** @returns a sentence that says why these repairs have no change kit; `undefined` where they have one */
export function noKitReason(repairs: readonly RepairReference[]): string | undefined {
  // A person who masks names and ids does not want to hand them on.
  if (isMasked()) return 'Names are masked, and a change kit is made of names and ids.';
  if (repairs.length === 0) return 'These changes have no change kit.';
  if (repairs.length <= MAX_KIT_CHANGES) return undefined;
  return `A change kit has at most ${MAX_KIT_CHANGES} changes, and these are ${repairs.length}.`;
}
