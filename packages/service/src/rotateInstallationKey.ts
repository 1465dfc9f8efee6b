/** Replaces the root key of an installation, with the encrypted secrets of all capabilities. */
import type { Config } from '@clew/common';
import { type KeyRotation, rotateKey } from '@clew/identity/handlers';
import { resealWebhooks } from '@clew/judgment/handlers';
import type { DatabaseLog } from '@clew/store';

/** @param newKey generated if undefined */
export const rotateInstallationKey = (
  config: Pick<Config, 'databaseUrl' | 'dataDir' | 'secretKey'>,
  newKey: string | undefined,
  log: DatabaseLog,
): Promise<KeyRotation> => rotateKey(config, { newKey, others: [resealWebhooks] }, log);
