import { relay } from '../../families/certificates.ts';
import { classed, type ListFindingType } from '../../findingType.ts';
import { withoutSigning } from './common.ts';

export const smbSigningNotRequired = {
  kind: 'list',
  id: 'SMBSigningNotRequired',
  title: 'Computers Not Requiring SMB Signing',
  ...classed({ platform: 'ad', category: 'RL', scope: 'hygiene', nature: 'safeguard', floor: 'low' }),
  family: relay,
  remedy: {
    fix: 'Require SMB signing on the computer.',
    steps: [
      'Set "Microsoft network server: Digitally sign communications (always)" for a first group of computers.',
      'Monitor file transfers and old devices for two weeks.',
      'Extend the policy to all computers.',
    ],
    verify: ['The next collection shows that the computer requires signing.'],
  },
  what: 'A computer does not require SMB signing.',
  needs: ['smbsigning'],
  find: withoutSigning,
} as const satisfies ListFindingType;
