/** Test support for packages whose tests ask a server of the protocol. */
export { connectedClient, newClient, REVISION_MODES, textOf } from './connectedClient.ts';
