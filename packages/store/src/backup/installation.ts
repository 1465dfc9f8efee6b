/** Identity of an installation in its backups. A restored copy has one of its own, so that it deletes no backups of the original. */
import { createHash, randomBytes } from 'node:crypto';

const SETTING = 'backup.installation';
/** Bytes of an identity. */
const BYTES = 16;

interface Queries {
  query(
    text: string,
    values?: unknown[],
  ): Promise<{ readonly rows: readonly { readonly value: string | null }[] }>;
}

/** @returns the identity that a restore wrote; otherwise a digest of the time of the first migration, hexadecimal */
export async function installationOf(client: Queries): Promise<string> {
  const { rows: given } = await client.query(`select value #>> '{}' as value from setting where key = $1`, [
    SETTING,
  ]);
  if (given[0]?.value) return given[0].value;
  const { rows } = await client.query('select min(applied_at)::text as value from migration');
  return createHash('sha256')
    .update(String(rows[0].value))
    .digest('hex')
    .slice(0, 2 * BYTES);
}

/** Gives a restored database an identity of its own. */
export async function renewInstallation(client: Queries): Promise<void> {
  await client.query(
    `insert into setting (key, value) values ($1, to_jsonb($2::text))
     on conflict (key) do update set value = excluded.value`,
    [SETTING, randomBytes(BYTES).toString('hex')],
  );
}
