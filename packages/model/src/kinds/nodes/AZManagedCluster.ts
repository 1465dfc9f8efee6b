import type { NodeDefinition } from '../nodeDefinition.ts';

export const AZManagedCluster = {
  id: 50,
  platform: 'azure',
  label: 'Managed cluster',
  meaning: 'A Kubernetes cluster that Azure manages.',
  look: { letters: 'Mc', shape: 'square', class: 'machine', icon: 'ShipWheel' },
  appearance: { icon: 'fa-cubes', color: '#7fa6c9' },
} as const satisfies NodeDefinition;
