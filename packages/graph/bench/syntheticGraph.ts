/**
 * Graphs for benchmarks, the same for the same size. `directory` has the shape of an organization: hubs such as
 * Domain Users, nested groups, rights of groups over objects, sessions. `uniform` joins nodes at random.
 */
import { type AttackGraph, type EdgeChunk, GraphBuilder } from '../src/index.ts';
import { newRandom } from '../test/index.ts';

export type Shape = 'directory' | 'uniform';
export type Scale = 'small' | 'large';

export const SIZES = {
  small: { nodes: 20_000, edges: 200_000 },
  large: { nodes: 1_000_000, edges: 10_000_000 },
} as const;

export const Kind = { MemberOf: 1, HasSession: 4, AdminTo: 5, GenericAll: 16 } as const;
/** Node kinds: users and computers are principals. */
export const NodeKind = { Base: 1, User: 2, Computer: 3, Group: 4 } as const;

/** Places of the groups that everything hangs on, at the front. */
export const DOMAIN_ADMINS = 0;
const DOMAIN_USERS = 1;
const FIRST_GROUP = 2;
const ADMINS = 20;

export function syntheticGraph(shape: Shape, scale: Scale, edges?: number): AttackGraph {
  const builder = newSyntheticBuilder(scale);
  builder.addEdges(syntheticEdges(shape, scale, edges));
  return builder.build();
}

/** @returns a builder that holds the nodes: one tenth groups in front, then users, then computers. */
export function newSyntheticBuilder(scale: Scale): GraphBuilder {
  const { nodes } = SIZES[scale];
  const builder = new GraphBuilder();
  for (let node = 0; node < nodes; node++) {
    const kind = node < nodes / 10 ? NodeKind.Group : node < nodes * 0.6 ? NodeKind.User : NodeKind.Computer;
    const rid = String(1_000_000 + node);
    builder.addNode({
      storeId: node + 1,
      objectId: `S-1-5-21-2643190041-1319121918-239771340-${rid}`,
      name: `OBJECT${rid}@CORP.LOCAL`,
      kinds: [kind, NodeKind.Base],
      environmentStoreId: 1,
    });
  }
  return builder;
}

export function syntheticEdges(shape: Shape, scale: Scale, edges: number = SIZES[scale].edges): EdgeChunk {
  const { nodes } = SIZES[scale];
  const chunk = {
    starts: new Uint32Array(edges),
    kinds: new Uint16Array(edges),
    ends: new Uint32Array(edges),
    flags: new Uint8Array(edges),
  };
  const random = newRandom(42);
  const next = shape === 'uniform' ? uniformEdge(nodes, random) : directoryEdge(nodes, random);
  for (let edge = 0; edge < edges; edge++) {
    const [start, kind, end] = next(edge);
    chunk.starts[edge] = start;
    chunk.kinds[edge] = kind;
    chunk.ends[edge] = end;
    chunk.flags[edge] = edge & 3;
  }
  return chunk;
}

type NextEdge = (edge: number) => [start: number, kind: number, end: number];

function uniformEdge(nodes: number, random: () => number): NextEdge {
  const node = () => Math.floor(random() * nodes);
  return () => [node(), 1 + Math.floor(random() * 90), node()];
}

function directoryEdge(nodes: number, random: () => number): NextEdge {
  const groups = nodes / 10;
  const firstComputer = nodes * 0.6;
  const any = (from: number, to: number) => from + Math.floor(random() * (to - from));
  // Few groups have most of the rights and members.
  const skewed = (from: number, to: number) => from + Math.floor(random() ** 4 * (to - from));
  return (edge) => {
    // Everyone is in Domain Users, and Domain Admins control everything.
    if (edge < nodes - groups) return [edge + groups, Kind.MemberOf, DOMAIN_USERS];
    if (edge < 2 * nodes - groups) return [DOMAIN_ADMINS, Kind.GenericAll, edge - (nodes - groups)];
    if (edge < 2 * nodes - groups + ADMINS) return [any(groups, firstComputer), Kind.MemberOf, DOMAIN_ADMINS];
    const choice = random();
    if (choice < 0.39) return [any(groups, nodes), Kind.MemberOf, skewed(FIRST_GROUP, groups)];
    if (choice < 0.4) {
      const group = any(FIRST_GROUP + 1, groups);
      return [group, Kind.MemberOf, skewed(FIRST_GROUP, group)];
    }
    if (choice < 0.8) return [skewed(FIRST_GROUP, groups), 16 + any(0, 12), any(FIRST_GROUP, nodes)];
    if (choice < 0.95) return [skewed(FIRST_GROUP, groups), Kind.AdminTo, any(firstComputer, nodes)];
    return [any(firstComputer, nodes), Kind.HasSession, any(groups, firstComputer)];
  };
}
