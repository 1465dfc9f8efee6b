import type { EdgeDefinition } from '../edgeDefinition.ts';
import { PASSED_ON } from '../efforts.ts';

export const AZContains = {
  id: 130,
  platform: 'azure',
  origin: 'collected',
  traits: ['traversable'],
  category: 'cloudStructure',
  phrase: 'contains',
  meaning: 'Roles at a scope apply to all resources below it.',
  removal: 'Move the resource to another scope.',
  effort: PASSED_ON,
} as const satisfies EdgeDefinition;
