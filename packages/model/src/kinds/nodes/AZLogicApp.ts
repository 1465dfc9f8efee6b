import type { NodeDefinition } from '../nodeDefinition.ts';

export const AZLogicApp = {
  id: 47,
  platform: 'azure',
  label: 'Logic app',
  meaning: 'A workflow on Azure.',
  look: { letters: 'La', shape: 'cloud', class: 'cloud', icon: 'Workflow' },
  appearance: { icon: 'fa-diagram-project', color: '#a58fd0' },
} as const satisfies NodeDefinition;
