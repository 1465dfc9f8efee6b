/** Says how many findings an undoing restored, and why it did not restore the others. */
import type { BulkChange } from '@clew/api';
import { counted, formatCount } from '../../text/formats.ts';
import type { UndoneCounts } from './manyChanges.ts';

/** Only an acceptance can need a second approver. */
const REASONS: Readonly<Record<BulkChange['action'], string>> = {
  AcceptFindings: 'changed again, ended, or in need of a second approver',
  AssignFindings: 'changed again, or ended',
};

export const undoneText = (action: BulkChange['action'], { restored, kept }: UndoneCounts): string =>
  kept === 0
    ? 'Undone'
    : `${counted(restored, 'finding')} restored; ${formatCount(kept)} not restored: ${REASONS[action]}`;
