/** Random values and facts for generated directories. */
import fc from 'fast-check';

/** True in `chance` of a hundred cases. */
export const maybe = (chance: number) => fc.integer({ min: 0, max: 99 }).map((value) => value < chance);

/** Draws up to `most` facts, as `START VERB END` with different ends. */
export const someFacts = (
  from: readonly string[],
  verbs: readonly string[],
  to: readonly string[],
  most: number,
) =>
  fc.array(
    fc
      .tuple(fc.constantFrom(...from), fc.constantFrom(...verbs), fc.constantFrom(...to))
      .filter(([start, , end]) => start !== end)
      .map((fact) => fact.join(' ')),
    { maxLength: most },
  );
