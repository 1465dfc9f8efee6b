import type { Generation } from '@clew/generation';
import { graphOf } from '@clew/graph/testing';
import { NodeKind } from '@clew/model';
import { expect, it } from 'vitest';
import { inventoryOf } from './inventory.ts';

it('the users of a domain are without the identities of Windows, which some collectors report as users', () => {
  const sid = 'S-1-5-21-1-2-3';
  const node = (id: string, kind: number) => ({
    ...{ id, name: id, props: { domainsid: sid }, environment: sid },
    kinds: [NodeKind.Base, kind],
  });
  const { graph, node: nodeOf } = graphOf({
    nodes: [
      node(sid, NodeKind.Domain),
      ...[`${sid}-1104`, 'GHOST.CORP-S-1-5-20', 'S-1-12-1-1-2-3-4'].map((id) => node(id, NodeKind.User)),
      node(`${sid}-1001`, NodeKind.Computer),
      ...[`${sid}-512`, 'GHOST.CORP-S-1-5-32-544'].map((id) => node(id, NodeKind.Group)),
    ],
    edges: [],
  });
  const environment = { id: sid, name: sid, type: 'active-directory', node: nodeOf(sid), collected: true };
  const generation = { graph, environments: [environment] } as unknown as Generation;
  expect(inventoryOf(generation).get(sid)).toMatchObject({ users: 2, computers: 1, groups: 2 });
});
