import { attributeWrites } from '../../families/directory.ts';
import { classed, type ListFindingType } from '../../findingType.ts';

export const shadowCredentialsPresent = {
  kind: 'list',
  id: 'ShadowCredentialsPresent',
  title: 'Key Credentials on Privileged Users',
  ...classed({ platform: 'ad', category: 'TZ', scope: 'tier-zero', nature: 'safeguard', floor: 'moderate' }),
  family: attributeWrites,
  remedy: {
    fix: 'Compare the key credentials with the devices the user registered, and remove those no one knows.',
    steps: [
      'List the values of msDS-KeyCredentialLink with their device ids and dates.',
      'Compare them with the devices of the user in your device management.',
      'Remove unknown values, and find out who wrote them (event 5136).',
      'If a value is not explained, treat the account as taken over: reset its password and end its sessions.',
    ],
    verify: ['Each remaining value belongs to a device that the user has.'],
  },
  what: 'A Tier Zero user carries key credentials, each of which is a way to log on without the password.',
  needs: ['keycredentiallink'],
  find: (facts) =>
    facts.users
      .and(facts.tierZero)
      .filter((node) => facts.texts('keycredentiallink', node).some((entry) => entry !== '')),
} as const satisfies ListFindingType;
