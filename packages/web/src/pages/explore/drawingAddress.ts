/** A saved drawing in the address, which replaces the question. */
import type { Address } from '../../address.ts';

/** The question that a saved drawing replaces. */
export const NOTHING_ASKED = {
  ...{ mode: undefined, object: undefined, only: undefined, from: undefined, to: undefined, ways: undefined },
  ...{ without: undefined, around: undefined, q: undefined, p: undefined, with: undefined, hide: undefined },
  ...{ unfold: undefined, selected: undefined, show: undefined, layout: undefined },
} as const;

/** Any other request closes the saved drawing. */
export function leavingDrawing(address: Address): Address {
  const questions = ['mode', 'object', 'from', 'to', 'q'];
  return {
    ...address,
    set: (changes, options) =>
      address.set(
        questions.some((name) => Object.hasOwn(changes, name)) && !Object.hasOwn(changes, 'drawing')
          ? { ...changes, drawing: undefined }
          : changes,
        options,
      ),
  };
}
