import { relay } from '../../families/certificates.ts';
import { classed, type ListFindingType } from '../../findingType.ts';

export const dcLdapSigningOff = {
  kind: 'list',
  id: 'DCLDAPSigningOff',
  title: 'Domain Controllers Not Requiring LDAP Signing',
  ...classed({ platform: 'ad', category: 'RL', scope: 'hygiene', nature: 'safeguard', floor: 'high' }),
  family: relay,
  remedy: {
    risk: 'An attacker can relay authentication to the domain controller over LDAP and change the directory as the authenticated principal.',
    fix: 'Require LDAP signing on every domain controller.',
    steps: [
      'Enable event 2889 on the domain controllers, and list the clients that bind without signing.',
      'Configure these clients to use signing or LDAPS.',
      'Set "Domain controller: LDAP server signing requirements" to "Require signing".',
    ],
    verify: ['Event 2889 no longer occurs, and an unprotected simple bind is refused.'],
    care: 'Printers, storage and Linux clients often bind without signing. Audit for two weeks first.',
  },
  what: 'A domain controller does not require LDAP signing.',
  needs: ['ldapsigning'],
  find: (facts) => facts.controllers.and(facts.is('ldapsigning', false)),
} as const satisfies ListFindingType;
