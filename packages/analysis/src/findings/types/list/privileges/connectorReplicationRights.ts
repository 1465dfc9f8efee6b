import { synchronization } from '../../families/cloud.ts';
import { classed, type ListFindingType } from '../../findingType.ts';

export const REPLICATION = ['DCSync', 'GetChangesAll'] as const;

export const connectorReplicationRights = {
  kind: 'list',
  id: 'ConnectorReplicationRights',
  title: 'Does the Synchronization Account Need to Read Password Hashes?',
  ...classed({ platform: 'ad', category: 'HY', scope: 'hygiene', nature: 'safeguard', floor: 'low' }),
  family: synchronization,
  remedy: {
    risk: 'With these rights anyone who has the account, or its server, reads the password hash of every account of the domain. Only password hash synchronization needs them; collectors do not say whether it is on.',
    fix: 'Find out whether password hash synchronization is on. If it is, leave the rights and protect account and server as Tier Zero; if it is not, remove the rights.',
    steps: [
      'On the server of the synchronization, read Get-ADSyncAADPasswordSyncConfiguration -SourceConnector DOMAIN. "Enabled: True" means that the rights are needed: leave them, and accept this finding.',
      'If it is off, ask whether it shall stay off: it is also the way to sign in when federation or pass-through authentication fails.',
      'If it stays off, remove "Replicating Directory Changes All" and "Replicating Directory Changes" of the account from the access list of the domain object.',
      'Start a cycle of the synchronization, and read its errors.',
    ],
    verify: [
      'A cycle of the synchronization ends without errors, and users sign in to the cloud with a password that they have just changed.',
    ],
    care: 'If the rights are removed while password hash synchronization is on, changed passwords no longer reach the cloud, and leaked passwords are no longer found. Other permissions of the account, such as those for writing back, stay.',
    prevent: 'Ask the question again whenever the way of signing in changes.',
  },
  what: 'An account of directory synchronization may replicate all secrets of the domain, which only password hash synchronization needs.',
  needs: [],
  reads: { edges: REPLICATION },
  find: (facts) =>
    facts
      .connectorAccounts()
      .andNot(facts.is('enabled', false))
      .filter((account) =>
        facts
          .edges(...REPLICATION)
          .endsOf(account)
          .intersects(facts.of('Domain')),
      ),
} as const satisfies ListFindingType;
