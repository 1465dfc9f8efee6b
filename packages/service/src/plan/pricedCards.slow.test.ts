/** Cards with their reasons through the real service, of a forest made by hand: why this, why not that, questions and their answers. */
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { ServiceUnderTest } from '../testing/serviceUnderTest.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers are checked against their schemas by the service under test.
type Json = any;

let test: ServiceUnderTest;

const planned = async (query = ''): Promise<Json> => {
  await vi.waitUntil(async () => (await test.call('GET', `plan${query}`)).json.data?.computing === null, {
    timeout: 120_000,
  });
  return test.data('GET', `plan${query}`);
};

beforeAll(async () => {
  test = await ServiceUnderTest.start();
  const { id } = (await test.call('POST', 'file-upload/start')).json.data;
  await fetch(`${test.service.url}/api/v2/file-upload/${id}`, {
    method: 'POST',
    headers: { authorization: test.authorization, 'content-type': 'application/zip' },
    body: await readFile(new URL('./fixtures/hand.zip', import.meta.url)),
  });
  await test.call('POST', `file-upload/${id}/end`);
  const status = async () => (await test.data('GET', `file-upload?id=eq:${id}`))[0].status;
  await vi.waitUntil(async () => [2, 5, 8].includes(await status()), { timeout: 120_000, interval: 100 });
}, 240_000);
afterAll(() => test.stop());

it('says of each change why, who uses what it takes, and what would do the same', async () => {
  const { cards, decisions, end } = await planned();
  const packages: Json[] = cards.flatMap((card: Json) => card.packages);
  const group = packages.find(({ title }) =>
    title.startsWith('Remove DOMAIN USERS@HAND.TEST from T0_SERVER_ADMINS'),
  );
  expect(group).toMatchObject({
    ...{ cost: 1, is_kept: false, why: 'Nearly everyone is in DOMAIN USERS@HAND.TEST.' },
    prices: [{ reason: 'intruder', work: 1, breaks: 0, change_count: 1 }],
    uses: { active_count: expect.any(Number), text: expect.stringMatching(/^\d+ of those who lose access/) },
  });
  expect(group.not_this.map(({ text }: Json) => text)).toContainEqual(
    expect.stringMatching(
      /^Not: remove T0_SERVER_ADMINS@HAND.TEST from .+: T0_SERVER_ADMINS@HAND.TEST administers 1 of/,
    ),
  );
  expect(group.not_this[0].packages[0]).toMatchObject({
    is_kept: true,
    references: [{ kind: 'remove-local-member' }],
  });
  expect(packages.flatMap(({ title }) => title).filter((title) => /Remote Desktop/.test(title))).toEqual([]);
  expect({ reason: end.reason, decisions }).toEqual({ reason: 'goal', decisions: [] });
});

it('keeps answers to its questions, and plans with them', async () => {
  const before = await planned('?goal=0&limit=50');
  const asked: Json = before.cards
    .flatMap((card: Json) => card.packages)
    .find(({ questions }: Json) => questions.length > 0);
  const [question] = asked.questions;
  expect(question).toMatchObject({
    question: expect.stringMatching(/\?$/),
    unneeded: { cost: expect.any(Number) },
  });
  const body = { subject: 'unneeded', repairs: question.references, reason: 'no one has used it for a year' };
  const made = await test.call('POST', 'plan/constraints', body);
  expect([made.status, made.json.data.subject]).toEqual([201, 'unneeded']);
  const after = await planned('?goal=0&limit=50');
  const answered: Json = after.cards
    .flatMap((card: Json) => card.packages)
    .find(({ key }: Json) => key === asked.key);
  expect(answered).toMatchObject({
    why: 'Someone answered that no one needs it.',
    cost: question.unneeded.cost,
  });
  expect(answered.questions).toEqual([]);
  expect(after.excluded).toMatchObject({ constraints: [{ subject: 'unneeded' }] });
  await test.call('DELETE', `plan/constraints/${made.json.data.id}`);
});

it('refuses an answer that names no changes', async () => {
  const refused = await test.call('POST', 'plan/constraints', {
    subject: 'unneeded',
    object_id: 'X',
    reason: 'r',
  });
  expect([refused.status, refused.json.errors[0].message]).toEqual([
    400,
    expect.stringContaining('a constraint of unneeded has repairs, and nothing else'),
  ]);
});
