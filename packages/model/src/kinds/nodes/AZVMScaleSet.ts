import type { NodeDefinition } from '../nodeDefinition.ts';

export const AZVMScaleSet = {
  id: 44,
  platform: 'azure',
  label: 'VM scale set',
  meaning: 'A set of similar virtual machines.',
  look: { letters: 'Vs', shape: 'square', class: 'machine', icon: 'Layers' },
  appearance: { icon: 'fa-server', color: '#c9a08e' },
} as const satisfies NodeDefinition;
