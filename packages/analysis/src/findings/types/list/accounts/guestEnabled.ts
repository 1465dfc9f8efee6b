import { staleAccounts } from '../../families/accounts.ts';
import { classed, type ListFindingType } from '../../findingType.ts';
import { GUEST } from './common.ts';

export const guestEnabled = {
  kind: 'list',
  id: 'GuestEnabled',
  title: 'Guest Account Enabled',
  ...classed({ platform: 'ad', category: 'AH', scope: 'hygiene', nature: 'opening', floor: 'high' }),
  family: staleAccounts,
  remedy: {
    risk: 'Anyone who can reach a computer over the network may get access as Guest without a password, with all rights of Guest, Guests and Everyone.',
    fix: 'Disable the Guest account, and keep it disabled by policy.',
    steps: [
      'Find shares and devices that depend on guest access.',
      'Give them their own accounts.',
      'Disable Guest, and set the policy "Accounts: Guest account status" to disabled.',
      'Remove Guest from every group except Guests.',
    ],
    verify: ['The next collection shows the account as disabled, and event 4624 does not occur for it.'],
    care: 'Scanners and old devices that write to shares without a password stop working.',
    prevent: 'Keep the policy in the baseline of domain controllers.',
  },
  what: 'The Guest account is enabled, so anyone can log on without a personal password.',
  needs: ['enabled'],
  find: (facts) => facts.enabled(facts.withSuffix(facts.users, GUEST)),
} as const satisfies ListFindingType;
