/** Every family of findings. */

import * as accounts from '../types/families/accounts.ts';
import * as certificates from '../types/families/certificates.ts';
import * as cloud from '../types/families/cloud.ts';
import * as directory from '../types/families/directory.ts';
import type { FindingFamily } from '../types/family.ts';

export const FINDING_FAMILIES: readonly FindingFamily[] = [directory, accounts, certificates, cloud].flatMap(
  (group) => Object.values(group),
);
