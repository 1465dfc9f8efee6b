import { NO_NODE, NodeSet } from '@clew/graph';
import { graphOf, type TestEdge, type TestNode } from '@clew/graph/testing';
import { EdgeKind, NodeKind, type RulesMode } from '@clew/model';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type NaiveFinding, NaiveRatings } from '../../test/findings/naiveRatings.ts';
import { contextOf, type Fact, findIn, NOW, OTHER_SID, SID, type Thing } from '../../test/findings/worlds.ts';
import { findFindings } from './findFindings.ts';
import { rateSeverity, SEVERITIES } from './severity.ts';
import { builtInTypeById, FINDING_TYPES } from './types/index.ts';

const ENVIRONMENTS = [0, 1, 2].map((at) => `S-1-5-21-${at}-0-0`);
const NODES = 28;
const name = (node: number): string => `N${String(node).padStart(2, '0')}`;
const SHAPES = ['User', 'Computer', 'Group', 'OU', 'GPO'] as const;
const KINDS = ['MemberOf', 'GenericAll', 'AdminTo', 'HasSession', 'Owns', 'GetChanges'] as const;

const node = fc.nat(NODES - 1);
const worlds = fc.record({
  shapes: fc.array(fc.constantFrom(...SHAPES), { minLength: NODES, maxLength: NODES }),
  environments: fc.array(fc.nat(2), { minLength: NODES, maxLength: NODES }),
  edges: fc.array(fc.tuple(node, fc.constantFrom(...KINDS), node), { maxLength: 90 }),
  tierZero: fc.uniqueArray(node, { maxLength: 6 }),
  second: fc.uniqueArray(node, { maxLength: 6 }),
  everybody: fc.nat(NODES - 1),
  roastable: fc.uniqueArray(node, { maxLength: 5 }),
  /** The first two domains are one forest. */
  isForest: fc.boolean(),
});

