/** Messages about names that do not exist, with the name that was probably meant. */
import { didYouMean } from '@clew/cypher';
import { type FaultMessage, shown } from './faults.ts';

/**
 * The suggestion is computed only for messages that are shown.
 * @param known lists of names, the preferred ones first
 */
export const notKnown =
  (message: string, name: string, ...known: readonly Iterable<string>[]): FaultMessage =>
  () =>
    `${message}: ${shown(name)}${didYouMean(
      name,
      known.flatMap((names) => [...names]),
    )}`;
