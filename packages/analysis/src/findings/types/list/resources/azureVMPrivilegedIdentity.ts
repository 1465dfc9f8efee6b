import { managedIdentities } from '../../families/cloud.ts';
import { classed, type ListFindingType } from '../../findingType.ts';
import { withPrivilegedIdentity } from './common.ts';

export const azureVMPrivilegedIdentity = {
  kind: 'list',
  id: 'AzureVMPrivilegedIdentity',
  title: 'Virtual Machine With Privileged Identity',
  ...classed({ platform: 'azure', category: 'RM', scope: 'hygiene', nature: 'safeguard', floor: 'moderate' }),
  family: managedIdentities,
  remedy: {
    fix: "Reduce the rights of the virtual machine's identity, or add the virtual machine to the zone.",
  },
  what: 'A virtual machine runs with the identity of a Tier Zero service principal.',
  needs: [],
  reads: { edges: ['AZManagedIdentity'] },
  find: (facts) => withPrivilegedIdentity(facts, 'AZVM', 'AZVMScaleSet'),
} as const satisfies ListFindingType;
