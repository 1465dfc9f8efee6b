import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { databaseFault, openFile, StateError } from './sqlEngine.ts';

it('a state with a full disk names the remedy', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'clew-full-'));
  const engine = openFile(join(directory, 'state.db'));
  try {
    await engine.run('create table t (value text)');
    // The file may not grow, as on a full disk.
    await engine.rows('pragma max_page_count = 1');
    const error = await engine
      .transaction((on) => on.run('insert into t values ($1)', ['x'.repeat(1_000_000)]))
      .catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(StateError);
    expect((error as Error).message).toMatch(/disk with the state in .* is full: free space there/);
  } finally {
    await engine.close();
    await rm(directory, { recursive: true, force: true });
  }
});

it('a database without room names the remedy, too', () => {
  const full = Object.assign(new Error('could not extend file "base/1/2"'), { code: '53100' });
  expect(databaseFault(full, 'soc')).toBeInstanceOf(StateError);
  expect((databaseFault(full, 'soc') as Error).message).toMatch(
    /disk .*schema soc.* is full: free space there/,
  );
  const other = Object.assign(new Error('no such table'), { code: '42P01' });
  expect(databaseFault(other, 'soc')).toBe(other);
});
