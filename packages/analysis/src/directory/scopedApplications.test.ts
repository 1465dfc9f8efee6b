import { graphOf } from '@clew/graph/testing';
import { EdgeKind, edgeKindById, NodeKind } from '@clew/model';
import { expect, it } from 'vitest';
import { AnalysisContext } from '../analysisContext.ts';
import { defaultOptions } from '../analyze.ts';
import { scopedApplicationRoles } from './scopedApplications.ts';

it('leads an administrator of one application to the application that is meant', () => {
  const { graph, properties, edgeProperties, ids } = graphOf({
    nodes: [
      { id: 'ADMIN', kinds: [NodeKind.AZBase, NodeKind.AZUser] },
      { id: 'BOTH', kinds: [NodeKind.AZBase, NodeKind.AZUser] },
      { id: 'CLIENT', kinds: [NodeKind.AZBase, NodeKind.AZApp], props: { applicationobjectid: 'OBJECT' } },
      { id: 'OTHER', kinds: [NodeKind.AZBase, NodeKind.AZApp], props: { applicationobjectid: 'ELSEWHERE' } },
      { id: 'OBJECT', kinds: [NodeKind.AZBase] },
      { id: 'UNKNOWN', kinds: [NodeKind.AZBase] },
    ],
    edges: [
      ['ADMIN', EdgeKind.AZAppAdmin, 'OBJECT'],
      ['ADMIN', EdgeKind.AZCloudAppAdmin, 'OBJECT'],
      ['ADMIN', EdgeKind.AZAppAdmin, 'UNKNOWN'],
      ['BOTH', EdgeKind.AZAppAdmin, 'OBJECT'],
      ['BOTH', EdgeKind.AZAppAdmin, 'CLIENT'],
    ],
  });
  const context = new AnalysisContext({ graph, properties, edgeProperties, options: defaultOptions() });
  const found = scopedApplicationRoles(context).map(({ start, kind, end }) => [
    ...ids([start, end]),
    edgeKindById(kind)?.name,
  ]);
  expect(found).toEqual([
    ['ADMIN', 'CLIENT', 'AZAppAdmin'],
    ['ADMIN', 'CLIENT', 'AZCloudAppAdmin'],
  ]);
});
