/** The answer to clients that look for servers of a cluster: this one is all of them. */
import { SHOWN_DATABASE } from '@clew/common';
import type { PackMap } from './structure.ts';

const SECONDS_UNTIL_ASKED_AGAIN = 300;
const MAX_ADDRESS_LENGTH = 300;
/** A host name or an address, with a port. */
const ADDRESS = /^(?:\[[\da-fA-F:.%]+\]|[^\s:/@]+):\d{1,5}$/;

/**
 * @param routing has the address that the client connected to, which may be that of a proxy
 * @param address of the connection, used if the client sends none
 */
export function routingTable({ address: named }: PackMap, { db }: PackMap, address: string): PackMap {
  const isAddress = typeof named === 'string' && named.length <= MAX_ADDRESS_LENGTH && ADDRESS.test(named);
  const addresses = [isAddress ? named : address];
  return {
    ttl: SECONDS_UNTIL_ASKED_AGAIN,
    db: typeof db === 'string' ? db : SHOWN_DATABASE.name,
    // Drivers open transactions as those that write by default: the query decides.
    servers: ['ROUTE', 'READ', 'WRITE'].map((role) => ({ role, addresses })),
  };
}
