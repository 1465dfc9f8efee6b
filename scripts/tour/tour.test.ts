import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { filesBetween, readImportGraph } from './importGraph.ts';
import { JOURNEYS } from './journeys.ts';
import { tourPage } from './tourPage.ts';

const ROOT = join(import.meta.dirname, '../..');

describe('the tour', () => {
  it('has three journeys whose stops exist and lead to each other', () => {
    expect(JOURNEYS).toHaveLength(3);
    const page = tourPage(ROOT);
    for (const { title } of JOURNEYS) expect(page).toContain(`## ${title}`);
  });

  const stop = (file: string, symbol: string) => ({ file, symbol, says: 'is a stop' });
  const start = stop('service/src/main.ts', 'startService');

  it.each([
    [
      'a name that its file does not export',
      [stop('service/src/main.ts', 'stopService')],
      /does not export stopService/,
    ],
    ['a way against the imports', [stop('model/src/nodeKinds.ts', 'NODE_KINDS'), start], /no import leads/],
    [
      'an earlier stop that does not exist',
      [start, { ...start, from: 'nowhere' }],
      /no stop before startService is nowhere/,
    ],
  ])('rejects %s', (_, stops, message) => {
    expect(() => tourPage(ROOT, [{ title: 'x', stops }])).toThrow(message);
  });

  it('follows values, not types, across packages', () => {
    const graph = readImportGraph(ROOT);
    const main = 'packages/service/src/main.ts';
    expect(graph.get(main)).toContain('packages/intake/src/handlers.ts');
    expect(filesBetween(graph, main, 'packages/server/src/http/server.ts')).toEqual([
      'packages/server/src/index.ts',
    ]);
    expect(filesBetween(graph, main, 'packages/analysis/src/analyze.ts')?.length).toBeGreaterThan(1);
    expect(filesBetween(graph, 'packages/model/src/nodeKinds.ts', main)).toBeUndefined();
  });
});

describe('commands', () => {
  const graph = readImportGraph(ROOT);
  const PROGRAM = 'packages/cli/src/program/program.ts';

  it.each(['service', 'store', 'analysis'])('load %s only when they run', (name) => {
    expect(filesBetween(graph, PROGRAM, `packages/${name}/src/index.ts`)).toBeUndefined();
  });

  it('load commands', () => {
    expect(filesBetween(graph, PROGRAM, 'packages/client/src/index.ts')).toBeDefined();
  });
});
