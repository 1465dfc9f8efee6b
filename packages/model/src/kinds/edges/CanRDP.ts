import type { EdgeDefinition, RuleText } from '../edgeDefinition.ts';
import { HOST_WEAKNESS } from '../efforts.ts';

export const CanRDP = {
  id: 6,
  platform: 'ad',
  origin: 'derived',
  traits: ['traversable'],
  category: 'access',
  phrase: 'can log on by RDP to',
  meaning: 'An interactive logon can run programs on the computer.',
  removal: 'Remove the Remote Desktop logon right, or the membership in Remote Desktop Users.',
  effort: HOST_WEAKNESS,
} as const satisfies EdgeDefinition;

export const rule: RuleText = {
  when: [
    'Principal → Computer: it is in Remote Desktop Users (suffix `-555`) *and* holds the right to log',
    'on through Remote Desktop Services. If the group itself holds the right, its direct members get',
    'the edge; otherwise those members, at any depth, that hold it or belong to a holder of it. On Citrix',
    'hosts (feature `citrix_rdp_support`, on), Direct Access Users is a third condition. If user',
    'rights were not collected (`hasura` is not true), which is common because reading them needs',
    'administrator rights, the default of Windows applies: direct members of Remote Desktop Users get the edge',
    '(on Citrix hosts, members of both groups).',
  ],
  source: 'measured on a running public server.',
  removedBy: 'leaving the group, or losing the logon right.',
};
