import type { NodeDefinition } from '../nodeDefinition.ts';

export const AZVM = {
  id: 43,
  platform: 'azure',
  label: 'Virtual machine',
  meaning: 'A virtual machine of Azure.',
  look: { letters: 'Vm', shape: 'square', class: 'machine', icon: 'Server' },
  appearance: { icon: 'fa-desktop', color: '#d6a5a0' },
} as const satisfies NodeDefinition;
