import { delegation } from '../../families/directory.ts';
import { classed, type ListFindingType } from '../../findingType.ts';

export const protocolTransition = {
  kind: 'list',
  id: 'ProtocolTransition',
  title: 'Accounts Trusted for Protocol Transition',
  ...classed({ platform: 'ad', category: 'KR', scope: 'hygiene', nature: 'safeguard', floor: 'moderate' }),
  family: delegation,
  remedy: {
    risk: 'Anyone who takes the account over acts as any user who is not protected from delegation, toward the services it is configured for.',
    fix: 'Let the account delegate with Kerberos only, so that users have to log on to it themselves.',
    care: 'Front ends that log users on by forms or certificates need the transition. Change those to Kerberos first.',
  },
  what: 'An account may obtain tickets for other users without their passwords.',
  needs: ['trustedtoauth'],
  find: (facts) =>
    facts
      .enabled(facts.users.or(facts.computers))
      .and(facts.is('trustedtoauth', true))
      .andNot(facts.readOnlyControllers()),
} as const satisfies ListFindingType;
