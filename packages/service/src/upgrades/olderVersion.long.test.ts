/** Goes back to this version after an upgrade. `rollingUpgrade.long.test.ts` has the refusal, and `backup.slow.test.ts` the backups. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runClew, startServe } from '../../test/serveProcess.ts';
import { signedIn } from '../../test/upgrades/upgradedStore.ts';

const NEWER = fileURLToPath(new URL('../../../../scripts/testing/newerVersion.ts', import.meta.url));

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'clew-older-'));
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

it('a backup from before an upgrade restores the older version', async () => {
  const before = join(directory, 'before.backup');
  const place = { CLEW_DATA_DIR: join(directory, 'alone') };
  const first = await startServe(place.CLEW_DATA_DIR);
  const firstClient = await signedIn(first);
  await firstClient.call('CreateSavedQuery', { body: { name: 'kept', query: 'MATCH (u:User) RETURN u' } });
  const passphrase = { CLEW_BACKUP_PASSPHRASE: 'seven words that no one guesses' };
  const backup = ['admin', 'backup', before, '--with-key'];
  expect(await runClew(backup, { variables: { ...place, ...passphrase } })).toMatchObject({ code: 0 });
  await first.stop();
  await (await startServe(place.CLEW_DATA_DIR, {}, { script: NEWER })).stop();
  await expect(startServe(place.CLEW_DATA_DIR)).rejects.toThrow('start that version, or restore the backup');
  const other = { CLEW_DATA_DIR: join(directory, 'restored') };
  const restore = ['admin', 'restore', before];
  expect(await runClew(restore, { variables: { ...other, ...passphrase } })).toMatchObject({ code: 0 });
  const again = await startServe(other.CLEW_DATA_DIR);
  try {
    const { data } = await (await signedIn(again)).call('ListSavedQueries');
    expect(data.map(({ name }) => name)).toContain('kept');
  } finally {
    await again.stop();
  }
});
