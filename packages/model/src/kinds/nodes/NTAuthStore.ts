import type { NodeDefinition } from '../nodeDefinition.ts';

export const NTAuthStore = {
  id: 14,
  platform: 'ad',
  label: 'NTAuth store',
  meaning: 'The list of CAs whose certificates sign in to a forest.',
  look: { letters: 'Na', shape: 'shield', class: 'certificate', icon: 'ShieldCheck' },
  appearance: { icon: 'fa-store', color: '#c88bd0' },
} as const satisfies NodeDefinition;
