/** Group policy files from the SYSVOL share of a controller. */

import type { Ticket } from '../kerberos/tickets.ts';
import type { Target } from '../net/connect.ts';
import { MAX_POLICY_BYTES, type PolicyFiles } from '../sysvol/policyFiles.ts';
import { SmbShare } from './smbShare.ts';

/** @param ticket for `cifs/HOST` */
export const openSysvol = (target: Target, ticket: Ticket): Promise<PolicyFiles> =>
  SmbShare.open(target, { share: 'sysvol', ticket, maxFileBytes: MAX_POLICY_BYTES });
