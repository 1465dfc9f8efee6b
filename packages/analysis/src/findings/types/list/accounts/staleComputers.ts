import { staleAccounts } from '../../families/accounts.ts';
import { classed, type ListFindingType } from '../../findingType.ts';

export const staleComputers = {
  kind: 'list',
  id: 'StaleComputers',
  title: 'Enabled Computers Without Recent Logon',
  ...classed({ platform: 'ad', category: 'AH', scope: 'hygiene', nature: 'safeguard', floor: 'low' }),
  family: staleAccounts,
  remedy: {
    risk: 'The account of a computer that no longer exists, or is no longer patched, can still log on to the domain.',
    fix: 'Disable the computer account, and delete it if nothing fails for thirty days.',
    care: 'Clusters, virtual desktops and devices that are rarely turned on look unused. Ask before you delete an account: a deleted computer must join the domain again.',
  },
  what: 'An enabled computer has not logged on for 60 days.',
  needs: ['lastlogontimestamp'],
  find: (facts) =>
    facts.enabled(facts.computers).filter((node) => facts.unusedFor(node, 60) && !facts.isBuiltIn(node)),
} as const satisfies ListFindingType;
