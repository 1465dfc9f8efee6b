import type { EdgeDefinition } from '../edgeDefinition.ts';

export const BackupPrivilege = {
  id: 90,
  platform: 'ad',
  origin: 'collected',
  traits: ['experimental'],
  category: 'access',
  phrase: 'has the backup privilege on',
  meaning: 'It can read every file on the computer: see CanBackup.',
  removal: 'Remove the principal from the user right.',
} as const satisfies EdgeDefinition;
