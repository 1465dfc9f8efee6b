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
    steps: [
      'Prepare a server for the second domain controller, on another host and if possible at another site.',
      'Promote it to a domain controller with DNS and the global catalog.',
      'Check that both domain controllers replicate without errors (repadmin /replsummary), and that DNS has the records of both.',
      'Enter both domain controllers as DNS servers on the clients.',
      'Back up the system state of both, and test a restore.',
    ],
    verify: [
      'The domain has two domain controllers that replicate without errors, and users can log on while one of them is turned off.',
    ],
    care: 'The second domain controller has all passwords of the domain: protect it, its host and its backups like the first.',
    prevent: 'Monitor the replication and the backups of all domain controllers.',
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
