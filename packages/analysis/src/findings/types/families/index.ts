/** Every family of findings. */
import type { FindingFamily } from '../family.ts';
import * as accounts from './accounts.ts';
import * as certificates from './certificates.ts';
import * as cloud from './cloud.ts';
import * as directory from './directory.ts';

export const FINDING_FAMILIES: readonly FindingFamily[] = [directory, accounts, certificates, cloud].flatMap(
  (group) => Object.values(group),
);
