import type { EdgeDefinition, RuleText } from '../edgeDefinition.ts';
import { WRITE_THEN_USE } from '../efforts.ts';

export const Owns = {
  id: 20,
  platform: 'ad',
  origin: 'derived',
  traits: ['traversable', 'acl'],
  category: 'control',
  phrase: 'owns',
  meaning: 'The owner can change the rights on the object.',
  removal: 'Give the object another owner.',
  effort: WRITE_THEN_USE,
} as const satisfies EdgeDefinition;

export const rule: RuleText = {
  when: [
    'Principal → object, from OwnsRaw: the owner can change the permissions. In a domain whose',
    'dSHeuristics enforce BlockOwnerImplicitRights (character 29 is `1`), owners of computers and',
    'managed service accounts have it only as members of Domain Admins or Enterprise Admins of any',
    'domain. Keeps `isinherited` and `inheritancehash`. Runs before certificate services, which read',
    'it.',
  ],
  source: 'released behavior.',
  removedBy: [
    'transferring ownership to Domain Admins; an OWNER RIGHTS entry without rights that can be misused;',
    'enforcing BlockOwnerImplicitRights.',
  ],
};
