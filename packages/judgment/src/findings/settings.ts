/** Settings of findings, which the configuration of clients shows and changes. */
import type { Db } from '@clew/store';
import { acceptanceRules, setAcceptanceRules } from './acceptanceRules.ts';
import { serviceLevels, setServiceLevels } from './serviceLevels.ts';

export const findingSettings = {
  serviceLevels: { get: serviceLevels, set: setServiceLevels },
  acceptance: { get: async (db: Db) => ({ ...(await acceptanceRules(db)) }), set: setAcceptanceRules },
};
