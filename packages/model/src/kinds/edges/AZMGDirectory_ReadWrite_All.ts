import type { EdgeDefinition } from '../edgeDefinition.ts';
import { APPLICATION_PERMISSION } from '../removals.ts';

export const AZMGDirectory_ReadWrite_All = {
  id: 158,
  platform: 'azure',
  origin: 'collected',
  traits: [],
  category: 'cloudGraph',
  phrase: 'has Directory.ReadWrite.All in',
  meaning: 'An application permission to change directory objects.',
  removal: APPLICATION_PERMISSION,
} as const satisfies EdgeDefinition;
