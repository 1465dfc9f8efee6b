import type { EdgeDefinition } from '../edgeDefinition.ts';
import { WRITE_THEN_CERTIFICATE } from '../efforts.ts';
import { ACCESS_LIST_ENTRY } from '../removals.ts';

export const AddKeyCredentialLink = {
  id: 30,
  platform: 'ad',
  origin: 'collected',
  traits: ['traversable', 'acl'],
  category: 'control',
  phrase: 'can add a key to',
  meaning: 'It can add a key credential and use it to sign in as the object.',
  removal: ACCESS_LIST_ENTRY,
  effort: WRITE_THEN_CERTIFICATE,
} as const satisfies EdgeDefinition;
