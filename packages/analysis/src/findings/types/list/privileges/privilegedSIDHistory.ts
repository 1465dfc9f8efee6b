import { NodeSet } from '@clew/graph';
import { sidHistory } from '../../families/directory.ts';
import { classed, type ListFindingType } from '../../findingType.ts';
import { accountsWithHistory } from './common.ts';

export const PRIVILEGED_SID = /-(500|512|516|518|519|521|544|548|549|550|551)$/;

export const privilegedSIDHistory = {
  kind: 'list',
  id: 'PrivilegedSIDHistory',
  title: 'SID History Holding a Privileged SID',
  ...classed({ platform: 'ad', category: 'TZ', scope: 'hygiene', nature: 'opening', floor: 'critical' }),
  family: sidHistory,
  remedy: {
    risk: 'In every access check, the account has the rights of the privileged SID, although it belongs to none of its groups. No ordinary migration writes such a value.',
    fix: 'Clear the value immediately, and find out how it was written.',
    steps: [
      'Find out from event 4765 and the replication metadata of the attribute when the value was written.',
      'Unless a migration explains the value, treat the account and the author of the value as compromised.',
      'Clear the attribute.',
      'Enforce SID filtering on all trusts to other forests.',
    ],
  },
  what: 'The SID history of an account contains the SID of a privileged user or group.',
  needs: ['sidhistory'],
  find: (facts) => accountsWithHistory(facts, (sid) => PRIVILEGED_SID.test(sid.toUpperCase())),
  // Principals that control the account.
  usedBy: ({ context }, account) => NodeSet.of(context.graph.nodeCount, [account]),
} as const satisfies ListFindingType;
