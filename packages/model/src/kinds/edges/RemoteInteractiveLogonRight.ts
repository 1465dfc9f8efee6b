import type { EdgeDefinition } from '../edgeDefinition.ts';

export const RemoteInteractiveLogonRight = {
  id: 50,
  platform: 'ad',
  origin: 'collected',
  traits: [],
  category: 'access',
  phrase: 'may log on remotely to',
  meaning: 'The user right to log on through Remote Desktop Services: see CanRDP.',
  removal: 'Remove the principal from the user right.',
} as const satisfies EdgeDefinition;
