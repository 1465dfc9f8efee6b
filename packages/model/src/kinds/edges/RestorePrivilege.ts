import type { EdgeDefinition } from '../edgeDefinition.ts';

export const RestorePrivilege = {
  id: 91,
  platform: 'ad',
  origin: 'collected',
  traits: ['experimental'],
  category: 'access',
  phrase: 'has the restore privilege on',
  meaning: 'It can write every file on the computer: see CanBackup.',
  removal: 'Remove the principal from the user right.',
} as const satisfies EdgeDefinition;
