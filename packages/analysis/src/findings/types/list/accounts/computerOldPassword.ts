import { keyRotation } from '../../families/accounts.ts';
import { REFERENCE } from '../../family.ts';
import { classed, type ListFindingType } from '../../findingType.ts';
import { ordinaryComputers } from './common.ts';

/** Three times the 30-day interval at which Windows changes it. */
const DAYS = 90;
/** Logon dates are replicated with a delay of up to 14 days. */
const ACTIVE_DAYS = 45;

export const computerOldPassword = {
  kind: 'list',
  id: 'ComputerOldPassword',
  title: 'Computers in Use With an Old Machine Password',
  ...classed({ platform: 'ad', category: 'AH', scope: 'hygiene', nature: 'safeguard', floor: 'low' }),
  family: keyRotation,
  remedy: {
    risk: 'Windows changes the password of a computer every 30 days. If it does not, a password that someone read once, from a backup or a copied disk, keeps working.',
    fix: 'Find out why the computer does not change its password, and correct it.',
    steps: [
      'Check the policies "Domain member: Disable machine account password changes" and "Domain member: Maximum machine account password age" on the computer.',
      'Find out whether it is a virtual desktop that reverts to an old image, an appliance, a storage system or a UNIX system: these renew the password with their own tool, or never.',
      'Correct the policy, or run the tool. On Windows, test the secure channel first (Test-ComputerSecureChannel), then run Reset-ComputerMachinePassword on the computer itself.',
    ],
    verify: ['The date of the last password change is recent, and users can still log on to the computer.'],
    care: "Do not reset the account in the directory: the computer does not learn the new password and loses its connection to the domain, and the new password is the computer's name. For images that revert to an old state, renew the password in the image.",
    prevent: 'Include the two policies in the baseline of all computers.',
    references: [REFERENCE.securingAd],
  },
  what: 'An enabled computer, other than a writable domain controller, logged on within 45 days, but has not changed its password for 90 days.',
  needs: ['pwdlastset'],
  find: (facts) =>
    ordinaryComputers(facts).filter(
      (node) =>
        facts.olderThan('pwdlastset', node, DAYS) &&
        facts.usedWithin(node, ACTIVE_DAYS) &&
        !facts.isBuiltIn(node),
    ),
} as const satisfies ListFindingType;