describe('exposure, impact and composite risk', () => {
  test.each(['clean', 'parity'] as const)('equal the definition, walked step by step (%s)', (rules) => {
    fc.assert(
      fc.property(worlds, (spec) => {
        const nodes: TestNode[] = [
          ...ENVIRONMENTS.map((id) => ({
            id,
            kinds: [NodeKind.Base, NodeKind.Domain],
            props: { domainsid: id },
          })),
          ...spec.shapes.map((shape, at) => ({
            id: name(at),
            kinds: [NodeKind.Base, NodeKind[shape]],
            props: {
              domainsid: ENVIRONMENTS[spec.environments[at]],
              enabled: true,
              hasspn: spec.roastable.includes(at),
            },
          })),
          {
            id: `${ENVIRONMENTS[0]}-513`,
            kinds: [NodeKind.Base, NodeKind.Group],
            props: { domainsid: ENVIRONMENTS[0] },
          },
        ];
        const edges: TestEdge[] = [
          ...spec.edges.map(([start, kind, end]): TestEdge => [name(start), EdgeKind[kind], name(end)]),
          [name(spec.everybody), EdgeKind.MemberOf, `${ENVIRONMENTS[0]}-513`],
          [`${ENVIRONMENTS[0]}-513`, EdgeKind.GenericAll, name(spec.everybody)],
          ...(spec.isForest
            ? [[ENVIRONMENTS[0], EdgeKind.SameForestTrust, ENVIRONMENTS[1]] satisfies TestEdge]
            : []),
        ];
        const world = graphOf({ nodes, edges });
        const size = world.graph.nodeCount;
        const first = new Set(spec.tierZero.map(name));
        const second = new Set(spec.second.map(name).filter((id) => !first.has(id)));
        const set = (ids: Iterable<string>) => NodeSet.of(size, Array.from(ids, world.node));
        // A member of a group in a zone is added to the zone, or awaits certification.
        const drawn = (zone: ReadonlySet<string>): NodeSet => {
          const into = edges.filter(([, kind, end]) => kind === EdgeKind.MemberOf && zone.has(end));
          return set(into.map(([start]) => start).filter((start) => !zone.has(start)));
        };
        const zones = [
          { id: 1, position: 1, analyzed: true, members: set(first), pending: drawn(first) },
          { id: 9, position: 2, analyzed: true, members: set(second), pending: drawn(second) },
        ];
        const result = findFindings({ context: contextOf(world, { rules }), zones, now: NOW });
        expect(result.warnings).toEqual([]);
        const naive = new NaiveRatings({
          nodes: nodes.map(({ id, kinds, props }) => ({
            id,
            environment: String(props?.domainsid),
            isPrincipal: [NodeKind.User, NodeKind.Computer].some((kind) => kinds?.includes(kind)),
          })),
          steps: edges.flatMap(([a, kind, b]) => (kind === EdgeKind.GetChanges ? [] : [[a, b] as const])),
          zones: [
            { id: 1, members: first },
            { id: 9, members: second },
          ],
          rules,
          ...(spec.isForest && { forest: ENVIRONMENTS.slice(0, 2) }),
        });
        const { found, ratings } = result;
        const environmentOf = (place: number) => world.ids([result.environments.nodes[place]])[0];
        const findings = Array.from(
          { length: found.count },
          (_, at): NaiveFinding => ({
            type: FINDING_TYPES[found.types[at]].id,
            zone: found.zones[at],
            source: found.sources[at] === NO_NODE ? undefined : world.ids([found.sources[at]])[0],
            target: world.ids([found.targets[at]])[0],
            environment: environmentOf(found.environments[at]),
          }),
        );
        for (const [at, finding] of findings.entries()) {
          expect([finding, ratings.exposureCounts[at], ratings.impactCounts[at]]).toEqual([
            finding,
            naive.exposed(finding).size,
            naive.falling(finding).size,
          ]);
          const principals = naive.principals(finding.environment).size;
          expect(ratings.impacts[at]).toBeCloseTo(naive.falling(finding).size / Math.max(1, principals));
          const outside = naive.outside(finding.environment, finding.zone).size;
          expect(ratings.exposures[at]).toBeCloseTo(naive.exposed(finding).size / Math.max(1, outside));
          const foreign = ENVIRONMENTS.filter((id) => rules === 'clean' && id !== finding.environment).map(
            (id) => [id, naive.exposedFrom(id, finding).size] as const,
          );
          const shown = (ratings.foreign.get(at) ?? []).map(
            ({ environment, count }) => [environmentOf(environment), count] as const,
          );
          expect(shown).toEqual(foreign.filter(([, count]) => count > 0));
        }
        expect(result.risks.reduce((sum, risk) => sum + risk.findingCount, 0)).toBe(found.count);
        for (const risk of result.risks) {
          const members = findings.filter(
            ({ type, zone, environment }) =>
              type === FINDING_TYPES[risk.type].id &&
              zone === risk.zone &&
              environment === environmentOf(risk.environment),
          );
          expect(risk.findingCount).toBe(members.length);
          expect(risk.impactedAssets).toBe(new Set(members.map(({ target }) => target)).size);
          expect(risk.compositeRisk).toBeCloseTo(naive.compositeRisk(members));
        }
        const parts = new Set([...ratings.parts.values()].flat());
        for (const posture of result.postures) {
          const environment = environmentOf(posture.environment);
          const expected = posture.zone === 0 ? 0 : naive.exposureIndex(environment, posture.zone);
          expect(posture.exposureIndex).toBeCloseTo(expected);
          const members = findings.filter(
            (one, at) => one.zone === posture.zone && one.environment === environment && !parts.has(at),
          );
          expect(posture.findingCount).toBe(members.length);
          const paths = members.map(
            (one) => (posture.zone === 0 ? naive.falling(one) : naive.exposed(one)).size,
          );
          const listed = members.filter(({ source }) => source === undefined && posture.zone !== 0);
          const impacts = listed.map((one) => naive.falling(one).size);
          expect(posture.attackPathCount).toBe([...paths, ...impacts].reduce((sum, one) => sum + one, 0));
        }
      }),
      { numRuns: 150 },
    );
  });

  test('counts the members of a group, not the group, and none beyond the zone', () => {
    const things: Thing[] = [
      ['G', 'Group'],
      ...['A', 'B', 'ADMIN', 'BEHIND', 'Z', 'X'].map((id): Thing => [id, 'User']),
    ];
    const facts: Fact[] = [
      ['A', 'MemberOf', 'G'],
      ['B', 'MemberOf', 'G'],
      ['G', 'GenericAll', 'Z'],
      ['ADMIN', 'GenericAll', 'G'],
      ['BEHIND', 'GenericAll', 'ADMIN'],
    ];
    const { result, texts } = findIn({ things, facts, tierZero: ['Z', 'ADMIN'] });
    const at = texts.indexOf('T0GenericAll: G -> Z');
    // A and B out of A, B, BEHIND and X outside the zone. BEHIND reaches it only through the zone.
    expect([result.ratings.exposureCounts[at], result.ratings.exposures[at]]).toEqual([2, 0.5]);
    expect([result.ratings.impactCounts[at], result.ratings.impacts[at]]).toEqual([1, 1 / 6]);
    expect(SEVERITIES[result.ratings.severities[at]]).toBe('high');
    const posture = result.postures.find(({ zone, memberCount }) => zone === 1 && memberCount > 0);
    expect(posture).toMatchObject({
      exposureIndex: 0.75,
      principalCount: 4,
      memberCount: 2,
      findingCount: 2,
    });
  });

  test('of a trust between forests is that of the forest at its source', () => {
    const things: Thing[] = [
      ['HERE', 'User'],
      [OTHER_SID, 'Domain', { domainsid: OTHER_SID }],
      ['THERE-ADMIN', 'User', { domainsid: OTHER_SID }],
      ['THERE-HELP', 'User', { domainsid: OTHER_SID }],
      ['THERE-USER', 'User', { domainsid: OTHER_SID }],
    ];
    const facts: Fact[] = [
      [OTHER_SID, 'SpoofSIDHistory', SID],
      ['THERE-ADMIN', 'GenericAll', OTHER_SID],
      ['THERE-HELP', 'ForceChangePassword', 'THERE-ADMIN'],
    ];
    const { result, texts, world } = findIn({ things, facts, tierZero: [SID, OTHER_SID, 'THERE-ADMIN'] });
    const at = texts.indexOf(`T0SpoofSIDHistory: ${OTHER_SID} -> ${SID}`);
    expect([result.ratings.exposureCounts[at], result.ratings.exposures[at]]).toEqual([0, 0]);
    const there = result.environments.nodes.findIndex((node) => world.ids([node])[0] === OTHER_SID);
    expect(result.ratings.foreign.get(at)).toEqual([{ environment: there, count: 1, share: 1 / 2 }]);
    // It also represents the trust itself, which is never below high.
    expect(result.ratings.parts.get(at)).toEqual([texts.indexOf(`TrustWithoutSIDFiltering: ${SID}`)]);
    expect(SEVERITIES[result.ratings.severities[at]]).toBe('high');
  });
});

