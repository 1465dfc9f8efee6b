import type { NodeDefinition } from '../nodeDefinition.ts';

export const AZKeyVault = {
  id: 42,
  platform: 'azure',
  label: 'Key vault',
  meaning: 'A vault for keys, secrets and certificates.',
  look: { letters: 'Kv', shape: 'shield', class: 'cloud', icon: 'KeyRound' },
  appearance: { icon: 'fa-lock', color: '#cf6f8e' },
} as const satisfies NodeDefinition;
