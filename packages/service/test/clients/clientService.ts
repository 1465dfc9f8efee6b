/** A service for recorded requests: with Bolt, a generated forest and tenant, a session, and an API token of the administrator. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { generateForest, generateTenant, writeForestZip, writeZip } from '@clew/synthetic';
import type { RunningService } from '../../src/main.ts';
import { startWithoutPlans } from '../startTested.ts';

const PASSWORD = 'Correct-Horse-1';
/** The shape used for the recorded answers. */
const OPTIONS = { users: 150, seed: 11, shape: 1 } as const;
const READ_WITHIN_MS = 100_000;

// biome-ignore lint/suspicious/noExplicitAny: answers are held to their contracts by the service itself.
type Json = any;

export interface ClientService {
  readonly url: string;
  readonly boltUrl: string;
  readonly session: string;
  readonly token: { readonly id: string; readonly key: string };
  stop(): Promise<void>;
}

export async function startClientService(): Promise<ClientService> {
  const directory = await mkdtemp(join(tmpdir(), 'clew-clients-'));
  const service = await startWithoutPlans(join(directory, 'data'), PASSWORD, { CLEW_BOLT_PORT: '0' });
  const stop = async () => {
    await service.stop();
    await rm(directory, { recursive: true });
  };
  try {
    return { ...(await fill(service, directory)), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function fill(service: RunningService, directory: string): Promise<Omit<ClientService, 'stop'>> {
  const { url, boltUrl = '' } = service;
  let session: string | undefined;
  const json = async (method: string, path: string, body?: object): Promise<Json> => {
    const answer = await fetch(`${url}/api/v2/${path}`, {
      method,
      headers: {
        'content-type': 'application/json',
        ...(session !== undefined && { authorization: `Bearer ${session}` }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    return text === '' ? undefined : JSON.parse(text).data;
  };
  const login = { login_method: 'secret', username: 'admin', secret: PASSWORD };
  const token: string = (await json('POST', 'login', login)).session_token;
  session = token;
  const key = await json('POST', 'tokens', { token_name: 'connector' });
  const archives = [join(directory, 'forest.zip'), join(directory, 'tenant.zip')] as const;
  await writeForestZip(generateForest(OPTIONS), archives[0]);
  await writeZip([generateTenant(OPTIONS).file], archives[1], () => {});
  const { id } = await json('POST', 'file-upload/start');
  for (const archive of archives)
    await fetch(`${url}/api/v2/file-upload/${id}`, {
      method: 'POST',
      headers: { 'content-type': 'application/zip', authorization: `Bearer ${token}` },
      body: new Uint8Array(await readFile(archive)),
    });
  await json('POST', `file-upload/${id}/end`);
  const until = Date.now() + READ_WITHIN_MS;
  while (![2, 5, 8].includes((await json('GET', `file-upload?id=eq:${id}`))[0].status)) {
    if (Date.now() > until) throw new Error('the organization was not read in time');
    await sleep(200);
  }
  return { url, boltUrl, session: token, token: key };
}
