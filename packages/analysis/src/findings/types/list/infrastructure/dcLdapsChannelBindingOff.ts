import { relay } from '../../families/certificates.ts';
import { classed, type ListFindingType } from '../../findingType.ts';

export const dcLdapsChannelBindingOff = {
  kind: 'list',
  id: 'DCLDAPSChannelBindingOff',
  title: 'Domain Controllers Not Requiring Channel Binding',
  ...classed({ platform: 'ad', category: 'RL', scope: 'hygiene', nature: 'safeguard', floor: 'high' }),
  family: relay,
  remedy: {
    risk: 'Without channel binding, an attacker can relay authentication to the domain controller through LDAPS.',
    fix: 'Set LDAP channel binding to "Always" on every domain controller.',
    steps: [
      'Set "Domain controller: LDAP server channel binding token requirements" to "When supported".',
      'List the clients in event 3039, and update them.',
      'Set the policy to "Always".',
    ],
    verify: ['LdapEnforceChannelBinding is 2 on each domain controller, and event 3039 no longer occurs.'],
    care: 'Clients that do not support channel binding can no longer use LDAPS. Update them first.',
  },
  what: 'A domain controller does not require channel binding for LDAPS.',
  needs: ['ldapsepa'],
  find: (facts) => facts.controllers.and(facts.is('ldapsepa', false)),
} as const satisfies ListFindingType;
