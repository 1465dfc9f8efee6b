import { groupPolicy } from '../../families/directory.ts';
import { classed, type ListFindingType } from '../../findingType.ts';

/** The unit has this name in every language, directly below the domain; nested units belong to it. */
const UNIT = /(^|,)OU=DOMAIN CONTROLLERS,DC=/i;

export const controllerOutsideUnit = {
  kind: 'list',
  id: 'ControllerOutsideUnit',
  title: 'Domain Controllers Outside the Unit Domain Controllers',
  ...classed({ platform: 'ad', category: 'IH', scope: 'hygiene', nature: 'safeguard', floor: 'moderate' }),
  family: groupPolicy,
  remedy: {
    risk: 'The policies that protect domain controllers are linked to the organizational unit Domain Controllers. Elsewhere the domain controller does not get them, and administrators of the other organizational unit can link policies to it or may be able to change its account.',
    fix: 'Move the computer account back into the organizational unit Domain Controllers.',
    steps: [
      'Compare the policies of both organizational units (Get-GPInheritance), and record settings that the domain controller gets only in its present place: certificates, firewall, agents.',
      'Link the policies that it needs to Domain Controllers, or to an organizational unit below it.',
      'Move the account outside business hours, update the policies (gpupdate /force), and check logons, replication (repadmin /replsummary) and DNS.',
    ],
    verify: ['On the domain controller, gpresult shows the policy Default Domain Controllers Policy.'],
    care: 'User rights and audit settings of the domain controller change immediately after the move. Services that depend on rights from the other policies, such as backup or monitoring, can fail until you link these policies.',
    prevent: 'Create organizational units for domain controllers only below Domain Controllers.',
  },
  what: 'The computer account of a domain controller is outside the organizational unit Domain Controllers.',
  needs: ['distinguishedname'],
  find: (facts) =>
    facts.controllers.or(facts.readOnlyControllers()).filter((node) => {
      const name = facts.text('distinguishedname', node);
      return name !== '' && !UNIT.test(name);
    }),
} as const satisfies ListFindingType;
