/**
 * Marks of changes that end sessions, in the real service: a session that no collection sees again does not contradict a mark.
 */

import { changeRecords, editableFile } from '@clew/planning/testing';
import { ServiceUnderTest, uploadEdited } from '@clew/service/testing';
import { generateForest } from '@clew/synthetic';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';

// biome-ignore lint/suspicious/noExplicitAny: answers are checked against their schemas by the service under test.
type Json = any;

const SESSION_KINDS = ['keep-off', 'separate-logons'];

let test: ServiceUnderTest;

beforeAll(async () => {
  test = await ServiceUnderTest.start({ CLEW_LOGON_SESSION_DAYS: '3' });
});
afterAll(() => test.stop());

it('waits while no collection sees the sessions, says until when, and is contradicted by one that does', async () => {
  const files = () => generateForest({ users: 25, seed: 11 }).files.map(editableFile);
  await uploadEdited(test, files());
  const planned = async () => (await test.call('GET', 'plan?limit=50')).json.data;
  await vi.waitUntil(async () => (await planned()).computing === null, { timeout: 120_000 });
  const card = (await planned()).cards.find(({ packages }: Json) =>
    packages.some(({ references }: Json) =>
      references.some(({ kind }: Json) => SESSION_KINDS.includes(kind)),
    ),
  );
  const started = await test.call('POST', 'plans/adopt', { name: 'sessions', cards: [card.key] });
  expect(started.status).toBe(201);
  const { id } = started.json.data;
  const read = () => test.data('GET', `plans/adopted/${id}`);
  const adopted: Json = (await test.database.db
    .selectFrom('saved_plan')
    .select('adoption')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()) as Json;
  const facts: Json[] = adopted.adoption.packages.flatMap(({ changes }: Json) => changes);
  const at = facts.findIndex(
    ({ removed, properties }) =>
      properties.length === 0 && removed.every(({ kind }: Json) => kind === 'HasSession'),
  );
  await test.call('POST', `plans/${id}/marks`, { changes: [at + 1], done: true });
  const marked = async () => (await read()).changes[at].marked;
  expect(await marked()).toMatchObject({ evidence: 'waiting', waits_for: null });

  const without = files();
  changeRecords(without, { removed: facts[at].removed, properties: [] });
  await uploadEdited(test, without, '\n');
  const byHand = 'not seen in the last collection; uploaded manually, so it has no end date';
  await vi.waitFor(async () => expect(await marked()).toMatchObject({ waits_for: byHand }), {
    timeout: 100_000,
  });
  expect((await marked()).evidence).toBe('waiting');
  const { rows } = await test.database.pool.query(
    'update sample_edge set by_schedule = true returning last_seen as at',
  );
  expect(rows.length).toBeGreaterThan(0);
  const { evidence, waits_for } = await marked();
  expect(evidence).toBe('waiting');
  expect(waits_for).toMatch(/^not seen in the last collection; counts as ended on \d{4}-\d\d-\d\d$/);
  const end = Date.parse(waits_for.slice(-10));
  expect(Math.round((end - Date.now()) / 86_400_000)).toBeGreaterThanOrEqual(2);
  expect(end - Date.now()).toBeLessThan(3 * 86_400_000);

  await uploadEdited(test, files(), '\n\n');
  await vi.waitFor(async () => expect((await marked()).evidence).toBe('contradicted'), { timeout: 100_000 });
  expect((await read()).text).toContain('1 marked as done, but a later collection does not show it');
});
