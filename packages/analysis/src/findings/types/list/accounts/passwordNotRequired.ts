import { accountSettings } from '../../families/accounts.ts';
import { classed, type ListFindingType } from '../../findingType.ts';

export const passwordNotRequired = {
  kind: 'list',
  id: 'PasswordNotRequired',
  title: 'Accounts That May Have an Empty Password',
  ...classed({ platform: 'ad', category: 'AH', scope: 'hygiene', nature: 'opening' }),
  effort: 8,
  floor: 'low',
  family: accountSettings,
  remedy: {
    risk: 'The directory does not show whether the password is empty. If it is, anyone who knows the account name can log on.',
    fix: 'Set a password that meets the policy, then clear the flag PASSWD_NOTREQD.',
    steps: [
      'List the accounts and their owners, and find out whether people or services log on without a password.',
      'Set a password that meets the policy together with the owner. It may be empty now, and the directory may refuse to clear the flag then.',
      'Clear the flag PASSWD_NOTREQD.',
    ],
    care: 'Devices and applications that log on with an empty password stop working: give them the new password first.',
  },
  what: 'An enabled account is exempt from the password policy and may have an empty password.',
  needs: ['passwordnotreqd'],
  find: (facts) => facts.enabled(facts.users.or(facts.computers)).and(facts.is('passwordnotreqd', true)),
} as const satisfies ListFindingType;