describe('severity', () => {
  const shareOf = (exposed: number, whole: number) => {
    const ids = Array.from({ length: whole }, (_, at) => `U${String(at).padStart(3, '0')}`);
    const things: Thing[] = [['G', 'Group'], ['Z', 'GPO'], ...ids.map((id): Thing => [id, 'User'])];
    const facts: Fact[] = [
      ['G', 'GenericAll', 'Z'],
      ...ids.slice(0, exposed).map((id): Fact => [id, 'MemberOf', 'G']),
    ];
    const { result } = findIn({ things, facts, tierZero: ['Z'] });
    return SEVERITIES[result.ratings.severities[0]];
  };

  test.each<[number, number, string]>([
    [95, 100, 'critical'],
    [189, 199, 'high'],
    [80, 100, 'high'],
    // Direct control of Tier Zero, at any share.
    [159, 199, 'high'],
    [1, 100, 'high'],
    // No one can use it today.
    [0, 100, 'low'],
  ])('of %i in %i is %s', (exposed, whole, severity) => {
    expect(shareOf(exposed, whole)).toBe(severity);
  });

  test.each<[string, number, string, string]>([
    // Impact decides for an opening, and up to moderate for a safeguard of Tier Zero; nothing is below its floor.
    ['Kerberoasting', 1, 'high', 'critical'],
    ['Kerberoasting', 0, 'low', 'low'],
    ['T0Kerberoastable', 0, 'high', 'high'],
    ['StaleUsers', 1, 'low', 'critical'],
    ['StaleUsers', 0.39, 'low', 'low'],
    ['T0MarkSensitive', 1, 'moderate', 'critical'],
    ['T0MarkSensitive', 0.4, 'moderate', 'moderate'],
    ['T0MarkSensitive', 0.39, 'low', 'low'],
    ['T0PasswordNeverExpires', 0, 'moderate', 'moderate'],
    ['DCLDAPSigningOff', 1, 'high', 'critical'],
    ['PrivilegedSIDHistory', 0, 'critical', 'critical'],
  ])('of %s with an impact of %d is %s, by the public rule %s', (id, impact, clean, parity) => {
    const type = builtInTypeById(id)!;
    const effort = (type.kind === 'list' ? type.effort : undefined) ?? 1;
    const severity = (rules?: RulesMode) =>
      SEVERITIES[rateSeverity(type, { users: 1, falling: impact, effort, rules }).severity];
    expect([severity('clean'), severity('parity'), severity()]).toEqual([clean, parity, clean]);
  });

  test('is never above moderate for a missing safeguard, but for its floor, and never below the floor', () => {
    const lists = FINDING_TYPES.filter((type) => type.kind === 'list');
    fc.assert(
      fc.property(fc.constantFrom(...lists), fc.double({ min: 0, max: 1, noNaN: true }), (type, impact) => {
        const floor = SEVERITIES.indexOf(type.floor);
        const facts = { users: 1, falling: impact, effort: 1 } as const;
        const { severity } = rateSeverity(type, facts);
        expect(severity).toBeGreaterThanOrEqual(floor);
        expect(severity).toBeLessThanOrEqual(rateSeverity(type, { ...facts, rules: 'parity' }).severity);
        if (type.nature === 'safeguard') {
          expect(severity).toBeLessThanOrEqual(type.scope === 'tier-zero' ? Math.max(1, floor) : floor);
        }
      }),
    );
  });
});

