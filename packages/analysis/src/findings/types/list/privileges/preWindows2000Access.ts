import { domainDefaults } from '../../families/accounts.ts';
import { classed, type ListFindingType } from '../../findingType.ts';
import { directMembers } from './common.ts';

export const preWindows2000Access = {
  kind: 'list',
  id: 'PreWindows2000Access',
  title: 'Broad Members in Pre-Windows 2000 Compatible Access',
  ...classed({ platform: 'ad', category: 'LP', scope: 'hygiene', nature: 'safeguard', floor: 'low' }),
  family: domainDefaults,
  remedy: {
    risk: 'Members of the group can read all attributes of all users and groups, which helps attackers find attack paths.',
    fix: 'Remove Everyone, Anonymous Logon and Authenticated Users from Pre-Windows 2000 Compatible Access.',
    steps: [
      'Remove Anonymous Logon and Everyone first; hardly any application needs them.',
      'Turn on auditing of directory reads for a while, and find out which applications read as ordinary users.',
      'Add applications that look up group memberships to Windows Authorization Access Group.',
      'Remove Authenticated Users.',
    ],
    verify: ['The group contains only members that you chose.'],
    care: 'Applications that determine the group memberships of other users may fail. Test with the domain controllers of one site first.',
    prevent: 'Create new domains without pre-Windows 2000 compatibility.',
  },
  what: 'Everyone, Anonymous Logon or Authenticated Users belongs to the group that can read all accounts.',
  needs: [],
  reads: { edges: ['MemberOf'] },
  find: (facts) => {
    const broad = facts.withSuffix(facts.groups, '-S-1-1-0', '-S-1-5-7', '-S-1-5-11');
    return facts
      .withSuffix(facts.groups, 'S-1-5-32-554')
      .filter((group) => directMembers(facts, group).intersects(broad));
  },
} as const satisfies ListFindingType;
