/** Helpers that tests of other packages share with those of this one. */

export { systemClock } from './clock.ts';
export { type OidcPeer, startOidcPeer } from './sso/testing/oidcPeer.ts';
export { addUser, callHandler, jsonOf, openTestIdentity } from './testing/testIdentity.ts';
