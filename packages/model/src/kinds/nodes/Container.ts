import type { NodeDefinition } from '../nodeDefinition.ts';

export const Container = {
  id: 7,
  platform: 'ad',
  label: 'Container',
  meaning: 'A folder of a domain to which no policies can be linked.',
  look: { letters: 'Ct', shape: 'diamond', class: 'place', icon: 'Box' },
  appearance: { icon: 'fa-box', color: '#ddb27a' },
} as const satisfies NodeDefinition;