describe('objects equivalent to a domain', () => {
  const DOMAIN_USERS: Thing = [`${SID}-513`, 'Group'];
  const people = ['A', 'B', 'C', 'D'].map((id): Thing => [id, 'User', { enabled: true }]);
  const ratingOf = (things: Thing[], facts: Fact[], text: string, tierZero: string[] = []) => {
    const { result, texts } = findIn({ things: [...people, ...things], facts, tierZero });
    const at = texts.indexOf(text);
    expect(texts).toContain(text);
    return [result.ratings.impactCounts[at], SEVERITIES[result.ratings.severities[at]]];
  };
  const holdsAll: Fact[] = ['A', 'B', 'C', 'D'].map((id) => [SID, 'Contains', id]);

  test.each<[string, Thing, Fact[]]>([
    ['Account Operators', ['CORP-S-1-5-32-548', 'Group'], []],
    ['DnsAdmins', ['DNS', 'Group', { name: 'DNSADMINS@CORP.LOCAL' }], []],
  ])('is %s', (_, group, facts) => {
    const text = `LargeDefaultGroupsAddMember: ${SID}-513 -> ${group[0]}`;
    const all: Fact[] = [[`${SID}-513`, 'AddMember', group[0]], ...holdsAll, ...facts];
    expect(ratingOf([DOMAIN_USERS, group], all, text)).toEqual([4, 'critical']);
    // A group without such power.
    const plain: Thing = ['PLAIN', 'Group', { name: 'PLAIN@CORP.LOCAL' }];
    expect(
      ratingOf(
        [DOMAIN_USERS, plain],
        [[`${SID}-513`, 'AddMember', 'PLAIN'], ...holdsAll],
        `LargeDefaultGroupsAddMember: ${SID}-513 -> PLAIN`,
      ),
    ).toEqual([0, 'low']);
  });

  test.each([true, false])(
    'is an authority and its templates, if their certificates log on (%s)',
    (isTrusted) => {
      const things: Thing[] = [
        DOMAIN_USERS,
        ['CA', 'EnterpriseCA'],
        ['T', 'CertTemplate'],
        ['STORE', 'NTAuthStore'],
      ];
      const facts: Fact[] = [
        ['T', 'PublishedTo', 'CA'],
        ['STORE', 'NTAuthStoreFor', SID],
        ...(isTrusted ? [['CA', 'TrustedForNTAuth', 'STORE'] as Fact] : []),
        ...holdsAll,
        [`${SID}-513`, 'GenericAll', 'CA'],
        [`${SID}-513`, 'GenericAll', 'T'],
      ];
      const expected = isTrusted ? [4, 'critical'] : [0, 'low'];
      for (const target of ['CA', 'T'])
        expect(ratingOf(things, facts, `LargeDefaultGroupsGenericAll: ${SID}-513 -> ${target}`)).toEqual(
          expected,
        );
    },
  );

  const PUBLIC_KEYS = 'CN=PUBLIC KEY SERVICES,CN=SERVICES,CN=CONFIGURATION,DC=CORP,DC=LOCAL';

  test.each<[string, Thing, Fact[]]>([
    [
      'AdminSDHolder',
      ['X', 'Container', { distinguishedname: 'CN=ADMINSDHOLDER,CN=SYSTEM,DC=CORP,DC=LOCAL' }],
      [],
    ],
    ['the NTAuth store', ['X', 'NTAuthStore'], [['X', 'NTAuthStoreFor', SID]]],
    ['a root authority', ['X', 'RootCA'], [['X', 'RootCAFor', SID]]],
    [
      'the container of root authorities',
      ['X', 'Container', { distinguishedname: `CN=CERTIFICATION AUTHORITIES,${PUBLIC_KEYS}` }],
      [],
    ],
  ])('is %s', (_, object, facts) => {
    const plain: Thing = ['PLAIN', 'Container', { distinguishedname: `CN=OID,${PUBLIC_KEYS}` }];
    const all: Fact[] = [
      ...['X', 'PLAIN'].map((id): Fact => [`${SID}-513`, 'GenericAll', id]),
      ...[...holdsAll, ...facts],
    ];
    const rating = (id: string) =>
      ratingOf([DOMAIN_USERS, object, plain], all, `LargeDefaultGroupsGenericAll: ${SID}-513 -> ${id}`);
    expect(rating('X')).toEqual([4, 'critical']);
    expect(rating('PLAIN')).toEqual([0, 'low']);
  });

  test('needs no figure where everybody holds a right over Tier Zero', () => {
    const text = `LargeDefaultGroupsGenericAll: ${SID}-513 -> POLICY`;
    const things: Thing[] = [DOMAIN_USERS, ['POLICY', 'GPO']];
    const facts: Fact[] = [[`${SID}-513`, 'GenericAll', 'POLICY']];
    expect(ratingOf(things, facts, text, ['POLICY'])).toEqual([0, 'critical']);
    expect(ratingOf(things, facts, text)).toEqual([0, 'low']);
  });
});

