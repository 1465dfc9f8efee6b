/** Restores backups of a database with rows into empty databases, and reads truncated, changed and forged files. */
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { closedBackup, forgedBackup, openedBackup, withBody } from '../../test/backup/forgedBackup.ts';
import { startTestDatabase } from '../../test/index.ts';
import { AdvisoryLock } from '../advisoryLocks.ts';
import type { Database } from '../database.ts';
import { migrate } from '../migrate.ts';
import { MIGRATIONS } from '../migrations/index.ts';
import { fileHead, openBackup, verifyBackup } from './readBackup.ts';
import { restoreBackup } from './restoreBackup.ts';
import { quoted, storedTables } from './storedTables.ts';
import { writeBackup } from './writeBackup.ts';

let source: Database;
let directory: string;
let made = 0;
/** No migration creates this table. */
const ODD_TABLE =
  'create table "odd ""name" (id int generated always as identity, bytes bytea, half int generated always as (1) stored)';
const newFile = (): string => join(directory, `${++made}.backup`);

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'clew-backup-'));
  source = await startTestDatabase();
  await source.pool.query(
    `insert into user_account (id, principal_name, role_id) select gen_random_uuid(), 'user ' || n, 1 from generate_series(1, 300) n`,
  );
  // Large values, such as uploads, and names that need quotes.
  await source.pool.query(ODD_TABLE);
  await source.pool.query('insert into "odd ""name" (bytes) values ($1), (null)', [randomBytes(3_000_000)]);
  // The sequence is ahead of the rows.
  await source.pool.query(`select setval(pg_get_serial_sequence('"odd ""name"', 'id'), 41)`);
});
afterAll(async () => {
  await source.close();
  rmSync(directory, { recursive: true });
});

/** Digests of the rows of all tables, and the values of sequences. */
async function contentOf({ pool }: Database): Promise<Record<string, unknown>> {
  const client = await pool.connect();
  try {
    const content: Record<string, unknown> = {};
    for (const { table } of await storedTables(client)) {
      const { rows } = await client.query(
        `select count(*), md5(coalesce(string_agg(t::text, e'\\n' order by t::text), '')) from ${quoted(table)} t`,
      );
      content[table] = rows[0];
    }
    const { rows: indexes } = await client.query(
      'select indexdef as definition from pg_indexes where schemaname = current_schema() order by 1',
    );
    const { rows: sequences } = await client.query(
      'select sequencename as name, last_value as last from pg_sequences where schemaname = current_schema() order by 1',
    );
    return { ...content, indexes, sequences };
  } finally {
    client.release();
  }
}

async function restored(file: string, passphrase?: string): Promise<Record<string, unknown>> {
  const target = await startTestDatabase({ migrated: false });
  try {
    await target.pool.query(ODD_TABLE);
    await restoreBackup(target, file, passphrase);
    return await contentOf(target);
  } finally {
    await target.close();
  }
}

/** Repeats a query until it returns rows. */
async function untilRows({ pool }: Database, query: string): Promise<void> {
  while ((await pool.query(query)).rows.length === 0) await new Promise((resolve) => setTimeout(resolve, 1));
}

/** Incomplete files. */
const partsIn = (folder: string): string[] => readdirSync(folder).filter((name) => name.endsWith('.part'));

it('a restored database has the rows, indexes and sequences of the original', async () => {
  const file = newFile();
  const written = await writeBackup({ connection: source.connection, file });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(written.bytes).toBe(statSync(file).size);
  expect((await verifyBackup(file, undefined)).migrations.length).toBeGreaterThan(50);
  const content = await contentOf(source);
  expect(JSON.stringify(content.sequences)).toContain('41');
  expect(await restored(file)).toEqual(content);
});

