/** A small graph on the real server: two domains, a group with control, and its related objects. */

import { noMarks, setMark } from '@clew/generation';
import { graphOf, type TestEdge, type TestNode } from '@clew/graph/testing';
import { EdgeKind, NodeKind, type RulesMode } from '@clew/model';
import { generationOf } from '@clew/queries/testing';
import { literalProperties, type QueryServer, startQueryServer } from './queryServer.ts';

export const D1 = 'S-1-5-21-1';
export const D2 = 'S-1-5-21-2';
const base = (kind: number): number[] => [NodeKind.Base, kind];
const node = (
  id: string,
  kind: number,
  name: string,
  environment: string | undefined = D1,
  props = {},
): TestNode => ({
  id,
  kinds: base(kind),
  name,
  environment,
  props,
});

export const CA = '0E4C5C1F-0000-4000-8000-000000000001';

export const nodes: readonly TestNode[] = [
  node(D1, NodeKind.Domain, 'ONE.LOCAL'),
  node(D2, NodeKind.Domain, 'TWO.LOCAL', D2),
  node(CA, NodeKind.AIACA, 'CA@ONE.LOCAL'),
  node(`${D1}-512`, NodeKind.Group, 'DOMAIN ADMINS@ONE.LOCAL'),
  node(`${D1}-1101`, NodeKind.User, 'ALICE@ONE.LOCAL', D1, {
    displayname: 'Alice',
    distinguishedname: 'CN=ALICE,DC=ONE,DC=LOCAL',
    userpassword: 'hunter2',
    unixpassword: '',
  }),
  node(`${D1}-1102`, NodeKind.User, 'BOB@ONE.LOCAL'),
  node(`${D2}-1101`, NodeKind.User, 'ALICE@TWO.LOCAL', D2),
  node(`${D1}-1201`, NodeKind.Computer, 'PC@ONE.LOCAL'),
  { id: 'AZ-1', kinds: [NodeKind.AZBase, NodeKind.AZUser], name: 'ALICE@CLOUD' },
];

const edges: readonly TestEdge[] = [
  [`${D1}-512`, EdgeKind.GenericAll, CA, 1 | 16],
  [`${D1}-1101`, EdgeKind.MemberOf, `${D1}-512`],
  [`${D1}-1102`, EdgeKind.MemberOf, `${D1}-512`],
  [`${D2}-1101`, EdgeKind.MemberOf, `${D1}-512`],
  [`${D1}-512`, EdgeKind.AdminTo, `${D1}-1201`, 32],
  [`${D1}-1201`, EdgeKind.HasSession, `${D1}-1102`],
  [`${D1}-1102`, EdgeKind.GetChanges, D1],
  ['AZ-1', EdgeKind.SyncedToADUser, `${D1}-1101`],
];

/** The caller `limited` may see only the first domain. */
export function startSmallWorld(rules: RulesMode = 'clean'): Promise<QueryServer> {
  const world = graphOf({ nodes, edges });
  const marks = noMarks(world.graph.nodeCount);
  setMark(marks, 'tierZero', world.node(`${D1}-512`));
  const generation = generationOf(world.graph, { marks, environments: [D2, D1] });
  return startQueryServer(generation, literalProperties(world), { rules, limited: { limited: [D1] } });
}

/** @returns object ids in a page */
export function idsOf(reply: {
  readonly body: { readonly data: readonly { objectID: string }[] };
}): string[] {
  return reply.body.data.map((entry) => entry.objectID);
}

/** @returns the `data` of all nodes in a flat graph map */
export function shownNodes(
  graph: Readonly<Record<string, { readonly data: Readonly<Record<string, unknown>> }>>,
): Readonly<Record<string, unknown>>[] {
  return Object.entries(graph)
    .filter(([key]) => !key.startsWith('rel_'))
    .map(([, value]) => value.data);
}
