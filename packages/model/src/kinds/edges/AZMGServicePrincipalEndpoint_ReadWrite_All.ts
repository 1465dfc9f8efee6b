import type { EdgeDefinition } from '../edgeDefinition.ts';
import { APPLICATION_PERMISSION } from '../removals.ts';

export const AZMGServicePrincipalEndpoint_ReadWrite_All = {
  id: 162,
  platform: 'azure',
  origin: 'collected',
  traits: [],
  category: 'cloudGraph',
  phrase: 'has ServicePrincipalEndpoint.ReadWrite.All in',
  meaning: 'An application permission to change service principals.',
  removal: APPLICATION_PERMISSION,
} as const satisfies EdgeDefinition;
