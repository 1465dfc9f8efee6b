/** Test helpers: facts of one change of each kind, the rights that the access list engine recognizes, and the texts of engines. */

export { ENGINES } from '../src/engines/index.ts';
export { RIGHTS } from '../src/rights.ts';
export { KINDS, sampleFacts } from './sampleFacts.ts';
