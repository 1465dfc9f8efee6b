import type { NodeDefinition } from '../nodeDefinition.ts';

export const AZWebApp = {
  id: 46,
  platform: 'azure',
  label: 'Web app',
  meaning: 'A web application on Azure.',
  look: { letters: 'Wa', shape: 'cloud', class: 'cloud', icon: 'Globe' },
  appearance: { icon: 'fa-object-group', color: '#6fb0cf' },
} as const satisfies NodeDefinition;
