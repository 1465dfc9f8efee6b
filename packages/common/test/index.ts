/** Test helpers that other packages also use. */

export { ForbiddenAddressError } from '../src/outgoing/guardedFetch.ts';
export { sampledCases, sampledSteps } from './sampledCases.ts';
