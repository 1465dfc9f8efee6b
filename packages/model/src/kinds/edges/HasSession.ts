import type { EdgeDefinition } from '../edgeDefinition.ts';

export const HasSession = {
  id: 4,
  platform: 'ad',
  origin: 'collected',
  traits: ['traversable'],
  category: 'credentials',
  phrase: 'has a session of',
  meaning: 'Control of the computer gives the credentials of who is signed in there.',
  removal: 'Sign the user out, and keep accounts of higher zones off this computer.',
  effort: {
    effort: 4,
    reason: 'The user must be signed in, and the protection of credentials off or overcome',
  },
} as const satisfies EdgeDefinition;
