/** Compares counts of lists and statistics with Cypher: equal after each analysis, and reported if they differ. */
import type { Generation } from '@clew/generation';
import { FindingHarness } from '@clew/service/testing';
import { fileText, generateForest } from '@clew/synthetic';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { COUNT_CONTRADICTION, differentCounts } from './countContradictions.ts';

let harness: FindingHarness;

beforeAll(async () => {
  harness = await FindingHarness.start();
});
afterAll(() => harness?.close());

const build = (users: number): Promise<Generation> =>
  harness.build(
    ...generateForest({ users, seed: 5 }).files.map((file) => ({
      name: file.name,
      content: [...fileText(file)].join(''),
    })),
  );

async function different(generation: Generation) {
  const client = await harness.database.pool.connect();
  try {
    return await differentCounts(client, generation);
  } finally {
    client.release();
  }
}

const reported = async (): Promise<unknown> => {
  const { report } = await harness.database.db
    .selectFrom('generation')
    .select('report')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow();
  return (report as { contradictions: Record<string, number> }).contradictions[COUNT_CONTRADICTION];
};

describe('counts of lists and of Cypher', () => {
  it('are the same after an analysis of everything, and of changes', async () => {
    for (const users of [20, 30]) {
      const generation = await build(users);
      expect(generation.zones?.length).toBeGreaterThan(0);
      expect(await different(generation)).toEqual([]);
      expect(await reported()).toBe(0);
    }
  });

  it('are reported where they differ', async () => {
    const generation = await build(25);
    const { User = 0, ...nodes } = generation.collected.nodes;
    const tampered = {
      ...generation,
      collected: { ...generation.collected, nodes: { ...nodes, User: User + 2 } },
    };
    expect(await different(tampered)).toEqual([
      {
        label: 'User',
        listed: User + 2 + (generation.derived.nodes.User ?? 0),
        inCypher: User + (generation.derived.nodes.User ?? 0),
      },
    ]);
    await harness.database.pool.query(
      'delete from zone_member where (tag_id, node_id) in (select tag_id, node_id from zone_member where tag_id = 1 and tagged limit 1)',
    );
    const [zone, ...others] = await different(generation);
    expect(others).toEqual([]);
    expect(zone).toMatchObject({ label: 'Tag_Tier_Zero', listed: (zone?.inCypher ?? 0) - 1 });
  });
});
