/** Groups whose members Windows determines at logon: no repair removes a member, although collectors list them. */
import { AnalysisContext, defaultOptions } from '@clew/analysis';
import { graphOf } from '@clew/graph/testing';
import { EdgeKind, NodeKind } from '@clew/model';
import { expect, it } from 'vitest';
import { aboutPermanent, isPermanent } from './permanent.ts';
import { RepairCatalog, ruleKinds } from './repairs.ts';

const SID = 'S-1-5-21-1-2-3';

it.each([
  ['CORP.EXAMPLE-S-1-5-9', false],
  ['S-1-5-9', false],
  ['CORP.EXAMPLE-S-1-5-11', false],
  ['CORP.EXAMPLE-S-1-1-0', false],
  ['CORP.EXAMPLE-S-1-5-32-551', true],
  ['S-1-5-32-544', true],
  [`${SID}-512`, true],
])('a collected member of %s can be removed: %s', (group, isRemovable) => {
  const test = graphOf({
    nodes: [
      { id: `${SID}-1000`, kinds: [NodeKind.Computer], environment: SID },
      { id: group, kinds: [NodeKind.Group], environment: SID, name: 'GROUP' },
      { id: SID, kinds: [NodeKind.Domain] },
    ],
    edges: [[`${SID}-1000`, EdgeKind.MemberOf, group]],
  });
  const context = new AnalysisContext({ ...test, options: defaultOptions() });
  const edge = { start: test.node(`${SID}-1000`), kind: EdgeKind.MemberOf, end: test.node(group) };
  const catalog = new RepairCatalog(context, ruleKinds());
  expect(catalog.ofEdge(edge, 0) !== undefined).toBe(isRemovable);
  expect(catalog.isFixed(edge.kind, edge.end, 0)).toBe(!isRemovable);
  expect(isPermanent(context, edge)).toBe(!isRemovable);
  expect(aboutPermanent(context, [edge])).toEqual(
    isRemovable ? [] : [expect.stringContaining('Windows determines the membership in GROUP at logon')],
  );
});
