import type { NodeDefinition } from '../nodeDefinition.ts';

export const AZContainerRegistry = {
  id: 49,
  platform: 'azure',
  label: 'Container registry',
  meaning: 'A registry of container images.',
  look: { letters: 'Cr', shape: 'cloud', class: 'cloud', icon: 'Container' },
  appearance: { icon: 'fa-box-open', color: '#8aa7b8' },
} as const satisfies NodeDefinition;
