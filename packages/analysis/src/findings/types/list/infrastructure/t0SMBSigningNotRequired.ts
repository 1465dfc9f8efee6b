import { relay } from '../../families/certificates.ts';
import { classed, type ListFindingType } from '../../findingType.ts';
import { withoutSigning } from './common.ts';

export const t0SMBSigningNotRequired = {
  kind: 'list',
  id: 'T0SMBSigningNotRequired',
  title: 'Tier Zero Computers Not Requiring SMB Signing',
  ...classed({ platform: 'ad', category: 'RL', scope: 'tier-zero', nature: 'safeguard', floor: 'high' }),
  family: relay,
  remedy: {
    risk: 'The computer accepts relayed authentication of an administrator, which gives control of a privileged host.',
    fix: 'Require SMB signing on the privileged computer.',
    verify: ['Get-SmbServerConfiguration on the computer shows that signing is required.'],
  },
  what: 'A Tier Zero computer does not require SMB signing.',
  needs: ['smbsigning'],
  find: (facts) => withoutSigning(facts).and(facts.tierZero),
} as const satisfies ListFindingType;
