/** Helpers that tests of other packages share with those of this one. */

export { systemClock } from '../src/clock.ts';
export { type OidcPeer, startOidcPeer } from './sso/oidcPeer.ts';
export { addUser, callHandler, jsonOf, openTestIdentity } from './testIdentity.ts';
