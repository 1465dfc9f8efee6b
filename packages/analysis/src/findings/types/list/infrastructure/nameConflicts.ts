import { staleAccounts } from '../../families/accounts.ts';
import { classed, type ListFindingType } from '../../findingType.ts';

export const nameConflicts = {
  kind: 'list',
  id: 'NameConflicts',
  title: 'Objects From Replication Conflicts',
  ...classed({ platform: 'ad', category: 'IH', scope: 'hygiene', nature: 'safeguard', floor: 'low' }),
  family: staleAccounts,
  remedy: {
    risk: 'The duplicate account or group has rights that no one manages.',
    fix: 'Compare both objects, and delete the unused one.',
  },
  what: 'The name of an object shows that it was created on two domain controllers at the same time.',
  needs: [],
  find: (facts) =>
    facts.users
      .or(facts.computers)
      .or(facts.groups)
      .filter((node) => /\\u000aCNF:|\nCNF:|\\0ACNF:/i.test(facts.name(node))),
} as const satisfies ListFindingType;
