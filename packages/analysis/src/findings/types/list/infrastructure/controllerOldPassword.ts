import { keyRotation } from '../../families/accounts.ts';
import { classed, type ListFindingType } from '../../findingType.ts';

export const controllerOldPassword = {
  kind: 'list',
  id: 'ControllerOldPassword',
  title: 'Domain Controllers With an Old Machine Password',
  ...classed({ platform: 'ad', category: 'IH', scope: 'hygiene', nature: 'safeguard', floor: 'moderate' }),
  family: keyRotation,
  remedy: {
    risk: 'Windows changes the password of a controller every 30 days. One that does not was restored, is broken, or has had the change turned off, and a stolen password keeps working.',
    fix: 'Find out why (DisablePasswordChange, a restored snapshot), and reset it on the controller itself (netdom resetpwd).',
    care: 'Do not reset the account of a controller in the console for users and computers: the controller then no longer replicates, and no one logs on to it.',
  },
  what: 'A domain controller has not changed its password for 45 days, although it is in use.',
  needs: ['pwdlastset'],
  find: (facts) =>
    facts
      .enabled(facts.controllers)
      .filter((node) => facts.olderThan('pwdlastset', node, 45) && facts.usedWithin(node, 45)),
} as const satisfies ListFindingType;
