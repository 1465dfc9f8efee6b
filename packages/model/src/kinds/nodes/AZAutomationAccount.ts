import type { NodeDefinition } from '../nodeDefinition.ts';

export const AZAutomationAccount = {
  id: 48,
  platform: 'azure',
  label: 'Automation account',
  meaning: 'An account that runs scripts on a schedule or on request.',
  look: { letters: 'Aa', shape: 'cloud', class: 'cloud', icon: 'Cog' },
  appearance: { icon: 'fa-gear', color: '#9fb36b' },
} as const satisfies NodeDefinition;
