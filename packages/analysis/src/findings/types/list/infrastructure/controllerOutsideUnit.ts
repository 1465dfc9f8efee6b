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
    risk: 'The policies that protect controllers are linked to that unit. Elsewhere the controller lacks them, and the people who administer the other unit can link policies to it, or may change its account.',
    fix: 'Move the computer account of the controller back into the unit Domain Controllers.',
    steps: [
      'Compare the policies of both units (Get-GPInheritance), and note settings that the controller gets only where it is now: certificates, firewall, agents.',
      'Link the policies that it needs to Domain Controllers, or to a unit within it.',
      'Move the account outside of business hours, update the policies (gpupdate /force) and check logons, replication (repadmin /replsummary) and DNS.',
    ],
    verify: ['gpresult on the controller shows the policy Default Domain Controllers Policy.'],
    care: 'The user rights and audit settings of the controller change at once with the move. Services that rest on rights from the other policies, such as backup or monitoring, can fail until these are linked to the unit.',
    prevent: 'Sort controllers into units within Domain Controllers, never elsewhere.',
  },
  what: 'The computer account of a domain controller is outside of the unit Domain Controllers.',
  needs: ['distinguishedname'],
  find: (facts) =>
    facts.controllers.or(facts.readOnlyControllers()).filter((node) => {
      const name = facts.text('distinguishedname', node);
      return name !== '' && !UNIT.test(name);
    }),
} as const satisfies ListFindingType;
