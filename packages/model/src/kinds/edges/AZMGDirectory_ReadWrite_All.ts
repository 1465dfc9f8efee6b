import type { EdgeDefinition } from '../edgeDefinition.ts';
import { APPLICATION_PERMISSION } from '../removals.ts';

export const AZMGDirectory_ReadWrite_All = {
  id: 158,
  platform: 'azure',
  origin: 'collected',
  traits: [],
  category: 'cloudGraph',
  phrase: 'has Directory.ReadWrite.All in',
  meaning: 'An application permission that changes objects of the directory.',
  removal: APPLICATION_PERMISSION,
} as const satisfies EdgeDefinition;
