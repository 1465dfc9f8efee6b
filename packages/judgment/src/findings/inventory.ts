/** Counts the objects of an environment in the newest graph. */
import { windowsIdentityFinder } from '@clew/analysis';
import type { Generation } from '@clew/generation';
import {
  type AttackGraph,
  addCount,
  edgesOfKind,
  encodeText,
  getOrMake,
  kindTest,
  type NodeSet,
  nodesOfKind,
  objectIdOf,
  reachableNodes,
  textEndsWith,
} from '@clew/graph';
import { EdgeKind, NodeKind } from '@clew/model';

export interface EnvironmentInventory {
  /** Without the identities of Windows, as in the exposure. */
  readonly users: number;
  readonly computers: number;
  readonly groups: number;
  readonly controllers: number;
  readonly authorities: number;
  /** Direct and indirect members of its administrative groups that are accounts; for a tenant, holders of Global Administrator. */
  readonly administrators: number;
  /** Trusted domains and forests. */
  readonly trusts: number;
}

/** Domain Admins, Enterprise Admins, Administrators. */
const ADMINISTRATIVE = ['-512', '-519', '-S-1-5-32-544'].map(encodeText);
const GLOBAL_ADMINISTRATOR = '62E90394-69F5-4237-9190-012177145E10@';

const COUNTED = {
  users: [NodeKind.User, NodeKind.AZUser],
  computers: [NodeKind.Computer, NodeKind.AZDevice],
  groups: [NodeKind.Group, NodeKind.AZGroup],
  authorities: [NodeKind.EnterpriseCA],
} as const;

const ACCOUNTS = [NodeKind.User, NodeKind.Computer, NodeKind.AZUser, NodeKind.AZServicePrincipal] as const;
const MEMBERSHIP = edgesOfKind(EdgeKind.MemberOf, EdgeKind.AZMemberOf, EdgeKind.AZHasRole);

type Inventories = ReadonlyMap<string, EnvironmentInventory>;

const counted = new WeakMap<Generation, Inventories>();

/** Memoized per generation; O(nodes), plus the members of administrative groups. @returns inventories by object id of the environment */
export function inventoryOf(generation: Generation): Inventories {
  return getOrMake(counted, generation, () => countInventories(generation));
}

function countInventories({ graph, environments }: Generation): Inventories {
  const counts = new Map(
    Object.entries(COUNTED).map(([name, kinds]) => [name, countByEnvironment(graph, kinds)]),
  );
  const administrative = nodesOfKind(graph, NodeKind.Group, NodeKind.AZRole).filter(
    (node) =>
      ADMINISTRATIVE.some((end) => textEndsWith(graph.objectIds, node, end)) ||
      objectIdOf(graph, node).startsWith(GLOBAL_ADMINISTRATOR),
  );
  const accounts = nodesOfKind(graph, ...ACCOUNTS);
  return new Map(
    environments.map(({ id, node }) => {
      const own = administrative.filter((group) => graph.environmentOf[group] === node);
      const of = (name: keyof typeof COUNTED): number => counts.get(name)?.get(node) ?? 0;
      return [
        id,
        {
          ...{ users: of('users'), computers: of('computers'), groups: of('groups') },
          authorities: of('authorities'),
          controllers: countEdges(graph, 'in', node, EdgeKind.DCFor),
          administrators: members(graph, own).and(accounts).size,
          trusts:
            countEdges(graph, 'in', node, EdgeKind.SameForestTrust) +
            countEdges(graph, 'in', node, EdgeKind.CrossForestTrust),
        },
      ];
    }),
  );
}

const members = (graph: AttackGraph, groups: NodeSet): NodeSet =>
  reachableNodes(graph, groups, { direction: 'in', filter: MEMBERSHIP });

function countByEnvironment(graph: AttackGraph, kinds: readonly number[]): ReadonlyMap<number, number> {
  const tests = kinds.map((kind) => kindTest(graph, kind));
  const isOfWindows = kinds === COUNTED.users ? windowsIdentityFinder(graph) : () => false;
  const counts = new Map<number, number>();
  for (let node = 0; node < graph.nodeCount; node++) {
    if (!tests.some((test) => test[graph.kindSetOf[node]] === 1) || isOfWindows(node)) continue;
    const environment = graph.environmentOf[node];
    addCount(counts, environment);
  }
  return counts;
}

function countEdges(graph: AttackGraph, direction: 'in' | 'out', node: number, kind: number): number {
  const { offsets, kinds } = graph[direction];
  let count = 0;
  for (let at = offsets[node]; at < offsets[node + 1]; at++) if (kinds[at] === kind) count++;
  return count;
}
