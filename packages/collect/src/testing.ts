/** Helpers that tests of other packages share with those of the collector. */

export { type Lab, missingForLab, startLab } from './testing/lab.ts';
