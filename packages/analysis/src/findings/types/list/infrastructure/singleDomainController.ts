import { domainDefaults } from '../../families/accounts.ts';
import { classed, type ListFindingType } from '../../findingType.ts';

export const singleDomainController = {
  kind: 'list',
  id: 'SingleDomainController',
  title: 'Domain With a Single Controller',
  ...classed({ platform: 'ad', category: 'IH', scope: 'hygiene', nature: 'safeguard', floor: 'low' }),
  family: domainDefaults,
  remedy: {
    risk: 'If the domain controller fails or must be rebuilt after an attack, no one can log on until a backup is restored.',
    fix: 'Add a second domain controller, and back up both.',
  },
  what: 'The domain has only one domain controller.',
  needs: [],
  find: (facts) => {
    const controllers = facts.edges('DCFor');
    return facts
      .of('Domain')
      .filter((domain) => controllers.startsOf(domain).and(facts.controllers).size === 1);
  },
} as const satisfies ListFindingType;
