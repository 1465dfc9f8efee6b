/**
 * `npm run examples`: calls every operation of a service with a small synthetic organization once, and writes requests and answers as the
 * examples in the API description. Lists and maps are shortened.
 *
 * Run it after adding an operation or changing an answer: a test compares each example with its contract.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RouteContract, routes } from '@clew/api';
import { createLogger, readConfig, startService } from '@clew/service';
import {
  EXAMPLES_FILE,
  type Example,
  WITHOUT_EXAMPLE,
} from '../packages/server/src/apiReference/openapi/examples.ts';
import { PASSWORD } from './examples/bodies.ts';
import type { Sent } from './examples/known.ts';
import { Requests } from './examples/requests.ts';
import { shortened } from './examples/shortened.ts';

const SECRETS: ReadonlySet<string> = new Set([
  'session_token',
  'key',
  'totp_secret',
  'qr_code',
  'secret',
  'otp',
]);
/** `key` is also the name of a switch. */
const SECRET_LENGTH = 40;

const directory = await mkdtemp(join(tmpdir(), 'clew-examples-'));
const config = readConfig({
  CLEW_DATA_DIR: join(directory, 'data'),
  CLEW_BACKUP_DIR: directory,
  CLEW_PORT: '0',
  CLEW_ADMIN_PASSWORD: PASSWORD,
  CLEW_ADMIN_EMAIL: 'admin@example.com',
  CLEW_RATE_LIMIT: '0',
});
const service = await startService(config, { log: createLogger('warn'), checkAnswers: true });
const examples: Record<string, Example> = {};
const failed: string[] = [];
try {
  const requests = await Requests.begin(service.url, directory);
  for (const contract of inOrder(routes)) await note(contract, await requests.send(contract));
} finally {
  await service.stop();
  await rm(directory, { recursive: true });
}
const sorted = Object.fromEntries(Object.entries(examples).sort(([a], [b]) => (a < b ? -1 : 1)));
await writeFile(EXAMPLES_FILE, `${JSON.stringify(sorted, null, 1)}\n`);
process.stderr.write(`${Object.keys(sorted).length} examples written\n`);
for (const line of failed) process.stderr.write(`${line}\n`);
process.exitCode = failed.length === 0 ? 0 : 1;

async function note({ operationId, responses }: RouteContract, sent: Sent): Promise<void> {
  if (WITHOUT_EXAMPLE.has(operationId)) return;
  if (!(sent.status in responses)) {
    failed.push(`${operationId} answered ${sent.status}: ${JSON.stringify(sent.json).slice(0, 300)}`);
    return;
  }
  const { params, query, body, status, json } = sent;
  const schema = responses[sent.status];
  examples[operationId] = {
    ...(params === undefined ? {} : { params }),
    ...(query === undefined ? {} : { query }),
    ...(body === undefined ? {} : { body: withoutSecrets(body) }),
    status,
    ...(json === undefined || schema === null ? {} : { answer: withoutSecrets(shortened(json, schema)) }),
  };
}

/** Orders deletions last, from the inside out, so that earlier requests find their objects. */
function inOrder(contracts: readonly RouteContract[]): readonly RouteContract[] {
  const rank = ({ method, operationId }: RouteContract): number =>
    operationId === 'Logout'
      ? 4
      : operationId === 'DeleteClient'
        ? 3
        : method === 'DELETE'
          ? 2
          : method === 'POST'
            ? 0
            : 1;
  const depth = ({ path }: RouteContract): number => path.split('/').length;
  return contracts.toSorted((a, b) => rank(a) - rank(b) || (rank(a) === 2 ? depth(b) - depth(a) : 0));
}

function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      SECRETS.has(name) && typeof member === 'string' && (name !== 'key' || member.length > SECRET_LENGTH)
        ? '...'
        : withoutSecrets(member),
    ]),
  );
}
