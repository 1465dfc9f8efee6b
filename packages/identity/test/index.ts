/** Helpers shared with tests of other packages. */

export { systemClock } from '../src/clock.ts';
export { type OidcPeer, startOidcPeer } from './sso/oidcPeer.ts';
export { addUser, callHandler, jsonOf, openTestIdentity, quickHasher } from './testIdentity.ts';
