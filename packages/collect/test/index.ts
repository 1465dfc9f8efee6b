/** Helpers of the collector's tests that tests of other packages share. */

export { WRITTEN_ATTRIBUTES } from '../src/directory/writtenAttributes.ts';
export { descriptorBytes, sidBytes } from './descriptors.ts';
export { type Lab, missingForLab, startLab } from './lab.ts';
export { type ServedDirectory, SimulatedDirectory } from './simulatedDirectory.ts';
