/** Zones and findings of real uploads: from bytes to rows, over several generations. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildGeneration } from '../generation/buildGeneration.ts';
import type { Generation } from '../generation/generation.ts';
import { buildContext } from '../generation/testing/builds.ts';
import { emptyStore } from '../ingest/testing/emptyStore.ts';
import { ingestAll, type TestUpload, upload } from '../ingest/testing/uploads.ts';
import type { Database } from '../store/database.ts';
import { startTestDatabase } from '../testing.ts';
import { availableTypes } from './findingQueries.ts';
import { emptyFindings } from './testing/emptyFindings.ts';

const SAMPLE = join(import.meta.dirname, '../../../../../shared/data/ad_sampledata.zip');

let database: Database;

beforeAll(async () => {
  database = await startTestDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  await emptyStore(database);
  await emptyFindings(database);
});

async function build(...files: TestUpload[]): Promise<Generation> {
  if (files.length > 0) {
    await upload(database, ...files);
    await ingestAll(database);
  }
  let generation: Generation | undefined;
  await buildGeneration(buildContext(database, (made) => (generation = made)));
  return generation!;
}

const findings = () => database.db.selectFrom('finding').selectAll().orderBy('id').execute();
const sortedBy = <Row extends { id: number }>(rows: readonly Row[]) => [...rows].sort((a, b) => a.id - b.id);

describe.skipIf(!existsSync(SAMPLE))('the sample collection', () => {
  const sample = () => ({ name: 'sample.zip', content: readFileSync(SAMPLE) });

  it('has findings in each of its three domains, and the same ones when it comes again', async () => {
    const generation = await build(sample());
    const first = await findings();
    for (const { id, name } of generation.environments.filter(({ collected }) => collected)) {
      const types = await availableTypes(database.db, { visible: null, environments: [id], tags: [0, 1] });
      expect([name, types.length > 5]).toEqual([name, true]);
    }
    expect(new Set(first.map(({ created_at }) => created_at)).size).toBe(1);
    // The same facts once more, and a generation for another reason.
    await upload(database, sample());
    await ingestAll(database);
    await database.pool.query('update facts_state set version = version + 1');
    expect((await build()).id).toBeGreaterThan(generation.id);
    expect(sortedBy(await findings())).toEqual(sortedBy(first));
  }, 60_000);
});
