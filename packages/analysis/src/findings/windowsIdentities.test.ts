import { graphOf } from '@clew/graph/testing';
import { NodeKind } from '@clew/model';
import { expect, it } from 'vitest';
import { AnalysisContext } from '../analysisContext.ts';
import { defaultOptions } from '../analyze.ts';
import { environments } from './environments.ts';
import { isWindowsIdentity } from './windowsIdentities.ts';

it.each([
  ...['GHOST.CORP-S-1-5-18', 'GHOST.CORP-S-1-5-19', 'GHOST.CORP-S-1-5-20', 'GHOST.CORP-S-1-5-17', 'S-1-5-18'],
  ...['GHOST.CORP-S-1-5-80-956008885-3418522649', 'S-1-5-82-271721585-897601226', 'S-1-5-83-1-2-3-4'],
  ...['GHOST.CORP-S-1-1-0', 'GHOST.CORP-S-1-5-7', 'S-1-3-4', 'S-1-15-2-1'],
])('%s is an identity of Windows', (id) => {
  expect(isWindowsIdentity(id)).toBe(true);
});

it.each([
  ...['S-1-5-21-1-2-3-500', 'S-1-5-21-1-2-3-1104', 'S-1-12-1-1111-2222-3333-4444'],
  ...['4BE0F0A1-0000-4000-8000-000000000001', '00u00000001gate', 'user-S-1', ''],
])('%s is none', (id) => {
  expect(isWindowsIdentity(id)).toBe(false);
});

it('is not counted among the principals of a domain, where a collector describes it as a user', () => {
  const sid = 'S-1-5-21-1-2-3';
  const node = (id: string, kind: number) => ({
    ...{ id, name: id, props: { domainsid: sid }, environment: sid },
    kinds: [NodeKind.Base, kind],
  });
  const test = graphOf({
    nodes: [
      node(sid, NodeKind.Domain),
      ...[`${sid}-1104`, 'GHOST.CORP-S-1-5-20', 'GHOST.CORP-S-1-5-17', 'S-1-12-1-1-2-3-4'].map((id) =>
        node(id, NodeKind.User),
      ),
    ],
    edges: [],
  });
  const { principals } = new AnalysisContext({ ...test, options: defaultOptions() }).use(environments);
  expect([...principals]).toEqual(
    [test.node('S-1-12-1-1-2-3-4'), test.node(`${sid}-1104`)].sort((a, b) => a - b),
  );
});
