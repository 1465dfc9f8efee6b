import type { EdgeDefinition } from '../edgeDefinition.ts';
import { IMPERSONATION } from '../efforts.ts';

export const AllowedToDelegate = {
  id: 10,
  platform: 'ad',
  origin: 'collected',
  traits: ['traversable'],
  category: 'credentials',
  phrase: 'can delegate to',
  meaning: 'It can act as other users to the services of the target.',
  removal: 'Remove the target from the services that the account can delegate to.',
  effort: IMPERSONATION,
} as const satisfies EdgeDefinition;
