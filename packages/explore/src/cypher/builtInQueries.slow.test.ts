/** Runs every built-in question on a generated organization. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ServiceUnderTest } from '@clew/service/testing';
import { generateForest, generateTenant, writeForestZip, writeZip } from '@clew/synthetic';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { ASKED_FOR, askedForInCloud, OWNED } from '../../test/cypher/askedFor.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers of many shapes.
type Json = any;

let service: ServiceUnderTest;
let questions: { readonly key: string; readonly query: string }[];

beforeAll(async () => {
  service = await ServiceUnderTest.start({}, { makesPlans: false });
  const directory = await mkdtemp(join(tmpdir(), 'clew-questions-'));
  const paths = ['forest.zip', 'tenant.zip'].map((name) => join(directory, name));
  await writeForestZip(generateForest({ users: 600, seed: 5 }), paths[0]);
  const tenant = generateTenant({ users: 600, seed: 5 });
  await writeZip([tenant.file], paths[1], () => {});
  const asked = [...ASKED_FOR, askedForInCloud(tenant.tenantId)].map((file) => JSON.stringify(file));
  await service.uploadBytes([...(await Promise.all(paths.map((path) => readFile(path)))), ...asked]);
  await rm(directory, { recursive: true });
  await vi.waitUntil(async () => (await ask('MATCH (n:Tag_Tier_Zero) RETURN count(n)')).rows[0][0] > 20, {
    timeout: 100_000,
    interval: 200,
  });
  const { tags } = await service.data('GET', 'asset-group-tags');
  const { id: owned } = tags.find(({ name }: Json) => name === 'Owned');
  const marked = await service.call('POST', `asset-group-tags/${owned}/selectors`, {
    name: 'Taken over',
    seeds: [{ type: 1, value: OWNED }],
    auto_certify: 1,
  });
  expect([marked.status, marked.status === 201 ? '' : marked.json]).toEqual([201, '']);
  await vi.waitUntil(async () => (await ask('MATCH (n:Tag_Owned) RETURN count(n)')).rows[0][0] > 0, {
    timeout: 100_000,
    interval: 200,
  });
  questions = await service.data('GET', 'graphs/cypher/questions');
});
afterAll(() => service.stop());

async function ask(query: string): Promise<Json> {
  const { status, json } = await service.call('POST', 'graphs/cypher', { query, rows: true });
  expect([query, status, status === 200 ? '' : json]).toEqual([query, 200, '']);
  return json.data;
}

it('each can be run, uses existing labels and types, and finds something', async () => {
  expect(new Set(questions.map(({ key }) => key)).size).toBe(questions.length);
  expect(questions.length).toBeGreaterThanOrEqual(90);
  const empty: string[] = [];
  const warnings: string[] = [];
  for (const { key, query } of questions) {
    const data = await ask(query);
    expect(data.rows.length).toBeLessThanOrEqual(1000);
    if (data.rows.length === 0) empty.push(key);
    warnings.push(...(data.warnings ?? []).map((warning: string) => `${key}: ${warning}`));
  }
  expect({ empty, warnings }).toEqual({ empty: [], warnings: [] });
}, 120_000);
