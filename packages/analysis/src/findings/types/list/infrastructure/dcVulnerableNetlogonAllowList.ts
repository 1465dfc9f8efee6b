import { obsoleteSystems } from '../../families/accounts.ts';
import type { ListFindingType } from '../../findingType.ts';

export const dcVulnerableNetlogonAllowList = {
  kind: 'list',
  id: 'DCVulnerableNetlogonAllowList',
  title: 'Netlogon Exception List Not Empty',
  platform: 'ad',
  category: 'IH',
  scope: 'hygiene',
  nature: 'opening',
  effort: 4,
  floor: 'moderate',
  family: obsoleteSystems,
  remedy: {
    risk: 'A device on the list may use Netlogon without protection, so somebody on the network can take its place.',
    fix: 'Update or retire the devices on the list, and empty it.',
    steps: [
      'Read who is on the list: the policy "Domain controller: Allow vulnerable Netlogon secure channel connections".',
      'Look for events 5830 and 5831, which name the devices that use the exception.',
      'Update these devices, or replace them.',
      'Remove the policy and the registry value it left.',
    ],
    verify: [
      'Events 5830 and 5831 no longer appear, and the value no longer exists on any domain controller.',
    ],
    care: 'A device that cannot protect its channel loses its connection to the domain.',
  },
  what: 'A domain controller exempts accounts from secure Netlogon channels.',
  needs: ['vulnerablenetlogonsecuritydescriptor'],
  find: (facts) =>
    facts.controllers.filter((node) => facts.text('vulnerablenetlogonsecuritydescriptor', node) !== ''),
  seenBy: 'vulnerablenetlogonsecuritydescriptorcollected',
} as const satisfies ListFindingType;
