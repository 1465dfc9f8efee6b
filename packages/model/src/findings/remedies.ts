/** All remedies of single finding types, by id. To add one: write it into the file of its subject. */
import { ACCOUNT_REMEDIES } from './remedies/accounts.ts';
import { CLOUD_REMEDIES } from './remedies/cloud.ts';
import type { Remedies } from './remedies/remedy.ts';
import { SERVICE_REMEDIES } from './remedies/services.ts';

export const REMEDIES: Remedies = { ...ACCOUNT_REMEDIES, ...SERVICE_REMEDIES, ...CLOUD_REMEDIES };
