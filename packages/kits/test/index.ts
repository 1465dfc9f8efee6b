/** Test helpers: facts of one change of each kind, and the rights that the access list engine recognizes. */

export { RIGHTS } from '../src/rights.ts';
export { KINDS, sampleFacts } from './sampleFacts.ts';
