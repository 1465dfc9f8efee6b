import type { EdgeDefinition } from '../edgeDefinition.ts';
import { TWO_REQUESTS } from '../efforts.ts';

export const ManageCA = {
  id: 39,
  platform: 'ad',
  origin: 'collected',
  traits: ['traversable', 'acl'],
  category: 'certificates',
  phrase: 'manages',
  meaning: 'An administrator of the CA decides which certificates it issues, and to whom.',
  removal: 'Remove the right on the CA.',
  effort: TWO_REQUESTS,
} as const satisfies EdgeDefinition;
