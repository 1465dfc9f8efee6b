import type { EdgeDefinition } from '../edgeDefinition.ts';

export const MemberOfLocalGroup = {
  id: 49,
  platform: 'ad',
  origin: 'collected',
  traits: [],
  category: 'access',
  phrase: 'is in the local group',
  meaning: 'A member has the rights of the group on its computer.',
  removal: 'Remove the principal from the local group.',
} as const satisfies EdgeDefinition;
