import { graphOf } from '@clew/graph/testing';
import { EdgeKind, edgeKindById, NodeKind } from '@clew/model';
import { expect, it } from 'vitest';
import { AnalysisContext } from '../analysisContext.ts';
import { defaultOptions } from '../analyze.ts';
import { membershipsOfEverybody } from './everybody.ts';

const [TRUSTING, TRUSTED, APART] = ['S-1-5-21-1', 'S-1-5-21-2', 'S-1-5-21-3'];

it('lets users of a trusted domain claim Authenticated Users, and makes none of them a member', () => {
  const domain = (id: string) => ({
    ...{ id, kinds: [NodeKind.Base, NodeKind.Domain], props: { domainsid: id, collected: true } },
  });
  const authenticated = (name: string, domainsid: string) => ({
    ...{ id: `${name}-S-1-5-11`, kinds: [NodeKind.Base, NodeKind.Group], props: { domainsid } },
  });
  const { graph, properties, edgeProperties, ids } = graphOf({
    nodes: [
      ...[TRUSTING, TRUSTED, APART].map(domain),
      authenticated('TRUSTING', TRUSTING),
      authenticated('TRUSTED', TRUSTED),
      authenticated('APART', APART),
    ],
    edges: [[TRUSTING, EdgeKind.CrossForestTrust, TRUSTED, 0, { trusttype: 'External' }]],
  });
  const context = new AnalysisContext({ graph, properties, edgeProperties, options: defaultOptions() });
  const found = membershipsOfEverybody(context).map(({ start, kind, end }) => [
    ...ids([start]),
    edgeKindById(kind)?.name,
    ...ids([end]),
  ]);
  expect(found).toEqual([['TRUSTED-S-1-5-11', 'ClaimSpecialIdentity', 'TRUSTING-S-1-5-11']]);
});
