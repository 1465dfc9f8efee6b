/** Helpers that tests of other packages share with those of the collector. */

export { descriptorBytes, sidBytes } from './descriptors.ts';
export { type Lab, missingForLab, startLab } from './lab.ts';
export { type ServedDirectory, SimulatedDirectory } from './simulatedDirectory.ts';
