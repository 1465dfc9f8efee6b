import type { EdgeDefinition } from '../edgeDefinition.ts';
import { SPECIAL_TOOL } from '../efforts.ts';

export const SQLAdmin = {
  id: 9,
  platform: 'ad',
  origin: 'collected',
  traits: ['traversable'],
  category: 'access',
  phrase: 'can administer the SQL server on',
  meaning: 'An administrator of the database can run programs as its service.',
  removal: 'Remove the principal from the database server role.',
  effort: SPECIAL_TOOL,
} as const satisfies EdgeDefinition;
