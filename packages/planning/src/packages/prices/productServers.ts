/**
 * Administrators that the setup of a product puts on its own servers. A name alone is not enough: the computer has to be in the group that the
 * setup makes for servers.
 *
 * Source: Microsoft, Exchange Server permissions (Organization Management and Exchange Trusted Subsystem are in Administrators of each server).
 */
import { type AttackGraph, nameOf } from '@clew/graph';
import { groupsOf } from './neighborFilters.ts';

interface Product {
  /** Names of groups, which are the same in every language. */
  readonly administrators: ReadonlySet<string>;
  /** Names of the groups of its servers. */
  readonly servers: ReadonlySet<string>;
}

const PRODUCTS: readonly Product[] = [
  {
    administrators: new Set(['ORGANIZATION MANAGEMENT', 'EXCHANGE TRUSTED SUBSYSTEM']),
    servers: new Set(['EXCHANGE SERVERS', 'EXCHANGE TRUSTED SUBSYSTEM']),
  },
];

/** Whether the setup of a product that runs on the computer made the group its administrators. */
export function isOfProduct(graph: AttackGraph, group: number, host: number): boolean {
  const own = shortName(graph, group);
  return PRODUCTS.some(
    ({ administrators, servers }) =>
      administrators.has(own) && groupsOf(graph, host).some((each) => servers.has(shortName(graph, each))),
  );
}

const shortName = (graph: AttackGraph, node: number): string =>
  (nameOf(graph, node).split('@')[0] as string).toUpperCase();
