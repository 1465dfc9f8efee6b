import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { apiError } from './apiError.ts';
import { toApiError } from './errorAnswer.ts';

describe('an error on its way to the client', () => {
  test('stays unchanged if it is from the catalog', () => {
    const error = apiError('pathNotFound');
    expect(toApiError(error)).toBe(error);
  });

  test('asks for a retry if the database refuses connections', async () => {
    const client = new pg.Client({ host: '127.0.0.1', port: await closedPort() });
    const error = await client.connect().catch((reason: unknown) => reason);
    expect(toApiError(error)).toMatchObject({ status: 503, headers: { 'Retry-After': '2' } });
  });

  test('does not blame the database for a missing file', async () => {
    const error = await readFile('/no/such/file').catch((reason: unknown) => reason);
    expect(toApiError(error).status).toBe(500);
  });

  test('reveals nothing about an unexpected error', () => {
    expect(toApiError(new TypeError('the secret is hunter2'))).toMatchObject({
      status: 500,
      message: expect.not.stringContaining('hunter2'),
    });
  });
});

async function closedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}
