import { relay } from '../../families/certificates.ts';
import { classed, type ListFindingType } from '../../findingType.ts';

export const dcLdapSigningOff = {
  kind: 'list',
  id: 'DCLDAPSigningOff',
  title: 'Domain Controllers Not Requiring LDAP Signing',
  ...classed({ platform: 'ad', category: 'RL', scope: 'hygiene', nature: 'safeguard', floor: 'high' }),
  family: relay,
  remedy: {
    risk: 'Authentication that is passed on to the controller over LDAP can change the directory in the name of its owner.',
    fix: 'Require LDAP signing on every domain controller.',
    steps: [
      'Turn on event 2889 on the controllers and collect which clients bind without signing.',
      'Change these clients to signing or to LDAPS.',
      'Set "Domain controller: LDAP server signing requirements" to require signing.',
    ],
    verify: ['Event 2889 has stopped, and a simple bind without protection is refused.'],
    care: 'Printers, storage and Linux clients often bind without signing. Audit for two weeks first.',
  },
  what: 'A domain controller does not require LDAP signing.',
  needs: ['ldapsigning'],
  find: (facts) => facts.controllers.and(facts.is('ldapsigning', false)),
} as const satisfies ListFindingType;
