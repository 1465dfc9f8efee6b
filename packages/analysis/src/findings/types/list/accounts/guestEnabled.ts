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
    risk: 'Anyone who reaches a computer over the network may be let in as Guest without a password, with all that is granted to Guest, Guests and Everyone.',
    fix: 'Disable the Guest account, and keep it disabled by policy.',
    steps: [
      'Look for shares and devices that rely on access as guest.',
      'Give them an account of their own.',
      'Disable Guest, and set the policy "Accounts: Guest account status" to disabled.',
      'Remove Guest from every group but Guests.',
    ],
    verify: ['The account is disabled on the next collection, and no event 4624 names it.'],
    care: 'Scanners and old devices that write to shares without a password stop working.',
    prevent: 'Keep the policy in the baseline of domain controllers.',
  },
  what: 'The Guest account is enabled, so everyone can log on without a personal password.',
  needs: ['enabled'],
  find: (facts) => facts.enabled(facts.withSuffix(facts.users, GUEST)),
} as const satisfies ListFindingType;
