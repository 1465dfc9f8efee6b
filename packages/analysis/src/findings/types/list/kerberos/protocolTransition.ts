import { delegation } from '../../families/directory.ts';
import { classed, type ListFindingType } from '../../findingType.ts';

export const protocolTransition = {
  kind: 'list',
  id: 'ProtocolTransition',
  title: 'Accounts Trusted for Protocol Transition',
  ...classed({ platform: 'ad', category: 'KR', scope: 'hygiene', nature: 'safeguard', floor: 'moderate' }),
  family: delegation,
  remedy: {
    risk: 'Anyone who takes over the account can act as any user without delegation protection, to the services that the account is configured for.',
    fix: 'Allow the account to delegate with Kerberos only, so that users have to log on to it themselves.',
    care: 'Front ends that authenticate users with forms or certificates need protocol transition. Change these to Kerberos first.',
    steps: [
      'List the services that the account delegates to, and how users log on to it.',
      'On the tab Delegation, select "Use Kerberos only" for the account.',
      'Remove services from the list that the application does not need.',
    ],
  },
  what: 'An account can get service tickets for other users without their passwords.',
  needs: ['trustedtoauth'],
  find: (facts) =>
    facts
      .enabled(facts.users.or(facts.computers))
      .and(facts.is('trustedtoauth', true))
      .andNot(facts.readOnlyControllers()),
} as const satisfies ListFindingType;
