import { sidHistory } from '../../families/directory.ts';
import { classed, type ListFindingType } from '../../findingType.ts';
import { accountsWithHistory } from './common.ts';

export const sidHistoryPresent = {
  kind: 'list',
  id: 'SIDHistoryPresent',
  title: 'Accounts With SID History',
  ...classed({ platform: 'ad', category: 'LP', scope: 'hygiene', nature: 'safeguard', floor: 'low' }),
  family: sidHistory,
  remedy: {
    care: 'Access to resources of the old domain may still depend on the value: ask before each batch.',
  },
  what: 'An account has SIDs of former identities in its SID history.',
  needs: ['sidhistory'],
  find: (facts) => accountsWithHistory(facts, () => true),
} as const satisfies ListFindingType;
