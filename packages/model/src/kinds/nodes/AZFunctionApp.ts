import type { NodeDefinition } from '../nodeDefinition.ts';

export const AZFunctionApp = {
  id: 45,
  platform: 'azure',
  label: 'Function app',
  meaning: 'An application that runs functions on Azure.',
  look: { letters: 'Fa', shape: 'cloud', class: 'cloud', icon: 'Zap' },
  appearance: { icon: 'fa-bolt', color: '#d8b95a' },
} as const satisfies NodeDefinition;
