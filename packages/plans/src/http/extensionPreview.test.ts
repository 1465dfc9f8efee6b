/** If the effect of a definition cannot be computed in time, the answer says so and contains the rest. */

import type { RequestContext } from '@clew/common';
import { emptyGeneration, type GenerationSource } from '@clew/generation';
import { installExtension } from '@clew/intake/testing';
import { userNamed } from '@clew/server/testing';
import type { Database } from '@clew/store';
import { startTestDatabase } from '@clew/store/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Planner } from '../threads/planner.ts';
import { extensionPreview } from './extensionPreview.ts';

const DEFINITION = {
  schema: { name: 'okta', display_name: 'Okta', version: 'v1.0.0', namespace: 'Okta' },
  node_kinds: [{ name: 'Okta_User', display_name: 'User' }],
};
const source = (id: number): GenerationSource => ({
  current: () => ({ ...emptyGeneration(), id }),
  onSwap: () => () => {},
  beforeSwap: () => () => {},
});
/** Never answers. */
const busy = { run: (_: unknown, __: unknown, ___: unknown, signal: AbortSignal) => untilAborted(signal) };
const untilAborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason));
  });

let database: Database;
beforeAll(async () => {
  database = await startTestDatabase();
});
afterAll(() => database.close());

function previewed(generation: number, context: Partial<RequestContext>) {
  return database.db.transaction().execute(async (db) => {
    const preview = await extensionPreview(source(generation), busy as unknown as Planner)(db);
    await preview.installed(db, await installExtension(db, DEFINITION));
    const asker = { principal: userNamed('ann', []), signal: new AbortController().signal, ...context };
    return preview.answer({ deadline: Date.now() + 60_000, ...asker } as RequestContext);
  });
}

test('before the first analysis', async () => {
  const { effect, not_computed } = await previewed(0, {});
  expect([effect, not_computed]).toEqual([null, [expect.stringMatching(/^There is no analysis yet/)]]);
});

test('for one who may see some environments', async () => {
  const principal = { ...userNamed('ann', []), environments: new Set(['S-1-5-21-1']) };
  const { effect, not_computed } = await previewed(1, { principal } as Partial<RequestContext>);
  expect([effect, not_computed]).toEqual([null, [expect.stringMatching(/objects of all environments/)]]);
});

test('when the time of the client is over, and fails where the client has left', async () => {
  const { effect, not_computed } = await previewed(1, { deadline: Date.now() + 700 });
  expect([effect, not_computed]).toEqual([null, [expect.stringMatching(/request it again with more time/)]]);
  const signal = AbortSignal.abort(new Error('it has left'));
  await expect(previewed(1, { signal })).rejects.toThrow('it has left');
});
