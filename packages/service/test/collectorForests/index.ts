/** The collectors in the table of fields, with the data that each does not read. */
import type { COLLECTORS } from '@clew/model';
import { adExplorerSnapshot } from './adExplorerSnapshot.ts';
import { bloodHoundPy } from './bloodHoundPy.ts';
import { bofhound } from './bofhound.ts';
import { rustHoundCe } from './rustHoundCe.ts';
import { sharpHound } from './sharpHound.ts';
import type { Aspect, ForestWriter } from './sourceForest.ts';

export interface CollectorForm {
  readonly collector: (typeof COLLECTORS)[number][0];
  readonly write: ForestWriter;
  readonly leavesOut: readonly Aspect[];
}

export const COLLECTOR_FORMS: readonly CollectorForm[] = [
  { collector: 'SharpHound', write: sharpHound, leavesOut: [] },
  { collector: 'BloodHound.py', write: bloodHoundPy, leavesOut: ['services', 'certificates'] },
  { collector: 'NetExec', write: bloodHoundPy, leavesOut: ['services', 'certificates'] },
  { collector: 'RustHound-CE', write: rustHoundCe, leavesOut: ['sessions', 'localGroups'] },
  {
    collector: 'bofhound',
    write: bofhound,
    leavesOut: ['passwordReaders', 'actors', 'services', 'formerSids'],
  },
  {
    collector: 'ADExplorerSnapshot',
    write: adExplorerSnapshot,
    leavesOut: ['places', 'links', 'services', 'sessions', 'localGroups', 'certificates'],
  },
];
