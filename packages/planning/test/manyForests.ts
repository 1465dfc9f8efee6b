/** A world of many forests with the same short path. */
import { contextOf, NOW } from '@clew/analysis/testing';
import { NodeSet } from '@clew/graph';
import { graphOf } from '@clew/graph/testing';
import { EdgeKind, NodeKind } from '@clew/model';
import { type AnalyzedWorld, worldOf } from '../src/simulation/simulate.ts';

interface Size {
  readonly forests: number;
  /** Objects without relationships. */
  readonly others?: number;
}

/** In each domain, a user can reset the password of another one, who controls a member of the zone. */
export function manyForests({ forests, others = 0 }: Size): AnalyzedWorld {
  const domains = Array.from({ length: forests }, (_, at) => `S-1-5-21-${at + 1}`);
  const users = domains.flatMap((domain) =>
    ['1', '2', '500'].map((rid) => ({ domain, id: `${domain}-${rid}` })),
  );
  const test = graphOf({
    nodes: [
      ...domains.map((id) => ({
        ...{ id, kinds: [NodeKind.Base, NodeKind.Domain], props: { domainsid: id, collected: true } },
      })),
      ...users.map(({ domain, id }) => ({
        ...{ id, kinds: [NodeKind.Base, NodeKind.User], props: { domainsid: domain } },
      })),
      ...Array.from({ length: others }, (_, at) => ({ id: `other ${at}` })),
    ],
    edges: domains.flatMap((domain) => [
      [`${domain}-1`, EdgeKind.ForceChangePassword, `${domain}-2`] as const,
      [`${domain}-2`, EdgeKind.GenericAll, `${domain}-500`] as const,
    ]),
  });
  const { nodeCount } = test.graph;
  const members = NodeSet.of(
    nodeCount,
    domains.map((domain) => test.node(`${domain}-500`)),
  );
  const zone = { id: 1, position: 1, analyzed: true, members, pending: NodeSet.empty(nodeCount) };
  return worldOf(contextOf(test), { zonesOf: () => [zone], now: NOW });
}
