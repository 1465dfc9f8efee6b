import type { NodeDefinition } from '../nodeDefinition.ts';

export const AZApp = {
  id: 35,
  platform: 'azure',
  label: 'Application',
  meaning: 'The registration of an application.',
  look: { letters: 'Ap', shape: 'cloud', class: 'cloud', icon: 'AppWindow' },
  appearance: { icon: 'fa-window-restore', color: '#7db9e0' },
} as const satisfies NodeDefinition;
