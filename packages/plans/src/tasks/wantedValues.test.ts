import { AnalysisContext, defaultOptions } from '@clew/analysis';
import type { JsonObject } from '@clew/graph';
import { graphOf } from '@clew/graph/testing';
import { NodeKind } from '@clew/model';
import type { AnalyzedWorld } from '@clew/planning';
import { expect, it } from 'vitest';
import { isWanted, readValue } from './wantedValues.ts';

it('accepts only the wanted value, in any order, and for masks the cleared bits', () => {
  const quota = { key: 'machineaccountquota', old: 10, wanted: 0 };
  expect([10, 0, 20, null, false].map((value) => isWanted(value, quota))).toEqual([
    ...[false, true, false, false, false],
  ]);
  const list = { key: 'approvers', old: ['a', 'b', 'c'], wanted: ['a', 'b'] };
  expect(
    [['b', 'a'], ['a'], ['a', 'b', 'd'], [], null, ['a', 'c'], ['c', 'd'], 'c'].map((value) =>
      isWanted(value, list),
    ),
  ).toEqual([...[true, true, true, true, true, false, false, false]]);
  const longer = { key: 'approvers', old: ['a'], wanted: ['b'] };
  expect([['b'], ['b', 'c'], ['a', 'b'], [], null].map((value) => isWanted(value, longer))).toEqual([
    ...[true, true, false, false, false],
  ]);
  const mask = { key: 'certificatemappingmethodsraw', old: 0x1f, wanted: 0x1b };
  expect([0x1b, 0x18, 0x3b, -1, 0x1f, 0x4, -2, null].map((value) => isWanted(value, mask))).toEqual([
    ...[true, true, true, true, false, false, false, false],
  ]);
});

it('accepts other disabled extensions of an authority, also in plans that want none', () => {
  const [security, other] = ['1.3.6.1.4.1.311.25.2', '1.2.3'];
  for (const wanted of [[other], []]) {
    const extensions = { key: 'disabledextensions', old: [security, other], wanted };
    expect(
      [[other], [], null, [other, '1.2.4'], [security]].map((value) => isWanted(value, extensions)),
    ).toEqual([...[true, true, true, true, false]]);
  }
});

it('tells an empty list from one that the collector could not read', () => {
  const values: readonly JsonObject[] = [
    { disabledextensionscollected: true },
    { disabledextensionscollected: false },
    {},
    { disabledextensionscollected: false, disabledextensions: ['1.2.3'] },
  ];
  const test = graphOf({
    nodes: values.map((props, at) => ({
      ...{ id: `CA${at}`, name: '', kinds: [NodeKind.Base, NodeKind.EnterpriseCA], props },
    })),
    edges: [],
  });
  const context = new AnalysisContext({ ...test, options: defaultOptions() });
  const read = (key: string) =>
    values.map((_, at) => readValue({ context } as AnalyzedWorld, test.node(`CA${at}`), key));
  expect(read('disabledextensions')).toEqual([null, undefined, undefined, ['1.2.3']]);
  expect(read('machineaccountquota')).toEqual([null, null, null, null]);
});
