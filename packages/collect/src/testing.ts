/** Helpers that tests of other packages share with those of the collector. */

export { descriptorBytes, sidBytes } from './testing/descriptors.ts';
export { type Lab, missingForLab, startLab } from './testing/lab.ts';
export { type ServedDirectory, SimulatedDirectory } from './testing/simulatedDirectory.ts';
