import type { EdgeDefinition } from '../edgeDefinition.ts';
import { ACCESS_LIST_ENTRY } from '../removals.ts';

export const WriteSPN = {
  id: 34,
  platform: 'ad',
  origin: 'collected',
  traits: ['traversable', 'acl'],
  category: 'control',
  phrase: 'can set service principal names of',
  meaning:
    'If the account has a service principal name, others can request tickets that are encrypted with its password.',
  removal: ACCESS_LIST_ENTRY,
  effort: { effort: 8, reason: 'A password has to be cracked' },
} as const satisfies EdgeDefinition;
