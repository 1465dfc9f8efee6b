/** Every question that comes with the service, asked of a generated organisation. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateForest, generateTenant, writeForestZip, writeZip } from '@clew/synthetic';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { ServiceUnderTest } from '../testing/serviceUnderTest.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers of many shapes.
type Json = any;

let service: ServiceUnderTest;
let questions: { readonly key: string; readonly query: string }[];

beforeAll(async () => {
  service = await ServiceUnderTest.start();
  const directory = await mkdtemp(join(tmpdir(), 'clew-questions-'));
  const paths = ['forest.zip', 'tenant.zip'].map((name) => join(directory, name));
  await writeForestZip(generateForest({ users: 2000, seed: 5 }), paths[0]);
  await writeZip([generateTenant({ users: 2000, seed: 5 }).file], paths[1], () => {});
  const { id } = (await service.call('POST', 'file-upload/start')).json.data;
  for (const path of paths) {
    const sent = await fetch(`${service.service.url}/api/v2/file-upload/${id}`, {
      method: 'POST',
      headers: { authorization: service.authorization, 'content-type': 'application/zip' },
      body: await readFile(path),
    });
    expect(sent.status).toBe(202);
  }
  await service.call('POST', `file-upload/${id}/end`);
  await rm(directory, { recursive: true });
  await vi.waitUntil(async () => (await ask('MATCH (n:Tag_Tier_Zero) RETURN count(n)')).rows[0][0] > 20, {
    timeout: 60_000,
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

/** Of what the generated organisation has none. */
const UNANSWERED = ['paths-from-owned', 'rights-of-everyone'];

it('each can be asked, reads labels and types that exist, and finds something where there is something', async () => {
  expect(new Set(questions.map(({ key }) => key)).size).toBe(questions.length);
  const empty: string[] = [];
  const warnings: string[] = [];
  for (const { key, query } of questions) {
    const data = await ask(query);
    expect(data.rows.length).toBeLessThanOrEqual(1000);
    if (data.rows.length === 0) empty.push(key);
    warnings.push(...(data.warnings ?? []).map((warning: string) => `${key}: ${warning}`));
  }
  expect({ empty, warnings }).toEqual({ empty: UNANSWERED, warnings: [] });
});
