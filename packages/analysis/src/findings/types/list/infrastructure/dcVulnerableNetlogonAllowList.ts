import { obsoleteSystems } from '../../families/accounts.ts';
import { classed, type ListFindingType } from '../../findingType.ts';

export const dcVulnerableNetlogonAllowList = {
  kind: 'list',
  id: 'DCVulnerableNetlogonAllowList',
  title: 'Netlogon Exception List Not Empty',
  ...classed({ platform: 'ad', category: 'IH', scope: 'hygiene', nature: 'opening' }),
  effort: 4,
  floor: 'moderate',
  family: obsoleteSystems,
  remedy: {
    risk: 'A device on the list may use Netlogon without protection, so somebody on the network can take its place.',
    fix: 'Update or retire the devices on the list, and empty it.',
    steps: [
      'Read who is on the list: the policy "Domain controller: Allow vulnerable Netlogon secure channel connections", or the value VulnerableChannelAllowList under HKLM\\SYSTEM\\CurrentControlSet\\Services\\Netlogon\\Parameters.',
      'Look for events 5830 and 5831 in the System log of all controllers for a month: they name the devices that use the exception. If no event appears, no device needs the list.',
      'Update these devices, or replace them; take each off the list once it works without.',
      'Set the policy to Not Defined, and delete the value that it left on the controllers.',
    ],
    verify: [
      'The value no longer exists on any domain controller, and events 5827 and 5828, which name refused devices, show none that is needed.',
    ],
    care: 'A device that cannot protect its channel loses its connection to the domain.',
  },
  what: 'A domain controller exempts accounts from secure Netlogon channels.',
  needs: ['vulnerablenetlogonsecuritydescriptor'],
  find: (facts) =>
    facts.controllers.filter((node) => facts.text('vulnerablenetlogonsecuritydescriptor', node) !== ''),
  seenBy: 'vulnerablenetlogonsecuritydescriptorcollected',
} as const satisfies ListFindingType;
