import type { EdgeDefinition } from '../edgeDefinition.ts';

export const DelegatedEnrollmentAgent = {
  id: 60,
  platform: 'ad',
  origin: 'collected',
  traits: [],
  category: 'certificates',
  phrase: 'is an enrollment agent for',
  meaning: 'The CA lets it request certificates of the template on behalf of others.',
  removal: 'Remove it from the enrollment agents of the CA.',
} as const satisfies EdgeDefinition;