describe('an opening', () => {
  const AUTHENTICATED = 'CORP.LOCAL-S-1-5-11';
  const things: Thing[] = [
    [AUTHENTICATED, 'Group', { domainsid: SID }],
    ['SVC', 'User', { enabled: true, hasspn: true }],
    ...Array.from({ length: 9 }, (_, at): Thing => [`U${at}`, 'User', { enabled: true }]),
  ];
  const holds: Fact[] = Array.from({ length: 9 }, (_, at) => ['SVC', 'GenericAll', `U${at}`]);
  const severityIn = (facts: Fact[]) => {
    const { result, texts } = findIn({ things, facts, tierZero: [] });
    const at = texts.indexOf('Kerberoasting: SVC');
    return [result.ratings.impactCounts[at], SEVERITIES[result.ratings.severities[at]]];
  };

  test('is rated by its own rights, no matter who else has them', () => {
    // The effort is luck, because the password must be guessed.
    expect(severityIn(holds)).toEqual([10, 'high']);
    expect(severityIn([...holds, [AUTHENTICATED, 'GenericAll', 'SVC']])).toEqual([10, 'high']);
    const some: Fact[] = Array.from({ length: 5 }, (_, at) => [AUTHENTICATED, 'GenericAll', `U${at}`]);
    expect(severityIn([...holds, ...some])).toEqual([10, 'high']);
    // Rights that everybody has do not count.
    const asEverybody: Fact[] = [
      ['SVC', 'MemberOf', AUTHENTICATED],
      ...Array.from({ length: 9 }, (_, at): Fact => [AUTHENTICATED, 'GenericAll', `U${at}`]),
    ];
    expect(severityIn(asEverybody)).toEqual([10, 'low']);
  });
});
