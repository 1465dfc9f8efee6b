import { fileText, generateForest } from '@clew/synthetic';
import { edgesOf } from '@clew/synthetic/testing';
import { describe, expect, it } from 'vitest';
import { readCollection, sourceFromBytes } from './index.ts';

describe('a synthetic forest', () => {
  it.each([
    { users: 200, seed: 1 },
    { users: 200, seed: 2 },
    // A forest without CAs, one with many, registries that were not collected, relay, local group policies.
    { users: 400, seed: 2, shape: 3 },
    { users: 400, seed: 3, shape: 3, domains: 6 },
    { users: 400, seed: 10, shape: 3, domains: 9 },
  ] as const)('is read without a complaint to the edges that a naive reading finds (%o)', async (options) => {
    const read = new Set<string>();
    const expected = new Set<string>();
    for (const file of generateForest(options).files) {
      for (const object of file.objects()) for (const edge of edgesOf(file.type, object)) expected.add(edge);
      const bytes = Buffer.from([...fileText(file)].join(''));
      const reading = readCollection(sourceFromBytes(file.name, bytes));
      for await (const batch of reading) {
        for (const { edgeSets, issues } of batch) {
          expect(issues).toEqual([]);
          for (const { edges } of edgeSets) {
            for (const { startId, kind, endId } of edges) read.add(`${startId}|${kind}|${endId}`);
          }
        }
      }
      expect(reading.report.fault).toBeUndefined();
    }
    expect(read.size).toBeGreaterThan(3000);
    expect([...read].sort()).toEqual([...expected].sort());
  });
});
