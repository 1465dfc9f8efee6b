import { synchronization } from '../../families/cloud.ts';
import { classed, type ListFindingType } from '../../findingType.ts';

export const syncAccountInAdmins = {
  kind: 'list',
  id: 'SyncAccountInAdmins',
  title: 'Synchronization Account in Domain Administrators',
  ...classed({ platform: 'ad', category: 'HY', scope: 'hygiene', nature: 'safeguard', floor: 'high' }),
  family: synchronization,
  remedy: {
    risk: 'Anyone who controls the synchronization server or its tenant controls the domain through this account.',
    fix: 'Remove the account from the group: synchronization needs only replication rights and delegated permissions.',
  },
  what: 'A directory synchronization account is a member of the administrators of a domain.',
  needs: [],
  find: (facts) =>
    facts.membersOf(facts.withSuffix(facts.groups, '-512', '-519', '-544')).and(facts.connectorAccounts()),
} as const satisfies ListFindingType;
