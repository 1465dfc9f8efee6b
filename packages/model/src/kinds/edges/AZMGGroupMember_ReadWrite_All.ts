import type { EdgeDefinition } from '../edgeDefinition.ts';
import { APPLICATION_PERMISSION } from '../removals.ts';

export const AZMGGroupMember_ReadWrite_All = {
  id: 160,
  platform: 'azure',
  origin: 'collected',
  traits: [],
  category: 'cloudGraph',
  phrase: 'has GroupMember.ReadWrite.All in',
  meaning: 'An application permission to change group members.',
  removal: APPLICATION_PERMISSION,
} as const satisfies EdgeDefinition;
