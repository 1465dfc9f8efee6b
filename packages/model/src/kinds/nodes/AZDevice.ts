import type { NodeDefinition } from '../nodeDefinition.ts';

export const AZDevice = {
  id: 34,
  platform: 'azure',
  label: 'Device',
  meaning: 'A device that is registered in or joined to a tenant.',
  look: { letters: 'De', shape: 'square', class: 'machine', icon: 'Laptop' },
  appearance: { icon: 'fa-desktop', color: '#c98f86' },
} as const satisfies NodeDefinition;
