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
    risk: 'With these rights, anyone who controls the account or its server can read the password hash of every account in the domain. Only password hash synchronization needs the rights; collectors do not report whether it is on.',
    fix: 'Find out whether password hash synchronization is on. If it is on, keep the rights, and protect the account and its server as Tier Zero. If it is off, remove the rights.',
    steps: [
      'On the synchronization server, run Get-ADSyncAADPasswordSyncConfiguration -SourceConnector DOMAIN. If the result is "Enabled: True", the rights are needed: keep them, and accept this finding.',
      'If it is off, ask whether it will stay off: it is also the fallback for sign-in when federation or pass-through authentication fails.',
      'If it will stay off, remove "Replicating Directory Changes All" and "Replicating Directory Changes" of the account from the access control list of the domain object.',
      'Start a synchronization cycle, and check its errors.',
    ],
    verify: [
      'A synchronization cycle ends without errors, and users can sign in to the cloud with a newly changed password.',
    ],
    care: 'If you remove the rights while password hash synchronization is on, changed passwords no longer reach the cloud, and leaked passwords are no longer detected. Other permissions of the account, such as those for writeback, stay.',
    prevent: 'Check this again whenever the sign-in method changes.',
  },
  what: 'A directory synchronization account can replicate all secrets of the domain. Only password hash synchronization needs this.',
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
