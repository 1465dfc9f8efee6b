import type { EdgeDefinition } from '../edgeDefinition.ts';
import { ACCESS_LIST_ENTRY } from '../removals.ts';

export const WritePKIEnrollmentFlag = {
  id: 45,
  platform: 'ad',
  origin: 'collected',
  traits: ['acl'],
  category: 'certificates',
  phrase: 'can write enrollment flags of',
  meaning: 'It can turn off the approval of requests: see ADCSESC4.',
  removal: ACCESS_LIST_ENTRY,
} as const satisfies EdgeDefinition;
