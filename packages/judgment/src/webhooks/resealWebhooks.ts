/** Encrypts the secrets of webhooks again when the key of the installation is replaced. */
import type { ResealSecrets } from '@clew/identity';
import { secretPurpose } from './deliveries.ts';

export const resealWebhooks: ResealSecrets = async (transaction, reseal) => {
  const rows = await transaction.selectFrom('webhook').select(['id', 'secret', 'previous_secret']).execute();
  for (const { id, secret, previous_secret } of rows)
    await transaction
      .updateTable('webhook')
      .set({
        secret: reseal(secret, secretPurpose(id)),
        previous_secret: previous_secret === null ? null : reseal(previous_secret, secretPurpose(id)),
      })
      .where('id', '=', id)
      .execute();
  return rows.length + rows.filter(({ previous_secret }) => previous_secret !== null).length;
};
