import type { EdgeDefinition } from '../edgeDefinition.ts';
import { FITTING_TARGET } from '../efforts.ts';

export const ManageCertificates = {
  id: 40,
  platform: 'ad',
  origin: 'collected',
  traits: ['traversable', 'acl'],
  category: 'certificates',
  phrase: 'manages certificates of',
  meaning: 'It can approve pending requests.',
  removal: 'Remove the right on the CA.',
  effort: FITTING_TARGET,
} as const satisfies EdgeDefinition;
