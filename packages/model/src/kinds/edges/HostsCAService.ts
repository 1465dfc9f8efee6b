import type { EdgeDefinition } from '../edgeDefinition.ts';

export const HostsCAService = {
  id: 58,
  platform: 'ad',
  origin: 'collected',
  traits: [],
  category: 'certificates',
  phrase: 'hosts',
  meaning: 'The CA runs on this computer, which stores its key.',
  removal: 'Nothing to remove while the CA is used: protect the computer like a domain controller.',
} as const satisfies EdgeDefinition;
