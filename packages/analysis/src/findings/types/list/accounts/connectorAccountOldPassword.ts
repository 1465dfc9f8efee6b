import { synchronization } from '../../families/cloud.ts';
import { classed, type ListFindingType } from '../../findingType.ts';

export const connectorAccountOldPassword = {
  kind: 'list',
  id: 'ConnectorAccountOldPassword',
  title: 'Synchronization Account With Old Password',
  ...classed({ platform: 'ad', category: 'HY', scope: 'hygiene', nature: 'safeguard', floor: 'moderate' }),
  family: synchronization,
  remedy: {
    risk: 'The account can read the password hashes of the domain. Its password is stored on the synchronization server and in its backups, and works until someone changes it.',
    fix: 'Change the password of the connector account in the directory and in the synchronization service at the same time.',
    steps: [
      'Find out which server runs the synchronization, and plan an interruption of it.',
      'Change the password of the account in the directory.',
      'Enter the new password in the connector of the synchronization service, and start a synchronization cycle.',
    ],
    verify: [
      'The date of the last password change is recent, and password hash synchronization reports no error.',
    ],
    care: 'Synchronization stops between the two changes. Keep the replication rights of the account: password hash synchronization needs them.',
  },
  what: 'The password of a connector account of directory synchronization is older than 90 days.',
  needs: ['pwdlastset'],
  find: (facts) =>
    facts
      .enabled(facts.connectorAccounts())
      .andNot(facts.managed())
      .filter((node) => facts.olderThan('pwdlastset', node, 90)),
} as const satisfies ListFindingType;
