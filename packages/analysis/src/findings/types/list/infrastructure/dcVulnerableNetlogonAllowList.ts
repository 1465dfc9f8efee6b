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
    risk: 'A device on the list can use Netlogon without protection, so an attacker on the network can impersonate it.',
    fix: 'Update or retire the devices on the list, and empty it.',
    steps: [
      'Check the list: the policy "Domain controller: Allow vulnerable Netlogon secure channel connections", or the value VulnerableChannelAllowList under HKLM\\SYSTEM\\CurrentControlSet\\Services\\Netlogon\\Parameters.',
      'Check the System logs of all domain controllers for events 5830 and 5831 for a month: they name the devices that use the exception. If these events do not occur, no device needs the list.',
      'Update or replace these devices; remove each device from the list when it works without the exception.',
      'Set the policy to Not Defined, and delete the remaining registry value on the domain controllers.',
    ],
    verify: [
      'The value no longer exists on any domain controller, and events 5827 and 5828 (refused devices) name no device that is needed.',
    ],
    care: 'A device that cannot protect its Netlogon channel loses its connection to the domain.',
  },
  what: 'A domain controller exempts accounts from secure Netlogon channels.',
  needs: ['vulnerablenetlogonsecuritydescriptor'],
  find: (facts) =>
    facts.controllers.filter((node) => facts.text('vulnerablenetlogonsecuritydescriptor', node) !== ''),
  seenBy: 'vulnerablenetlogonsecuritydescriptorcollected',
} as const satisfies ListFindingType;
