import type { EdgeDefinition } from '../edgeDefinition.ts';
import { APPLICATION_PERMISSION } from '../removals.ts';

export const AZMGGroup_ReadWrite_All = {
  id: 159,
  platform: 'azure',
  origin: 'collected',
  traits: [],
  category: 'cloudGraph',
  phrase: 'has Group.ReadWrite.All in',
  meaning: 'An application permission to change groups, including owners and members.',
  removal: APPLICATION_PERMISSION,
} as const satisfies EdgeDefinition;
