import type { NodeDefinition } from '../nodeDefinition.ts';

export const AZFederatedIdentityCredential = {
  id: 37,
  platform: 'azure',
  label: 'Federated credential',
  meaning: 'A credential that lets tokens of another issuer sign in as an application.',
  look: { letters: 'Fc', shape: 'document', class: 'policy', icon: 'Fingerprint' },
  appearance: { icon: 'fa-id-badge', color: '#b7a6d6' },
} as const satisfies NodeDefinition;
