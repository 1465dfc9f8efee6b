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
    steps: [
      'Find the other object: it has the same name without "CNF:" and the id that follows it.',
      'Compare members, memberships, last logons and access control entries of both, to find out which of them is in use.',
      'Give the object that you keep the members and the rights that it lacks.',
      'Disable the unused account, or empty the unused group, and wait thirty days for complaints.',
      'Delete it. If you keep the object with "CNF:" in its name, rename it afterward.',
    ],
    verify: ['No object with "CNF:" in its name remains.'],
    care: 'Access control entries name the SID of one of the two objects, and give nothing to the other: move them before you delete the object.',
    prevent: 'Create accounts and groups with one tool, which writes to one domain controller.',
  },
  what: 'The name of an object shows that it was created on two domain controllers at the same time.',
  needs: [],
  find: (facts) =>
    facts.users
      .or(facts.computers)
      .or(facts.groups)
      .filter((node) => /\\u000aCNF:|\nCNF:|\\0ACNF:/i.test(facts.name(node))),
} as const satisfies ListFindingType;
