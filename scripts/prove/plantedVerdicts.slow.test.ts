/** Tests the verdicts on single changes of a small organization, and that a plan of wrong changes misses the requirements. */

import { nameOf } from '@clew/graph';
import type { AnalyzedWorld, Repair } from '@clew/planning';
import { beforeAll, describe, expect, it } from 'vitest';
import { planScope } from '../../packages/planning/src/search/planScope.ts';
import { rankedZone } from '../../packages/planning/src/simulation/simulate.ts';
import { finish } from '../../packages/planning/src/steps.ts';
import { generated } from './organizations.ts';
import { plantedFaults } from './plantedBars.ts';
import { organizationNamed } from './plantedOrganizations.ts';
import { type Truth, truthOf } from './plantedTruth.ts';
import { verdictOf } from './plantedVerdicts.ts';
import { provePlanted } from './provePlanted.ts';
import { readWorld, TIER_ZERO } from './reading.ts';

const NAME = '300-3-2-2';

let world: AnalyzedWorld;
let truth: Truth;
let repairs: readonly Repair[];

beforeAll(async () => {
  const options = organizationNamed(NAME);
  const files = await generated(options).files();
  truth = await truthOf(files, await generated({ ...options, flaws: 'none' }).files());
  world = await readWorld(files);
  const zone = rankedZone(world, TIER_ZERO);
  if (zone === undefined) throw new Error('the zone was not analyzed');
  repairs = finish(planScope(world, zone, { zone: TIER_ZERO })).graph.repairs;
});

/** Marks of all repairs of the kind between objects of these names. */
function marksOf(kind: Repair['kind'], principal: RegExp, object: RegExp): Set<string> {
  const { graph } = world.context;
  const marks = repairs
    .filter(
      (repair) =>
        repair.kind === kind &&
        (repair.principal === undefined || principal.test(nameOf(graph, repair.principal))) &&
        object.test(nameOf(graph, repair.object)),
    )
    .map((repair) => verdictOf(world, truth, repair).mark);
  return new Set(marks);
}

describe('a change', () => {
  it.each([
    ['remove-permission', /^TEAM_OSLO_00001@AURORA/, /^T2_HELPDESK_OSLO@AURORA/],
    ['remove-permission', /^SVC_SYNC@/, /^AURORA\.EXAMPLE$/],
    ['keep-off', /^T0-/, /^LEDGER01\./],
    ['controllers-ldap-signing', /./, /EXAMPLE$/],
    ['authority-web-enrollment', /./, /ISSUING CA/],
    ['remove-role', /^[A-Z]+\.[A-Z]+@AURORA\.EXAMPLE$/, /ADMINISTRATOR/],
  ] as const)('is right if it undoes a planted flaw: %s of %o at %o', (kind, principal, object) => {
    expect(marksOf(kind, principal, object)).toEqual(new Set(['a']));
  });

  it.each([
    ['remove-logon-right', /^REMOTE DESKTOP USERS@TS/, /^TS001\./],
    ['remove-member', /^TEAM_/, /^DEPT_/],
    ['remove-local-member', /^T1_SERVER_ADMINS@/, /^ADMINISTRATORS@LEDGER/],
    ['keep-off', /^SVC_LEDGER@/, /^LEDGER\d\d\.AURORA/],
  ] as const)(
    'breaks the organization if it removes part of its design: %s of %o at %o',
    (kind, principal, object) => {
      expect(marksOf(kind, principal, object)).toEqual(new Set(['b']));
    },
  );

  it('breaks Microsoft defaults, or closes a hole in a harmful way', () => {
    expect(marksOf('remove-enrollment', /^DOMAIN USERS@/, /^USER@/)).toEqual(new Set(['c']));
    expect(marksOf('template-subject', /./, /^WEBSERVER@/)).toEqual(new Set(['c']));
    // The card asks for a copy first.
    expect(marksOf('unpublish-template', /^WEBSERVER@/, /./)).toEqual(new Set(['a']));
    expect(marksOf('template-subject', /./, /^VPN LEGACY@/)).toEqual(new Set(['a']));
    expect(marksOf('remove-enrollment', /^MIGRATED_USERS@/, /^VPN LEGACY@/)).toEqual(new Set(['d']));
  });
});

it('a plan of only wrong changes misses the requirements', async () => {
  const organization = organizationNamed(NAME);
  const broken = await provePlanted(organization, () => ({ mark: 'b', reason: 'planted here' }));
  expect(broken.changes.length).toBeGreaterThan(0);
  expect(plantedFaults([broken])).toEqual([expect.stringMatching(/^0 of \d+ changes undo what was planted/)]);
});
