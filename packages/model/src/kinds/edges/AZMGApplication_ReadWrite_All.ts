import type { EdgeDefinition } from '../edgeDefinition.ts';
import { APPLICATION_PERMISSION } from '../removals.ts';

export const AZMGApplication_ReadWrite_All = {
  id: 156,
  platform: 'azure',
  origin: 'collected',
  traits: [],
  category: 'cloudGraph',
  phrase: 'has Application.ReadWrite.All in',
  meaning: 'An application permission to change applications and their credentials.',
  removal: APPLICATION_PERMISSION,
} as const satisfies EdgeDefinition;
