import { synchronization } from '../../families/cloud.ts';
import { classed, type ListFindingType } from '../../findingType.ts';

export const connectorAccountOldPassword = {
  kind: 'list',
  id: 'ConnectorAccountOldPassword',
  title: 'Synchronization Account With Old Password',
  ...classed({ platform: 'ad', category: 'HY', scope: 'hygiene', nature: 'safeguard', floor: 'moderate' }),
  family: synchronization,
  remedy: {
    risk: 'The account reads the password hashes of the domain. Its password lies on the server of the synchronization and in its backups, and works until it is changed.',
    fix: 'Change the password of the connector account in the directory and in the synchronization service together.',
    steps: [
      'Note which server runs the synchronization, and plan a pause of it.',
      'Change the password of the account in the directory.',
      'Enter the new password in the connector of the synchronization service, and start a cycle.',
    ],
    verify: [
      'The date of the last password change is recent, and password hash synchronization reports no error.',
    ],
    care: 'Synchronization stops between the two changes. Leave the replication rights of the account as they are: password hash synchronization needs them.',
  },
  what: 'The password of a connector account of directory synchronization is older than 90 days.',
  needs: ['pwdlastset'],
  find: (facts) =>
    facts
      .enabled(facts.connectorAccounts())
      .andNot(facts.managed())
      .filter((node) => facts.olderThan('pwdlastset', node, 90)),
} as const satisfies ListFindingType;