it('contains one snapshot, without rows that are written during the backup', async () => {
  const busy = await startTestDatabase();
  try {
    // Copied before the users, and large enough to delay them.
    await busy.pool.query('create table "a large one" (bytes bytea)');
    for (let row = 0; row < 3; row++)
      await busy.pool.query('insert into "a large one" values ($1)', [randomBytes(16_000_000)]);
    await busy.pool.query(
      "insert into user_account (id, principal_name, role_id) values (gen_random_uuid(), 'early', 1)",
    );
    const before = await contentOf(busy);
    const file = newFile();
    let isDone = false;
    const writing = writeBackup({ connection: busy.connection, file }).finally(() => {
      isDone = true;
    });
    await untilRows(busy, `select from pg_stat_activity where query like 'copy "a large one"%'`);
    await busy.pool.query("delete from user_account where principal_name = 'early'");
    await busy.pool.query(
      "insert into user_account (id, principal_name, role_id) values (gen_random_uuid(), 'late', 1)",
    );
    expect(isDone).toBe(false);
    await writing;
    const target = await startTestDatabase({ migrated: false });
    try {
      await target.pool.query('create table "a large one" (bytes bytea)');
      await restoreBackup(target, file, undefined);
      expect(await contentOf(target)).toEqual(before);
    } finally {
      await target.close();
    }
    // The server closes the connection during the backup.
    const cut = newFile();
    const failing = writeBackup({ connection: busy.connection, file: cut });
    const failed = expect(failing).rejects.toMatchObject({
      name: 'BackupError',
      message: expect.stringContaining('the backup was not created'),
    });
    const copying = `pg_stat_activity where query like 'copy "a large one"%' and state = 'active'`;
    await untilRows(busy, `select from ${copying}`);
    await busy.pool.query(`select pg_terminate_backend(pid) from ${copying}`);
    await failed;
    expect(readdirSync(directory)).not.toContain(cut.slice(directory.length + 1));
    expect(partsIn(directory)).toEqual([]);
  } finally {
    await busy.close();
  }
}, 60_000);

it('waits for running migrations, and contains the tables that they create', async () => {
  const busy = await startTestDatabase();
  const migrating = await busy.pool.connect();
  try {
    await migrating.query('select pg_advisory_lock($1)', [AdvisoryLock.migrate]);
    const file = newFile();
    const writing = writeBackup({ connection: busy.connection, file });
    await untilRows(
      busy,
      `
      select from pg_locks join pg_database d on d.oid = database
      where locktype = 'advisory' and not granted and datname = current_database()`,
    );
    await migrating.query('create table made_meanwhile (id int)');
    await migrating.query('select pg_advisory_unlock($1)', [AdvisoryLock.migrate]);
    await writing;
    expect(openedBackup(file).tables.map(({ record }) => record.table)).toContain('made_meanwhile');
  } finally {
    migrating.release(true);
    await busy.close();
  }
});

it('may take longer than the statement timeout of the database', async () => {
  const busy = await startTestDatabase();
  const holder = await busy.pool.connect();
  try {
    await holder.query(
      "do $$ begin execute format('alter database %I set statement_timeout = 1000', current_database()); end $$",
    );
    await holder.query('begin');
    await holder.query('lock table user_account in access exclusive mode');
    const file = newFile();
    const writing = writeBackup({ connection: busy.connection, file });
    writing.catch(() => {});
    await new Promise((resolve) => setTimeout(resolve, 1500));
    await holder.query('commit');
    await writing;
    await verifyBackup(file, undefined);
  } finally {
    holder.release(true);
    await busy.close();
  }
});

it('two backups to the same file, or one over a link, change no other file', async () => {
  const { connection } = source;
  const file = newFile();
  const both = await Promise.allSettled([1, 2].map(() => writeBackup({ connection, file })));
  expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  const [refused] = both.filter((one) => one.status === 'rejected');
  expect(refused.reason).toMatchObject({
    name: 'BackupError',
    message: `${file} already exists: choose another file`,
  });
  await verifyBackup(file, undefined);
  const linked = newFile();
  symlinkSync(join(directory, 'elsewhere'), linked);
  await expect(writeBackup({ connection, file: linked })).rejects.toThrow('exists');
  expect(readlinkSync(linked)).toBe(join(directory, 'elsewhere'));
  rmSync(linked);
  expect(partsIn(directory)).toEqual([]);
});

it.each([
  ['open', undefined],
  ['sealed', 'seven words'],
])('leaves no file when it fails or is interrupted: %s', async (_, passphrase) => {
  const { connection } = source;
  const folder = mkdtempSync(join(directory, 'failing-'));
  await expect(
    writeBackup({ connection, passphrase, file: join(folder, 'missing/one.backup') }),
  ).rejects.toMatchObject({ name: 'BackupError', message: expect.stringContaining('ENOENT') });
  await expect(
    writeBackup({ connection, passphrase, file: join(folder, 'one'), signal: AbortSignal.abort() }),
  ).rejects.toMatchObject({ name: 'AbortError' });
  expect(readdirSync(folder)).toEqual([]);
});

