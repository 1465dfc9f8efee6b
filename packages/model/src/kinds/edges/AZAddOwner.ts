import type { EdgeDefinition, RuleText } from '../edgeDefinition.ts';
import { RIGHT_THEN_USE } from '../efforts.ts';
import { ROLE_ASSIGNMENT } from '../removals.ts';

export const AZAddOwner = {
  id: 170,
  platform: 'azure',
  origin: 'derived',
  traits: ['traversable', 'azureControl'],
  category: 'cloudControl',
  phrase: 'can add owners to',
  meaning: 'It can make itself an owner.',
  removal: ROLE_ASSIGNMENT,
  effort: RIGHT_THEN_USE,
} as const satisfies EdgeDefinition;

export const rule: RuleText = {
  when: [
    'AZRole → AZApp or AZServicePrincipal: Hybrid Identity Administrator, Partner Tier1 and Tier2',
    'Support. In `parity` also Directory Synchronization Accounts: since August 2024, that role can write no',
    'application in any tenant; it keeps the calls that synchronize users and their password hashes,',
    'which are not relationships here.',
  ],
  source: "released behavior; Microsoft's announcement of restricted permissions of that role (2024).",
  removedBy: 'removing the role from principals that do not need it.',
};
