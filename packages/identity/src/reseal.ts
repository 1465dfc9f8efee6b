/** Each part that stores secrets encrypted by `SecretBox` can encrypt them again with another key. */
import type { Db } from '@clew/store';

/** Decrypts a secret with the previous key and encrypts it with the new one. */
export type Reseal = (sealed: Uint8Array, purpose: string) => Buffer;

/** Replaces all encrypted secrets of one part. @returns their number */
export type ResealSecrets = (transaction: Db, reseal: Reseal) => Promise<number>;

/** Replaces a secret in a row of `setting`. @param member base64, in the object of the row */
export async function resealSetting(
  transaction: Db,
  { key, member }: { readonly key: string; readonly member: string },
  reseal: Reseal,
): Promise<number> {
  const row = await transaction
    .selectFrom('setting')
    .select('value')
    .where('key', '=', key)
    .executeTakeFirst();
  if (row === undefined) return 0;
  const value = row.value as Readonly<Record<string, string>>;
  const sealed = reseal(Buffer.from(value[member], 'base64'), key).toString('base64');
  await transaction
    .updateTable('setting')
    .set({ value: JSON.stringify({ ...value, [member]: sealed }) })
    .where('key', '=', key)
    .execute();
  return 1;
}
