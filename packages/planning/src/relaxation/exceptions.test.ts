import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AnalysisContext, defaultOptions } from '@clew/analysis';
import { SID } from '@clew/analysis/testing';
import { NodeSet } from '@clew/graph';
import { graphOf, type TestEdge } from '@clew/graph/testing';
import { EdgeKind, NodeKind } from '@clew/model';
import { expect, it } from 'vitest';
import { RepairCatalog, ruleKinds } from '../repairs/repairs.ts';
import { Alternatives } from './alternatives.ts';
import { EXCEPTIONS } from './exceptions.ts';
import { StepLabels } from './stepLabels.ts';

const HOST = `${SID}-2100`;
const USER = `${SID}-1100`;
const WIDTH = 3;
const group = (layer: number, at: number): string => `${SID}-${3000 + 100 * layer + at}`;

/** A user in all groups of the first layer, each of which is in all groups of the next layer; groups of the last layer hold a right. */
function nested(layers: number) {
  const groups = Array.from({ length: layers }, (_, layer) =>
    Array.from({ length: WIDTH }, (_, at) => group(layer, at)),
  );
  const rows = [[USER], ...groups];
  const test = graphOf({
    nodes: [
      { id: SID, kinds: [NodeKind.Base, NodeKind.Domain] },
      { id: USER, kinds: [NodeKind.Base, NodeKind.User] },
      { id: HOST, kinds: [NodeKind.Base, NodeKind.Computer] },
      ...groups.flat().map((id) => ({ id, kinds: [NodeKind.Base, NodeKind.Group] })),
    ],
    edges: [
      ...groups.flatMap((row, layer) =>
        row.flatMap((id) => (rows[layer] ?? []).map((below): TestEdge => [below, EdgeKind.MemberOf, id])),
      ),
      ...(groups.at(-1) ?? []).map((id): TestEdge => [id, EdgeKind.GenericAll, HOST]),
    ],
  });
  const context = new AnalysisContext({ ...test, options: defaultOptions() });
  const none = NodeSet.empty(test.graph.nodeCount);
  const catalog = new RepairCatalog(context, ruleKinds());
  const labels = new StepLabels(context, catalog, { zone: none, groups: none, scope: 'all' });
  const alternatives = new Alternatives(context, labels);
  const held = alternatives.held({ node: test.node(HOST), kinds: ['GenericAll'], everybody: 'no' });
  const found = alternatives.of(test.node(USER), held);
  const kinds = new Set(found.flat().map((label) => catalog.repairs[label].kind));
  return { counts: labels.exceptions.counts, hasMemberships: kinds.has('remove-member') };
}

it('counts an object whose memberships are too many to follow, and takes them as permanent', () => {
  expect(nested(2)).toEqual({ counts: [], hasMemberships: true });
  expect(nested(6)).toEqual({
    counts: [{ kind: 'long-memberships', objects: 1 }],
    hasMemberships: false,
  });
});

it('has texts and a page that name the limits', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../../docs/plan.md'), 'utf8');
  for (const { limit, text } of Object.values(EXCEPTIONS)) {
    const said = `more than ${limit.toLocaleString('en-US')} `;
    expect(text).toContain(said);
    expect(page).toContain(`| ${said}`);
  }
});
