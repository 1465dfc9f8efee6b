/** Scenarios of openCypher that are answered otherwise here, and why. */

const SETUP = 'the graph of the scenario is made with DELETE, which the loader of the test does not know';
const LENIENT = 'it is refused there and answered here, as people write it';

export const DEVIATIONS: Readonly<Record<string, string>> = {
  'clauses/match/Match5 [26]': SETUP,
  'clauses/match/Match5 [27]': SETUP,
  'clauses/return-orderby/ReturnOrderBy6 [5]': LENIENT,
  'clauses/return/Return6 [21]': LENIENT,
  'clauses/with/With6 [9]': LENIENT,
  'expressions/list/List12 [7]': LENIENT,
  'expressions/mathematical/Mathematical3 [1]': 'dashes of word processors are taken for a minus',
  'expressions/pattern/Pattern1 [22]': LENIENT,
  'expressions/pattern/Pattern1 [23]': LENIENT,
  'expressions/temporal/Temporal10 [10]':
    'a span counts seconds exactly up to 2^53, which are 285 million years',
};

/** @returns feature and number of a scenario */
export const deviationOf = (name: string): string => name.replace(/(\[\d+\]).*$/, '$1');

export const isDeviation = (name: string): boolean => Object.hasOwn(DEVIATIONS, deviationOf(name));
