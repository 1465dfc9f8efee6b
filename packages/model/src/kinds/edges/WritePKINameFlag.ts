import type { EdgeDefinition } from '../edgeDefinition.ts';
import { ACCESS_LIST_ENTRY } from '../removals.ts';

export const WritePKINameFlag = {
  id: 46,
  platform: 'ad',
  origin: 'collected',
  traits: ['acl'],
  category: 'certificates',
  phrase: 'can write name flags of',
  meaning: 'It can let requests supply their subject: see ADCSESC4.',
  removal: ACCESS_LIST_ENTRY,
} as const satisfies EdgeDefinition;
