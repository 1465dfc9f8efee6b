import type { EdgeDefinition } from '../edgeDefinition.ts';

export const HasSession = {
  id: 4,
  platform: 'ad',
  origin: 'collected',
  traits: ['traversable'],
  category: 'credentials',
  phrase: 'has a session of',
  meaning: 'Anyone who controls the computer can get the credentials of signed-in users.',
  removal: 'Sign out the user, and keep accounts of more privileged zones off this computer.',
  effort: {
    effort: 4,
    reason: 'The user must be signed in, and credential protection must be off or bypassed',
  },
} as const satisfies EdgeDefinition;
