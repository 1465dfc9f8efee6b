import { NodeSet } from '@clew/graph';
import { describe, expect, test } from 'vitest';
import { ACCOUNTS_CASES } from '../../test/findings/cases/accounts.ts';
import { type Case, type Cases, user } from '../../test/findings/cases/case.ts';
import { CERTIFICATES_CASES } from '../../test/findings/cases/certificates.ts';
import { ENTRA_CASES } from '../../test/findings/cases/entra.ts';
import { INFRASTRUCTURE_CASES } from '../../test/findings/cases/infrastructure.ts';
import { KERBEROS_CASES } from '../../test/findings/cases/kerberos.ts';
import { PRIVILEGES_CASES } from '../../test/findings/cases/privileges.ts';
import { RESOURCES_CASES } from '../../test/findings/cases/resources.ts';
import { type Found, findIn, OBSERVATION, OTHER_SID, SID, type Thing } from '../../test/findings/worlds.ts';
import { findingEdgeProperties, findingProperties } from './findFindings.ts';
import { FACTS_READS } from './findingFacts.ts';
import type { ListFindingType } from './types/findingType.ts';
import { LIST_FINDINGS as TABLE } from './types/list/index.ts';
import { isObsolete } from './types/list/infrastructure/obsoleteSystems.ts';

const LIST_FINDINGS: readonly ListFindingType[] = TABLE;

function search(given: Case): Found {
  const { scanned } = given;
  if (scanned === undefined) return findIn(given);
  const { world } = findIn(given);
  const set = NodeSet.of(world.graph.nodeCount, scanned.map(world.node));
  return findIn(given, { scanned: { sessions: set, localGroups: NodeSet.empty(world.graph.nodeCount) } });
}

const CASES: Cases = {
  ...KERBEROS_CASES,
  ...PRIVILEGES_CASES,
  ...ACCOUNTS_CASES,
  ...INFRASTRUCTURE_CASES,
  ...CERTIFICATES_CASES,
  ...ENTRA_CASES,
  ...RESOURCES_CASES,
};

describe('the table of list findings', () => {
  test('has a case below for each', () => {
    expect(Object.keys(CASES).sort()).toEqual(LIST_FINDINGS.map(({ id }) => id).sort());
  });

  const cases = LIST_FINDINGS.flatMap(({ id }) =>
    [CASES[id]].flat().map((given, at) => [id, at + 1, given] as const),
  );

  test.each(cases)('%s finds the objects it is about, and nothing near (%i)', (id, _number, given) => {
    const { of, result, world } = search(given);
    expect(result.failed).toEqual(new Map());
    expect(of(id).sort()).toEqual([...given.finds].sort());
    // The objects that must not be found exist in the world.
    expect(given.not.length + given.finds.length).toBeGreaterThan(0);
    for (const other of given.not) expect(world.node(other)).toBeGreaterThanOrEqual(0);
  });

  // Undeclared reads throw in the cases above.
  test('reads all that it declares', () => {
    const readers = LIST_FINDINGS.map(({ id, reads = {} }) => ({ name: id, reads }));
    expect(OBSERVATION.unused(readers)).toEqual([]);
    const ofFacts = new Set(LIST_FINDINGS.flatMap(({ id }) => [...OBSERVATION.usedBy(id)]));
    for (const kind of FACTS_READS.edges ?? []) expect(ofFacts).toContain(`edge ${kind}`);
    for (const key of FACTS_READS.nodeProperties ?? []) expect(ofFacts).toContain(`property ${key}`);
    for (const { name } of FACTS_READS.shared ?? []) expect(ofFacts).toContain(`structure ${name}`);
  });

  test('has its properties loaded', () => {
    const loaded = findingProperties();
    for (const { id } of LIST_FINDINGS) {
      for (const what of OBSERVATION.usedBy(id)) {
        const [, key] = /^property (\S+)$/.exec(what) ?? [];
        if (key !== undefined) expect([id, loaded]).toEqual([id, expect.arrayContaining([key])]);
      }
    }
    expect(findingEdgeProperties().keys).toEqual(['trustattributesinbound', 'trustattributesoutbound']);
  });
});

describe('coverage', () => {
  test('lists missing data, and finds nothing about it', () => {
    const things: Thing[] = [user('U'), user('V', { domainsid: OTHER_SID, sensitive: false })];
    const { result, world, of } = findIn({ things, tierZero: ['U', 'V'] });
    // Whether U is marked as sensitive was not collected in its domain.
    expect(of('T0MarkSensitive')).toEqual(['V']);
    const gaps = result.gaps
      .filter(({ finding }) => finding === 'T0MarkSensitive')
      .map(({ environment, missing }) => [world.ids([environment])[0], missing]);
    expect(gaps).toEqual([[SID, ['sensitive']]]);
  });

  test('counts a property as collected where its absence is an answer', () => {
    const { result } = findIn({ things: [user('U', { pwdlastset: 1 })] });
    const about = (id: string) =>
      result.gaps.filter(({ finding, environment }) => finding === id && environment >= 0);
    expect(about('PasswordInAttribute').map(({ environment }) => environment)).toHaveLength(1);
    expect(about('Kerberoasting')).toHaveLength(2);
  });

  test('counts the computers that were scanned among the active ones', () => {
    const given = CASES.SessionCollectionGap as Case;
    const { result, world } = search(given);
    const byDomain = Object.fromEntries(
      result.completeness.map(({ environment, active, sessions, localGroups }) => [
        world.ids([result.environments.nodes[environment]])[0],
        [active, sessions, localGroups],
      ]),
    );
    expect(byDomain).toMatchObject({ [SID]: [2, 1, 0], [OTHER_SID]: [1, 1, 0] });
  });
});

describe('a list finding', () => {
  test('is at least as severe as its floor', () => {
    const { result, of } = findIn({
      things: [
        user('A', { sidhistory: [`${OTHER_SID}-519`] }),
        ...Array.from({ length: 9 }, (_, at) => user(`U${at}`)),
      ],
    });
    expect(of('PrivilegedSIDHistory')).toEqual(['A']);
    const severities = [...result.ratings.severities];
    // The impact is one in ten. SIDHistoryPresent has the floor low, PrivilegedSIDHistory critical.
    expect(severities.sort()).toEqual([0, 3]);
  });
});

describe('systems without support', () => {
  test.each([
    ['WINDOWS SERVER 2012 R2 DATACENTER', true],
    ['WINDOWS SERVER® 2008 STANDARD', true],
    ['WINDOWS XP PROFESSIONAL', true],
    ['WINDOWS 8.1 ENTERPRISE', true],
    ['WINDOWS 10 PRO', true],
    ['WINDOWS 10 ENTERPRISE LTSC', false],
    ['WINDOWS 11 ENTERPRISE', false],
    ['WINDOWS SERVER 2016 STANDARD', false],
    ['WINDOWS SERVER 2025 DATACENTER', false],
    ['SAMBA', false],
    ['', false],
  ])('%s: %s', (system, obsolete) => {
    expect(isObsolete(system)).toBe(obsolete);
  });
});
