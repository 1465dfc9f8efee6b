/** Every family of findings. */

import * as accounts from '../../src/findings/types/families/accounts.ts';
import * as certificates from '../../src/findings/types/families/certificates.ts';
import * as cloud from '../../src/findings/types/families/cloud.ts';
import * as directory from '../../src/findings/types/families/directory.ts';
import type { FindingFamily } from '../../src/findings/types/family.ts';

export const FINDING_FAMILIES: readonly FindingFamily[] = [directory, accounts, certificates, cloud].flatMap(
  (group) => Object.values(group),
);
