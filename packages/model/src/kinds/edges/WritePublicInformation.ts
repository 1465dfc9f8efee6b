import type { EdgeDefinition } from '../edgeDefinition.ts';
import { WRITE_THEN_CERTIFICATE } from '../efforts.ts';
import { ACCESS_LIST_ENTRY } from '../removals.ts';

export const WritePublicInformation = {
  id: 38,
  platform: 'ad',
  origin: 'collected',
  traits: ['traversable', 'acl'],
  category: 'control',
  phrase: 'can write public information of',
  meaning: 'Public information includes identities that certificates are mapped to.',
  removal: ACCESS_LIST_ENTRY,
  effort: WRITE_THEN_CERTIFICATE,
} as const satisfies EdgeDefinition;
