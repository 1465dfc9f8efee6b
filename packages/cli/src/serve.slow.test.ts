/** Tests how `clew serve` starts with settings that it cannot use, and what it logs when it stops. */
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { runClew, startServe } from '@clew/service/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

let directory: string;
let variables: Readonly<Record<string, string>>;
const used = createServer();

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'clew-serve-'));
  await new Promise<void>((listening) => used.listen(0, '127.0.0.1', listening));
  variables = { CLEW_DATA_DIR: join(directory, 'data'), CLEW_HOST: '127.0.0.1', CLEW_PORT: '0' };
});
afterAll(async () => {
  used.close();
  await rm(directory, { recursive: true });
});

describe('clew serve', () => {
  test('ends with the status after which the unit starts no service again, for invalid settings', async () => {
    const { code, stderr } = await runClew(['serve'], {
      variables: { ...variables, CLEW_PORT: 'many', CLEW_HOTS: '127.0.0.1' },
    });
    expect(stderr.split('\n')).toEqual([
      'clew: CLEW_HOTS is set, but is not a setting of Clew; did you mean CLEW_HOST?',
      expect.stringMatching(/^clew: CLEW_PORT /),
      'clew: the configuration is invalid; see above',
      '',
    ]);
    const unit = await readFile(resolve(import.meta.dirname, '../../../deploy/clew.service'), 'utf8');
    const [, prevented] = /^RestartPreventExitStatus=(.*)$/m.exec(unit) ?? [];
    expect([code, prevented]).toEqual([2, '2']);
    expect(unit).toMatch(/^Restart=on-failure$/m);
  });

  test('reports used ports and a missing directory of backups together, before it creates a database', async () => {
    const port = String((used.address() as AddressInfo).port);
    const missing = join(directory, 'backups');
    const { code, stderr } = await runClew(['serve'], {
      variables: { ...variables, CLEW_PORT: port, CLEW_BOLT_PORT: port, CLEW_BACKUP_DIR: missing },
    });
    expect(stderr.split('\n')).toEqual([
      `clew: CLEW_PORT ${port} of 127.0.0.1 is used by another program`,
      `clew: CLEW_BOLT_PORT ${port} of 127.0.0.1 is used by another program`,
      `clew: CLEW_BACKUP_DIR ${missing} does not exist: create it first`,
      'clew: the configuration is invalid; see above',
      '',
    ]);
    expect(code).toBe(2);
    expect(existsSync(join(directory, 'data/postgres'))).toBe(false);
  });

  test.each([
    ['SIGTERM', 'at the first start'],
    ['SIGINT', 'later, also without the directory of backups'],
  ] as const)('logs the begin and the end of a stop by %s, %s', async (signal, start) => {
    const isLater = start.startsWith('later');
    const backups = { CLEW_BACKUP_DIR: join(directory, 'backups') };
    const service = await startServe(join(directory, 'data'), {
      ...{ CLEW_LOG_LEVEL: 'info' },
      ...(isLater && backups),
    });
    const warned = service.output().includes('no backups are possible: CLEW_BACKUP_DIR does not exist');
    expect(warned).toBe(isLater);
    expect(await service.stop(signal)).toBe(0);
    const lines = service
      .output()
      .split('\n')
      .filter((line) => line.startsWith('{'));
    const logged = lines
      .map((line) => JSON.parse(line))
      .map(({ level, msg, reason }) => ({ level, msg, reason }));
    expect(logged.filter(({ msg }) => msg === 'stopping' || msg === 'stopped')).toEqual([
      { level: 'info', msg: 'stopping', reason: `interrupted by ${signal}` },
      { level: 'info', msg: 'stopped', reason: undefined },
    ]);
    expect(logged.at(-1)?.msg).toBe('stopped');
  });
});
