import type { NodeDefinition } from '../nodeDefinition.ts';

export const AZServicePrincipal = {
  id: 36,
  platform: 'azure',
  label: 'Service principal',
  meaning: 'The identity of an application in a tenant, or a managed identity.',
  look: { letters: 'Sp', shape: 'cloud', class: 'person', icon: 'Bot' },
  appearance: { icon: 'fa-robot', color: '#a3b8cc' },
} as const satisfies NodeDefinition;
