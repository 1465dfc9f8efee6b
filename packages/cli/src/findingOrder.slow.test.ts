/** The first page of findings of whole organizations, once their plan is stored: it decides what people do. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { UnifiedFindingRow } from '@clew/api';
import { ClewClient } from '@clew/client';
import { generateForest, writeForestZip } from '@clew/synthetic';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ADMIN_PASSWORD, type ServeProcess, startServe } from './testing/serveProcess.ts';

/** Rows of a first page. */
const FIRST = 30;

describe.each([2, 3] as const)('1,000 users in shape %i', (shape) => {
  let directory: string;
  let service: ServeProcess;
  let rows: readonly UnifiedFindingRow[] = [];

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'clew-order-'));
    service = await startServe(join(directory, 'data'));
    const client = new ClewClient({ url: service.url });
    await client.login('admin', ADMIN_PASSWORD);
    const archive = join(directory, 'forest.zip');
    await writeForestZip(generateForest({ users: 1000, shape, seed: 12 }), archive);
    const { jobId } = await client.uploadFiles([archive]);
    await client.waitForJob(jobId);
    const { cards } = await client.plan({ limit: 30 });
    expect(cards.length).toBeGreaterThan(0);
    // The list is told right after the plan was stored.
    for (let wait = 0; wait < 100 && !rows.some(({ repair }) => repair !== undefined); wait++) {
      if (wait > 0) await new Promise((resolve) => setTimeout(resolve, 200));
      const query = { limit: 1000, sort_by: ['urgency'] } as never;
      rows = (await client.call('ListAttackPathFindings', { query })).data;
    }
  }, 120_000);
  afterAll(async () => {
    await service.stop();
    await rm(directory, { recursive: true, force: true });
  });

  it('is about ten different repairs at least, and no row repeats the object and the fact of another', () => {
    const first = rows.slice(0, FIRST);
    expect(first).toHaveLength(FIRST);
    expect(new Set(first.map(repairOf)).size).toBeGreaterThanOrEqual(10);
    const facts = first.map(
      ({ finding, environment_id, source_principal_id, target_principal_id }) =>
        `${finding} ${environment_id} ${source_principal_id} ${target_principal_id}`,
    );
    expect(new Set(facts).size).toBe(FIRST);
    for (const { part_of } of first) expect(part_of).toBeUndefined();
  });

  it('says of every critical and high relationship which repair closes it, or why none does', () => {
    const severe = rows.filter(
      ({ severity, finding_type }) =>
        ['critical', 'high'].includes(severity) && finding_type === 'relationship',
    );
    expect(severe.length).toBeGreaterThan(3);
    for (const { finding, closed_by, not_closed } of severe)
      expect([finding, closed_by ?? not_closed]).toEqual([
        finding,
        expect.stringMatching(/^(closed by repair \d+ of the plan: then|not closed by the plan: \S)/),
      ]);
  });
});

/** The card that closes it; else what one person changes in one go. */
const repairOf = (row: UnifiedFindingRow): string => {
  if (row.repair !== undefined) return `card ${row.repair}`;
  return row.finding_type === 'list'
    ? `${row.finding} ${row.environment_id}`
    : `${row.finding} ${row.source_principal_id}`;
};
