/** Tests advice: each rule at its limit, and with the facts of a real machine and database. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '@clew/common';
import { silentLog, startTestDatabase } from '@clew/store/testing';
import { describe, expect, it } from 'vitest';
import { adviceFor, type DatabaseSettings, type Surroundings } from './advice.ts';
import { diagnose } from './doctor.ts';
import { readSurroundings } from './surroundings.ts';

const GIB = 2 ** 30;
const WELL: Surroundings = {
  ...{ answersUsers: true, host: '127.0.0.1', isProxied: false, publicUrl: undefined },
  ...{ disk: { directory: '/data', freeBytes: 50 * GIB }, memoryBytes: 8 * GIB, objects: 1_000_000 },
  ...{ hugePages: 'madvise', clockAhead: 0.2, database: undefined },
};
const DATABASE: DatabaseSettings = {
  ...{ fsync: true, synchronousCommit: 'on', fullPageWrites: true, autovacuum: true },
  ...{ sharedBuffersBytes: 128 * 2 ** 20, connections: 97, ownConnections: 40 },
};
const about = (found: Partial<Surroundings>) => adviceFor({ ...WELL, ...found }).map((one) => one.about);

describe('advice', () => {
  it('is not given without problems', () => {
    expect(about({})).toEqual([]);
    expect(about({ database: DATABASE })).toEqual([]);
    expect(about({ database: { ...DATABASE, synchronousCommit: 'remote_apply' } })).toEqual([]);
  });

  it.each<[found: Partial<Surroundings>, isAdvised: boolean]>([
    [{ host: '0.0.0.0' }, true],
    [{ host: '10.1.2.3' }, true],
    [{ host: '::' }, true],
    [{ host: '::1' }, false],
    [{ host: '0.0.0.0', answersUsers: false }, false],
    [{ host: '127.0.0.1', publicUrl: 'http://[::1]:8080' }, false],
    [{ host: 'localhost' }, false],
    [{ host: '0.0.0.0', isProxied: true, publicUrl: 'https://clew.example' }, false],
    [{ host: '127.0.0.1', isProxied: true, publicUrl: 'http://clew.example' }, true],
    [{ host: '127.0.0.1', publicUrl: 'http://127.0.0.1:8080' }, false],
  ])('about TLS for %o: %s', (found, isAdvised) => {
    expect(about(found)).toEqual(isAdvised ? ['tls'] : []);
  });

  it.each<[found: Partial<Surroundings>, text: RegExp]>([
    [
      { disk: { directory: '/data', freeBytes: 4.9 * GIB } },
      /^Only 4\.9 GiB are free on the disk of \/data\./,
    ],
    [{ memoryBytes: 2 * GIB }, /has 2\.0 GiB of memory, but a graph of 1000000 objects needs 3\.0 GiB/],
    [{ hugePages: 'never' }, /Large memory pages are off/],
    [{ clockAhead: 6 }, /clock of the database is 6 s ahead of the clock of this machine/],
    [{ clockAhead: -60 }, /clock of the database is 60 s behind the clock of this machine/],
    [{ database: { ...DATABASE, fsync: false } }, /^fsync of PostgreSQL is off/],
    [
      { database: { ...DATABASE, fsync: false, fullPageWrites: false } },
      /^fsync and full_page_writes of PostgreSQL are off/,
    ],
    [{ database: { ...DATABASE, synchronousCommit: 'off' } }, /acknowledged uploads are lost/],
    [{ database: { ...DATABASE, autovacuum: false } }, /autovacuum/],
    [{ database: { ...DATABASE, sharedBuffersBytes: 64 * 2 ** 20 } }, /shared_buffers/],
    [
      { database: { ...DATABASE, connections: 69 } },
      /allows this user 69 connections, and the service uses 40/,
    ],
  ])('is given for %o as text', (found, text) => {
    const advice = adviceFor({ ...WELL, ...found });
    expect(advice.map((one) => one.text)).toEqual([expect.stringMatching(text)]);
    expect(advice[0]?.text).toMatch(/\.$/);
  });

  it('requires little for a small graph', () => {
    expect(about({ objects: 10_000, memoryBytes: GIB, hugePages: 'never' })).toEqual([]);
    expect(about({ hugePages: undefined, disk: undefined })).toEqual([]);
  });

  it('uses the facts of this machine and of a real PostgreSQL', async () => {
    const database = await startTestDatabase();
    const directory = mkdtempSync(join(tmpdir(), 'clew-advice-'));
    try {
      const { user, password, host, port, database: name } = database.connection;
      const [owner, secret, place] = [user, password, host].map((text) => encodeURIComponent(String(text)));
      const url = `postgres://${owner}:${secret}@/${name}?host=${place}&port=${port}`;
      const config = readConfig({ CLEW_DATABASE_URL: url, CLEW_DATA_DIR: directory, CLEW_HOST: '0.0.0.0' });
      const found = await readSurroundings(config, database.pool);
      expect(found).toMatchObject({ host: '0.0.0.0', isProxied: false, objects: 0, disk: { directory } });
      expect(found.disk?.freeBytes).toBeGreaterThan(0);
      expect(found.memoryBytes).toBeGreaterThan(GIB / 8);
      expect(Math.abs(found.clockAhead)).toBeLessThan(2);
      const { rows } = await database.pool.query<{ on: boolean; commit: string }>(
        "select current_setting('autovacuum') = 'on' as on, current_setting('synchronous_commit') as commit",
      );
      expect(found.database).toMatchObject({ autovacuum: rows[0].on, synchronousCommit: rows[0].commit });
      expect(found.database?.connections).toBeGreaterThan(3);
      expect(found.database?.ownConnections).toBeGreaterThan(0);
      expect(found.database?.sharedBuffersBytes).toBeGreaterThan(2 ** 20);
      expect((await diagnose(config, silentLog)).map((one) => one.about)).toContain('tls');
    } finally {
      await database.close();
      rmSync(directory, { recursive: true, force: true });
    }
  });

  it('needs a database that a service has used', async () => {
    const database = await startTestDatabase({ migrated: false });
    try {
      const { user, password, host, port, database: name } = database.connection;
      const [owner, secret, place] = [user, password, host].map((text) => encodeURIComponent(String(text)));
      const url = `postgres://${owner}:${secret}@/${name}?host=${place}&port=${port}`;
      await expect(diagnose(readConfig({ CLEW_DATABASE_URL: url }), silentLog)).rejects.toThrow(
        'no service was ever started with this database',
      );
    } finally {
      await database.close();
    }
  });
});
