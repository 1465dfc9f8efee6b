import type { FindingFacts } from '../../../findingFacts.ts';
import { azureResourceRoles } from '../../families/cloud.ts';
import { classed, type ListFindingType } from '../../findingType.ts';

export const azureDCInCloudUnprotected = {
  kind: 'list',
  id: 'AzureDCInCloudUnprotected',
  title: 'Domain Controller VM Outside Tier Zero',
  ...classed({ platform: 'azure', category: 'HY', scope: 'hygiene', nature: 'opening' }),
  effort: 4,
  floor: 'high',
  family: azureResourceRoles,
  remedy: {
    risk: 'Anyone who can run commands on the virtual machine, or copy its disk, can read every password hash of the domain.',
    fix: 'Check whether the virtual machine is the domain controller. If it is, add it to Tier Zero.',
    steps: [
      'Compare the virtual machine with the domain controller: name, address, creator.',
      'Add the virtual machine to Tier Zero; this also adds the scopes above it.',
      'Move it to a subscription that only the zone administers.',
      'Review who can reach its disks, snapshots and backups.',
    ],
    verify: [
      'The virtual machine is in Tier Zero, and findings show which principals outside the zone can control it.',
    ],
    care: 'The matching name may be a coincidence: this is a candidate, not proof.',
    prevent: 'Create new domain controllers in the protected subscription from the start.',
  },
  what: 'A virtual machine outside Tier Zero has the name of a domain controller, so it may be this domain controller.',
  needs: [],
  reads: { nodeProperties: ['samaccountname'] },
  find: (facts) => {
    const names = new Set([...facts.controllers].flatMap((node) => hostNamesOf(facts, node)));
    return facts
      .of('AZVM')
      .andNot(facts.tierZero)
      .filter((node) => names.has(facts.name(node).toUpperCase().split(/[@.]/)[0]));
  },
} as const satisfies ListFindingType;

function hostNamesOf(facts: FindingFacts, node: number): string[] {
  const short = facts.name(node).toUpperCase().split('.')[0];
  const account = facts.text('samaccountname', node).toUpperCase().replace(/\$$/, '');
  return [short, account].filter((name) => name !== '');
}