it('names the installation in clear text, so that its backups can be recognized', async () => {
  const { connection } = source;
  const [one, two] = [newFile(), newFile()];
  const { installation } = await writeBackup({ connection, file: one });
  await writeBackup({ connection, file: two, passphrase: 'seven words' });
  expect(installation).toMatch(/^[0-9a-f]{32}$/);
  expect((await fileHead(one)).installation).toBe(installation);
  expect((await fileHead(two)).installation).toBe(installation);
});

it('a sealed backup needs its passphrase, and contains the key of the installation', async () => {
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
])('a file that is %s, and then cut or changed anywhere, is refused', async (_, passphrase) => {
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
  for (const at of [2, 40, 120, 5_000, whole.length >> 1, whole.length - 3]) {
    const changed = Buffer.from(whole);
    changed[at] ^= 0x40;
    await refused(changed);
  }
  await refused(Buffer.concat([whole, Buffer.from([0])]));
  await refused(Buffer.from('{"a": 1}\n'));
});

it('an unencrypted file is not accepted as an encrypted one', async () => {
  const file = newFile();
  await writeBackup({ connection: source.connection, file });
  await expect(verifyBackup(file, 'seven words')).rejects.toThrow('unset CLEW_BACKUP_PASSPHRASE');
});

const HEAD = { clew_backup: 1 };
const HEADER = { made_at: '2026-11-29T00:00:00.000Z', migrations: [], sequences: [], tables: 0 };
const salt = Buffer.alloc(16).toString('base64');
const long = Buffer.from([0xff, 0xff, 0xff, 0xff, 0]);

it.each<[string, Buffer, string]>([
  ['another version', forgedBackup({ clew_backup: 2, sealing: 'new' }, [HEADER]), 'newer version'],
  ['no version', forgedBackup({ clew_backup: 0 }, [HEADER]), 'not a backup'],
  ['a list', forgedBackup([1], [HEADER]), 'not a backup'],
  ['a long first line', forgedBackup({ ...HEAD, more: 'm'.repeat(5000) }, [HEADER]), 'not a backup'],
  ['no sealing', forgedBackup({ ...HEAD, sealing: null }, [HEADER]), 'damaged'],
  ['a number as salt', forgedBackup({ ...HEAD, sealing: { salt: 1, cost: 1024 } }, [HEADER]), 'damaged'],
  [
    'a cost that is not a power of two',
    forgedBackup({ ...HEAD, sealing: { salt, cost: 1000 } }, [HEADER]),
    'damaged',
  ],
  ['a high cost', forgedBackup({ ...HEAD, sealing: { salt, cost: 2 ** 30 } }, [HEADER]), 'too much work'],
  ['a long record', withBody(HEAD, long), 'damaged'],
  ['a header that is a list', forgedBackup(HEAD, [[]]), 'damaged'],
  ['migrations that are none', forgedBackup(HEAD, [{ ...HEADER, migrations: 1 }]), 'damaged'],
  ['sequences that are none', forgedBackup(HEAD, [{ ...HEADER, sequences: [{ name: 'one' }] }]), 'damaged'],
  ['a time that is none', forgedBackup(HEAD, [{ ...HEADER, made_at: '\u001b[2J' }]), 'damaged'],
  ['a key that is none', forgedBackup(HEAD, [{ ...HEADER, secret_key: {} }]), 'damaged'],
  ['a table without columns', forgedBackup(HEAD, [{ ...HEADER, tables: 1 }, { table: 'one' }]), 'damaged'],
  ['more tables than it has', forgedBackup(HEAD, [{ ...HEADER, tables: 2 ** 40 }]), 'damaged'],
])('a forged file is refused: %s', async (_, bytes, text) => {
  const file = newFile();
  writeFileSync(file, bytes);
  const passphrase = String(bytes).includes('"sealing"') ? 'seven words' : undefined;
  await expect(verifyBackup(file, passphrase)).rejects.toMatchObject({
    name: 'BackupError',
    message: expect.stringContaining(text),
  });
});

it('a decompression bomb is refused in little memory', async () => {
  const file = newFile();
  // Records of 16 MB in a small file.
  const record = Buffer.alloc(2 ** 24 + 4);
  record.writeUInt32BE(2 ** 24);
  const header = Buffer.from(JSON.stringify({ ...HEADER, tables: 1 }));
  const table = Buffer.from(JSON.stringify({ table: 'one', columns: [] }));
  const framed = [header, table].flatMap((part) => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(part.length);
    return [length, part];
  });
  writeFileSync(file, withBody(HEAD, Buffer.concat([...framed, ...Array<Buffer>(12).fill(record)])));
  expect(statSync(file).size).toBeLessThan(100_000);
  let highest = 0;
  const watch = setInterval(() => {
    highest = Math.max(highest, process.memoryUsage().arrayBuffers);
  }, 5);
  const before = process.memoryUsage().arrayBuffers;
  await expect(verifyBackup(file, undefined)).rejects.toThrow('truncated');
  clearInterval(watch);
  expect(highest - before).toBeLessThan(150_000_000);
});

