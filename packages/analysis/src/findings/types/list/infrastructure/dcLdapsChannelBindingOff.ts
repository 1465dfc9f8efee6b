import { relay } from '../../families/certificates.ts';
import { classed, type ListFindingType } from '../../findingType.ts';

export const dcLdapsChannelBindingOff = {
  kind: 'list',
  id: 'DCLDAPSChannelBindingOff',
  title: 'Domain Controllers Not Requiring Channel Binding',
  ...classed({ platform: 'ad', category: 'RL', scope: 'hygiene', nature: 'safeguard', floor: 'high' }),
  family: relay,
  remedy: {
    risk: 'Without the binding, authentication can be passed on to the controller inside a protected connection of somebody else.',
    fix: 'Set LDAP channel binding to always on every domain controller.',
    steps: [
      'Set "Domain controller: LDAP server channel binding token requirements" to when supported.',
      'Collect the clients that event 3039 names, and update them.',
      'Set the policy to always.',
    ],
    verify: ['LdapEnforceChannelBinding is 2 on each controller, and event 3039 has stopped.'],
    care: 'Clients without channel binding fail over LDAPS. Update them first.',
  },
  what: 'A domain controller does not require channel binding on LDAPS.',
  needs: ['ldapsepa'],
  find: (facts) => facts.controllers.and(facts.is('ldapsepa', false)),
} as const satisfies ListFindingType;
