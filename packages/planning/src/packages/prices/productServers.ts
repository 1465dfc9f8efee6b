/**
 * Administrators that the setup of a product adds to its own servers. The name of a group alone is not enough: the computer must also be in
 * the group that the setup creates for servers.
 *
 * Source: Microsoft, Exchange Server permissions (Organization Management and Exchange Trusted Subsystem are in Administrators of each
 * server).
 */
import { type AttackGraph, nameOf } from '@clew/graph';
import { groupsOf } from './neighborFilters.ts';

interface Product {
  /** Names of groups, the same in every language. */
  readonly administrators: ReadonlySet<string>;
  /** Names of the groups that contain the product's servers. */
  readonly servers: ReadonlySet<string>;
}

const PRODUCTS: readonly Product[] = [
  {
    administrators: new Set(['ORGANIZATION MANAGEMENT', 'EXCHANGE TRUSTED SUBSYSTEM']),
    servers: new Set(['EXCHANGE SERVERS', 'EXCHANGE TRUSTED SUBSYSTEM']),
  },
];

/** Whether the setup of a product on the computer made the group an administrator. */
export function isOfProduct(graph: AttackGraph, group: number, host: number): boolean {
  const own = shortName(graph, group);
  return PRODUCTS.some(
    ({ administrators, servers }) =>
      administrators.has(own) && groupsOf(graph, host).some((each) => servers.has(shortName(graph, each))),
  );
}

const shortName = (graph: AttackGraph, node: number): string =>
  (nameOf(graph, node).split('@')[0] as string).toUpperCase();
