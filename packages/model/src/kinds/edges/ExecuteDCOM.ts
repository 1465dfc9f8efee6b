import type { EdgeDefinition, RuleText } from '../edgeDefinition.ts';
import { HOST_WEAKNESS } from '../efforts.ts';

export const ExecuteDCOM = {
  id: 8,
  platform: 'ad',
  origin: 'derived',
  traits: ['traversable'],
  category: 'access',
  phrase: 'can start programs over DCOM on',
  meaning: 'Components started over the network run programs on the computer.',
  removal: 'Remove the principal from Distributed COM Users.',
  effort: HOST_WEAKNESS,
} as const satisfies EdgeDefinition;

export const rule: RuleText = {
  when: ['Like AdminTo, for the local group with suffix `-562`.'],
  source: 'released behavior.',
  removedBy: 'removing the principal from Distributed COM Users.',
};
