import type { EdgeDefinition, RuleText } from '../edgeDefinition.ts';
import { HOST_WEAKNESS } from '../efforts.ts';

export const CanPSRemote = {
  id: 7,
  platform: 'ad',
  origin: 'derived',
  traits: ['traversable'],
  category: 'access',
  phrase: 'can open a remote shell on',
  meaning: 'A remote shell can run programs on the computer.',
  removal: 'Remove the principal from Remote Management Users.',
  effort: HOST_WEAKNESS,
} as const satisfies EdgeDefinition;

export const rule: RuleText = {
  when: ['Like AdminTo, for the local group with suffix `-580`.'],
  source: 'released behavior.',
  removedBy: 'removing the principal from Remote Management Users.',
};
