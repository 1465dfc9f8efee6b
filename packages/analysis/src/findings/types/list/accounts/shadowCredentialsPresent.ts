import { attributeWrites } from '../../families/directory.ts';
import { classed, type ListFindingType } from '../../findingType.ts';

export const shadowCredentialsPresent = {
  kind: 'list',
  id: 'ShadowCredentialsPresent',
  title: 'Key Credentials on Privileged Users',
  ...classed({ platform: 'ad', category: 'TZ', scope: 'tier-zero', nature: 'safeguard', floor: 'moderate' }),
  family: attributeWrites,
  remedy: {
    fix: 'Compare the key credentials with the devices that the user registered, and remove unknown key credentials.',
    steps: [
      'List the values of msDS-KeyCredentialLink with their device ids and dates.',
      "Compare them with the user's devices in your device management.",
      'Remove unknown values, and find out who wrote them (event 5136).',
      'If you cannot explain a value, treat the account as compromised: reset its password, and end its sessions.',
    ],
    verify: ['Each remaining value belongs to a device of the user.'],
  },
  what: 'A Tier Zero user has key credentials. Each of them allows a logon without the password.',
  needs: ['keycredentiallink'],
  find: (facts) =>
    facts.users
      .and(facts.tierZero)
      .filter((node) => facts.texts('keycredentiallink', node).some((entry) => entry !== '')),
} as const satisfies ListFindingType;
