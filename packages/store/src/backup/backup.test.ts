/** Backups of a database with rows in its tables, restored into empty ones; and files that are cut or changed. */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Database } from '../database.ts';
import { migrate } from '../migrate.ts';
import { startTestDatabase } from '../testing.ts';
import { openBackup, verifyBackup } from './readBackup.ts';
import { restoreBackup } from './restoreBackup.ts';
import { storedTables } from './storedTables.ts';
import { writeBackup } from './writeBackup.ts';

let source: Database;
let directory: string;
let made = 0;
const newFile = (): string => join(directory, `${++made}.backup`);

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'clew-backup-'));
  source = await startTestDatabase();
  await source.pool.query(
    `insert into user_account (id, principal_name, role_id) select gen_random_uuid(), 'user ' || n, 1 from generate_series(1, 300) n`,
  );
  // Large values, as uploads are, and names that need quotes.
  await source.pool.query(
    'create table "odd ""name" (id int generated always as identity, bytes bytea, half int generated always as (1) stored)',
  );
  await source.pool.query('insert into "odd ""name" (bytes) values ($1), (null)', [randomBytes(3_000_000)]);
});
afterAll(async () => {
  await source.close();
  rmSync(directory, { recursive: true });
});

/** Digests of the rows of all tables, and values of sequences. */
async function contentOf({ pool }: Database): Promise<Record<string, unknown>> {
  const client = await pool.connect();
  try {
    const content: Record<string, unknown> = {};
    for (const { table } of await storedTables(client)) {
      const { rows } = await client.query(
        `select count(*), md5(coalesce(string_agg(t::text, e'\\n' order by t::text), '')) from "${table.replaceAll('"', '""')}" t`,
      );
      content[table] = rows[0];
    }
    const { rows } = await client.query(
      'select indexdef as definition from pg_indexes where schemaname = current_schema() order by 1',
    );
    return { ...content, indexes: rows };
  } finally {
    client.release();
  }
}

async function restored(file: string, passphrase?: string): Promise<Record<string, unknown>> {
  const target = await startTestDatabase({ migrated: false });
  try {
    await target.pool.query(
      'create table "odd ""name" (id int generated always as identity, bytes bytea, half int generated always as (1) stored)',
    );
    await restoreBackup(target, file, passphrase);
    return await contentOf(target);
  } finally {
    await target.close();
  }
}

it('a restored database has the rows, indexes and sequences of the original', async () => {
  const file = newFile();
  const written = await writeBackup({ connection: source.connection, file });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(written.bytes).toBe(statSync(file).size);
  expect((await verifyBackup(file, undefined)).migrations.length).toBeGreaterThan(50);
  expect(await restored(file)).toEqual(await contentOf(source));
});

it('is of one moment: what is written meanwhile is not in it', async () => {
  const before = await contentOf(source);
  const file = newFile();
  const writing = writeBackup({ connection: source.connection, file });
  // It has begun once the file is there.
  await new Promise((resolve) => setTimeout(resolve, 200));
  await writing;
  await source.pool.query(
    "insert into user_account (id, principal_name, role_id) values (gen_random_uuid(), 'later', 1)",
  );
  expect(await restored(file)).toEqual(before);
  await source.pool.query("delete from user_account where principal_name = 'later'");
});

it('a sealed backup needs its passphrase, and holds the key of the installation', async () => {
  const file = newFile();
  const secretKey = 'k'.repeat(40);
  await writeBackup({ connection: source.connection, file, passphrase: 'seven words', secretKey });
  expect(readFileSync(file).includes(secretKey)).toBe(false);
  await expect(verifyBackup(file, undefined)).rejects.toThrow('has a passphrase');
  await expect(verifyBackup(file, 'other words')).rejects.toThrow('passphrase');
  expect((await verifyBackup(file, 'seven words')).secret_key).toBe(secretKey);
  expect(await restored(file, 'seven words')).toEqual(await contentOf(source));
  await expect(writeBackup({ connection: source.connection, file: newFile(), secretKey })).rejects.toThrow(
    'passphrase',
  );
});

it.each([
  ['open', undefined],
  ['sealed', 'seven words'],
])('a file that is %s and cut or changed anywhere is refused', async (_, passphrase) => {
  const file = newFile();
  await writeBackup({ connection: source.connection, file, passphrase });
  const whole = readFileSync(file);
  const refused = async (bytes: Buffer): Promise<void> => {
    const broken = newFile();
    writeFileSync(broken, bytes);
    await expect(verifyBackup(broken, passphrase)).rejects.toMatchObject({ name: 'BackupError' });
  };
  for (const part of [0, 30, 200, whole.length >> 1, whole.length - 1])
    await refused(whole.subarray(0, part));
  for (const at of [2, 120, 5_000, whole.length >> 1, whole.length - 3]) {
    const changed = Buffer.from(whole);
    changed[at] ^= 0x40;
    await refused(changed);
  }
  await refused(Buffer.concat([whole, Buffer.from([0])]));
  await refused(Buffer.from('{"a": 1}\n'));
});

it('a database that has users is left as it is', async () => {
  const file = newFile();
  await writeBackup({ connection: source.connection, file });
  const before = await contentOf(source);
  await expect(restoreBackup(source, file, undefined)).rejects.toThrow('in use');
  expect(await contentOf(source)).toEqual(before);
});

it('a failure in the middle leaves no rows, and the next attempt succeeds', async () => {
  const file = newFile();
  await writeBackup({ connection: source.connection, file });
  const target = await startTestDatabase({ migrated: false });
  try {
    // The table is not among those of the version.
    await expect(restoreBackup(target, file, undefined)).rejects.toThrow('other tables');
    await target.pool.query(
      'create table "odd ""name" (id int generated always as identity, bytes bytea, half int generated always as (1) stored)',
    );
    await restoreBackup(target, file, undefined);
    expect(await contentOf(target)).toEqual(await contentOf(source));
  } finally {
    await target.close();
  }
});

it('one of a newer version is refused', async () => {
  await source.pool.query("insert into migration (name) values ('999-later')");
  const file = newFile();
  await writeBackup({ connection: source.connection, file });
  await source.pool.query("delete from migration where name = '999-later'");
  await expect(restored(file)).rejects.toThrow('newer version');
});

it('one of an older version is restored with its tables, and migrated afterward', async () => {
  const { MIGRATIONS } = await import('../migrations/index.ts');
  const old = await startTestDatabase({ migrated: false });
  const target = await startTestDatabase({ migrated: false });
  try {
    await migrate(old.pool, MIGRATIONS.slice(0, -3));
    const file = newFile();
    await writeBackup({ connection: old.connection, file });
    await restoreBackup(target, file, undefined);
    expect(await contentOf(target)).toEqual(await contentOf(old));
    await migrate(target.pool);
    const { reader, close } = await openBackup(file, undefined);
    close();
    expect(reader.header.migrations.length).toBe(MIGRATIONS.length - 3);
  } finally {
    await old.close();
    await target.close();
  }
});
