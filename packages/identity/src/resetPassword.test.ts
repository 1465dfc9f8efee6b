import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { resetPassword } from './resetPassword.ts';

it('creates no database in a directory that has none, and says which settings are needed', async () => {
  const dataDir = join(tmpdir(), 'clew-nothing-here');
  const resetting = resetPassword({ databaseUrl: undefined, dataDir }, { name: 'admin' }, {} as never);
  await expect(resetting).rejects.toThrow(
    `there is no database in ${dataDir}: set CLEW_DATA_DIR or CLEW_DATABASE_URL as for the service`,
  );
  expect(existsSync(dataDir)).toBe(false);
});
