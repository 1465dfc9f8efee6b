/** A service with Bolt on, a generated organization, and API tokens, for clients of Bolt. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateForest, writeForestZip } from '@clew/synthetic';
import { vi } from 'vitest';

export interface Token {
  readonly id: string;
  readonly key: string;
}

/** The part of a service under test that is used here: its package is above this one. */
interface Tested {
  readonly service: { readonly url: string };
  readonly authorization: string;
  // biome-ignore lint/suspicious/noExplicitAny: answers of many shapes.
  call(method: string, path: string, body?: object): Promise<{ readonly json: any }>;
  // biome-ignore lint/suspicious/noExplicitAny: answers of many shapes.
  data(method: string, path: string, body?: object): Promise<any>;
}

/** Uploads a forest, and waits until its analysis is complete. */
export async function fillForest(service: Tested, users: number): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'clew-bolt-'));
  const path = join(directory, 'forest.zip');
  await writeForestZip(generateForest({ users, seed: 5 }), path);
  const { id } = (await service.call('POST', 'file-upload/start')).json.data;
  await fetch(`${service.service.url}/api/v2/file-upload/${id}`, {
    method: 'POST',
    headers: { authorization: service.authorization, 'content-type': 'application/zip' },
    body: await readFile(path),
  });
  await service.call('POST', `file-upload/${id}/end`);
  await rm(directory, { recursive: true });
  const tierZero = async () => {
    const query = 'MATCH (n:Tag_Tier_Zero) RETURN count(n)';
    return (await service.data('POST', 'graphs/cypher', { query, rows: true })).rows[0][0];
  };
  await vi.waitUntil(async () => (await tierZero()) > 10, { timeout: 100_000, interval: 200 });
}

/** @param user id of its owner; the one who is signed in when absent */
export async function newToken(service: Tested, user?: string): Promise<Token> {
  const owner = user ?? (await service.data('GET', 'self')).id;
  const { id, key } = await service.data('POST', 'tokens', { user_id: owner, token_name: 'bolt' });
  return { id, key };
}
