import type { EdgeDefinition } from '../edgeDefinition.ts';

export const ServerIs = {
  id: 95,
  platform: 'ad',
  origin: 'collected',
  traits: ['experimental'],
  category: 'structure',
  phrase: 'is the computer',
  meaning: 'The server object in a site represents this computer.',
  removal: 'Nothing to remove: it follows from the site.',
} as const satisfies EdgeDefinition;