it.skipIf(process.platform === 'win32')('a path that is not a file is refused at once', async () => {
  const pipe = join(directory, 'pipe');
  execFileSync('mkfifo', [pipe]);
  for (const path of [pipe, directory]) {
    await expect(verifyBackup(path, undefined)).rejects.toThrow('is not a file');
    await expect(fileHead(path)).rejects.toThrow('is not a file');
  }
});

it('a backup whose contents do not match its version leaves no rows, and the correct backup is restored afterward', async () => {
  const file = newFile();
  await writeBackup({ connection: source.connection, file });
  const { header, tables } = openedBackup(file);
  const users = tables.findIndex(({ record }) => record.table === 'user_account');
  const changed = ({ record, rows }: (typeof tables)[number], columns: string[]) => ({
    record: { ...record, columns },
    rows,
  });
  const one = tables[users];
  const cases: readonly (readonly [Buffer, string])[] = [
    [closedBackup(header, tables.toSpliced(users, 1)), 'tables that the backup lacks (user_account)'],
    [closedBackup(header, [...tables, one]), 'twice'],
    [
      closedBackup(header, tables.with(users, changed(one, [...one.record.columns].reverse()))),
      'different columns',
    ],
    [
      closedBackup(header, tables.with(users, changed(one, [one.record.columns.join()]))),
      'different columns',
    ],
    [
      closedBackup(header, tables.with(users, { ...one, rows: [Buffer.from('rows')] })),
      'nothing was restored',
    ],
    [closedBackup({ ...header, sequences: [] }, tables), 'lacks the sequence'],
  ];
  const target = await startTestDatabase({ migrated: false });
  try {
    await target.pool.query(ODD_TABLE);
    for (const [bytes, text] of cases) {
      const forged = newFile();
      writeFileSync(forged, bytes);
      await expect(restoreBackup(target, forged, undefined)).rejects.toMatchObject({
        name: 'BackupError',
        message: expect.stringContaining(text),
      });
    }
    await expect(
      restoreBackup(target, file, undefined, () => Promise.reject(new Error('the key cannot be written'))),
    ).rejects.toThrow('the key cannot be written');
    const { rows } = await target.pool.query('select from user_account');
    expect(rows).toEqual([]);
    await restoreBackup(target, file, undefined);
    expect(await contentOf(target)).toEqual(await contentOf(source));
  } finally {
    await target.close();
  }
});

it('foreign tables are listed, and skipped if the database lacks them', async () => {
  const file = newFile();
  await writeBackup({ connection: source.connection, file });
  const target = await startTestDatabase({ migrated: false });
  try {
    expect((await restoreBackup(target, file, undefined)).leftOut).toEqual(['odd "name']);
    const { 'odd "name': _, sequences: __, ...own } = await contentOf(source);
    expect(await contentOf(target)).toMatchObject(own);
  } finally {
    await target.close();
  }
});

it('of two simultaneous restores into one database, one is refused', async () => {
  const file = newFile();
  await writeBackup({ connection: source.connection, file });
  const target = await startTestDatabase({ migrated: false });
  try {
    await target.pool.query(ODD_TABLE);
    const both = await Promise.allSettled([1, 2].map(() => restoreBackup(target, file, undefined)));
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const [refused] = both.filter((one) => one.status === 'rejected');
    expect(refused.reason).toMatchObject({ message: expect.stringContaining('already contains data') });
    expect(await contentOf(target)).toEqual(await contentOf(source));
  } finally {
    await target.close();
  }
});

it('a database with users is not changed', async () => {
  const file = newFile();
  await writeBackup({ connection: source.connection, file });
  const before = await contentOf(source);
  await expect(restoreBackup(source, file, undefined)).rejects.toThrow('already contains data');
  expect(await contentOf(source)).toEqual(before);
});

it('a backup of a newer version is refused', async () => {
  await source.pool.query("insert into migration (name) values ('999-later')");
  const file = newFile();
  await writeBackup({ connection: source.connection, file });
  await source.pool.query("delete from migration where name = '999-later'");
  await expect(restored(file)).rejects.toThrow('newer version');
});

it('a backup of an older version is restored with its tables, and then migrated', async () => {
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
