/** The steps lead stores of earlier versions to the same schema as an empty database. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { backupOf, OLD_STORES, startTestDatabase } from '../../test/index.ts';
import { schemaText } from '../../test/schemaText.ts';
import { restoreBackup } from '../backup/restoreBackup.ts';
import { migrate } from '../migrate.ts';

it.each(OLD_STORES)('$title gets the schema of a new store, and keeps its rows', async ({ name }) => {
  const database = await startTestDatabase({ migrated: false });
  try {
    await restoreBackup(database, backupOf(name), undefined);
    const applied = await migrate(database.pool);
    expect(applied.length).toBeGreaterThan(15);
    const schema = readFileSync(join(import.meta.dirname, 'schema.txt'), 'utf8');
    expect(await schemaText(database.pool)).toBe(schema);
    const { rows } = await database.pool.query(
      'select (select count(*)::integer from node) as nodes, (select count(*)::integer from finding) as findings',
    );
    expect([rows[0].nodes > 100, rows[0].findings > 0]).toEqual([true, true]);
  } finally {
    await database.close();
  }
});
