import { obsoleteSystems } from '../../families/accounts.ts';
import { classed, type ListFindingType } from '../../findingType.ts';

const MIN_FUNCTIONAL_LEVEL = 2016;

export const lowFunctionalLevel = {
  kind: 'list',
  id: 'LowFunctionalLevel',
  title: 'Old Domain Functional Level',
  ...classed({ platform: 'ad', category: 'IH', scope: 'hygiene', nature: 'safeguard', floor: 'low' }),
  family: obsoleteSystems,
  remedy: {
    fix: 'Raise the functional level when every domain controller runs a version that supports it.',
    steps: [
      'List the versions of all domain controllers, and replace the old ones.',
      'Ask the vendors of directory applications whether they support the new level.',
      'Raise the level of each domain, then the level of the forest.',
    ],
    verify: ['Get-ADDomain and Get-ADForest show the new level.'],
    care: 'You can rarely lower the level again, and older servers can no longer become domain controllers.',
  },
  what: 'The functional level of the domain is below 2016, so newer protections are not available.',
  needs: ['functionallevel'],
  find: (facts) =>
    facts.of('Domain').filter((node) => {
      const year = Number.parseInt(facts.text('functionallevel', node), 10);
      return year < MIN_FUNCTIONAL_LEVEL;
    }),
} as const satisfies ListFindingType;
