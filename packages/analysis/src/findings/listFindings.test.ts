import { NodeProperties, NodeSet } from '@clew/graph';
import { FINDING_TYPES } from '@clew/model';
import { describe, expect, test } from 'vitest';
import { defaultOptions } from '../analyse.ts';
import { AnalysisContext } from '../analysisContext.ts';
import { CONDITIONS } from './conditions/index.ts';
import { isObsolete } from './conditions/obsoleteSystems.ts';
import { findFindings, findingEdgeProperties, findingProperties } from './findFindings.ts';
import { ACCOUNTS_CASES } from './test/cases/accounts.ts';
import { type Case, type Cases, user } from './test/cases/case.ts';
import { CERTIFICATES_CASES } from './test/cases/certificates.ts';
import { ENTRA_CASES } from './test/cases/entra.ts';
import { INFRASTRUCTURE_CASES } from './test/cases/infrastructure.ts';
import { KERBEROS_CASES } from './test/cases/kerberos.ts';
import { PRIVILEGES_CASES } from './test/cases/privileges.ts';
import { RESOURCES_CASES } from './test/cases/resources.ts';
import { type Found, findIn, NOW, OTHER_SID, SID, type Thing } from './test/worlds.ts';

const LIST_FINDINGS = FINDING_TYPES.filter(({ kind }) => kind === 'list');

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

describe('the table of conditions', () => {
  const ids = LIST_FINDINGS.map(({ id }) => id).sort();

  test('has one for every list finding, and a case below for each', () => {
    expect(Object.keys(CONDITIONS).sort()).toEqual(ids);
    expect(Object.keys(CASES).sort()).toEqual(ids);
  });

  const cases = LIST_FINDINGS.flatMap(({ id }) =>
    [CASES[id]].flat().map((given, at) => [id, at + 1, given] as const),
  );

  test.each(cases)('%s finds the objects it is about, and nothing near (%i)', (id, _number, given) => {
    const { of, result, world } = search(given);
    expect(result.failed).toEqual(new Map());
    expect(of(id).sort()).toEqual([...given.finds].sort());
    // What must not be found is there to be found.
    expect(given.not.length + given.finds.length).toBeGreaterThan(0);
    for (const other of given.not) expect(world.node(other)).toBeGreaterThanOrEqual(0);
  });

  test('reads nothing that a loader would not fetch', () => {
    const read = new Set<string>();
    for (const [, , given] of cases) {
      const { world } = findIn(given);
      const properties = new RecordingProperties(world.graph.nodeCount, read);
      for (let node = 0; node < world.graph.nodeCount; node++)
        properties.setAll(node, world.properties.of(node));
      const input = {
        graph: world.graph,
        properties,
        edgeProperties: world.edgeProperties,
        options: defaultOptions(),
      };
      const set = (names: readonly string[]) => NodeSet.of(world.graph.nodeCount, names.map(world.node));
      const zone = {
        id: 1,
        position: 1,
        analysed: true,
        members: set(given.tierZero ?? []),
        pending: set([]),
      };
      findFindings({ context: new AnalysisContext(input), zones: [zone], now: NOW });
    }
    const loaded = new Set(findingProperties());
    expect([...read].filter((key) => !loaded.has(key))).toEqual([]);
    expect(findingEdgeProperties().keys).toEqual(['trustattributesinbound', 'trustattributesoutbound']);
  });
});

/** Notes every key that is asked for. */
class RecordingProperties extends NodeProperties {
  readonly #read: Set<string>;

  constructor(nodeCount: number, read: Set<string>) {
    super(nodeCount);
    this.#read = read;
  }

  override flag(key: string, node: number) {
    this.#read.add(key);
    return super.flag(key, node);
  }

  override text(key: string, node: number) {
    this.#read.add(key);
    return super.text(key, node);
  }

  override number(key: string, node: number) {
    this.#read.add(key);
    return super.number(key, node);
  }

  override list(key: string, node: number) {
    this.#read.add(key);
    return super.list(key, node);
  }

  override nodesWhere(key: string, value: boolean | string | number) {
    this.#read.add(key);
    return super.nodesWhere(key, value);
  }

  override nodesMatching(key: string, test: Parameters<NodeProperties['nodesMatching']>[1]) {
    this.#read.add(key);
    return super.nodesMatching(key, test);
  }
}

describe('coverage', () => {
  test('tells what nobody collected, and keeps silent about it', () => {
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
    // Impact is one in ten. SIDHistoryPresent has the floor low, PrivilegedSIDHistory critical.
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
