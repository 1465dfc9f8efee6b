/** Helpers that tests of other packages share with those of this one. */

export { ForbiddenAddressError } from '../src/outgoing/guardedFetch.ts';
