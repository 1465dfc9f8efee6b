/**
 * Tests a forest and three platforms in the real service: compares exposure, what-if and plan with an independent walk over the export. A
 * repair in one platform lowers the exposure of another.
 */
import { sampledCases } from '@clew/common/testing';
import { forestFiles, type GeneratedFile, generateForest, generatePlatforms } from '@clew/synthetic';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import {
  type DerivedKind,
  ExportedWalk,
  type Exposures,
  type Relation,
} from '../../test/hybrid/exportedWalk.ts';
import { ServiceUnderTest } from '../../test/serviceUnderTest.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers are checked against their schemas by the service under test.
type Json = any;

const OPTIONS = { users: 30, seed: 11 };
const platforms = generatePlatforms(OPTIONS);
const textOf = ({ text }: GeneratedFile): string => [...text(() => {})].join('');
const definitions: Json[] = platforms.definitions.map((file) => JSON.parse(textOf(file)));

let service: ServiceUnderTest;
let walk: ExportedWalk;

async function walkNow(derived: readonly DerivedKind[] = []): Promise<ExportedWalk> {
  const kinds: Json[] = await service.data('GET', 'extensions-edges');
  const { members } = await service.data('GET', 'asset-group-tags/1/members?limit=10000');
  return new ExportedWalk(await service.exported(), {
    traversable: new Set(kinds.filter(({ is_traversable }) => is_traversable).map(({ name }) => name)),
    members: new Set(members.map(({ object_id }: Json) => object_id)),
    principals: {
      Domain: ['User', 'Computer'],
      ...Object.fromEntries(
        definitions.flatMap(({ environments }) =>
          environments.map((one: Json) => [one.environment_kind, one.principal_kinds]),
        ),
      ),
    },
    derived,
  });
}

beforeAll(async () => {
  service = await ServiceUnderTest.start();
  for (const definition of definitions)
    expect((await service.call('PUT', 'extensions', definition)).status).toBe(201);
  const files = [...forestFiles(generateForest(OPTIONS)), ...platforms.payloads];
  await service.upload(...files.map((file) => JSON.parse(textOf(file))));
  await service.settled();
  walk = await walkNow();
});
afterAll(() => service?.stop());

const figures = (all: readonly Json[]): Exposures =>
  Object.fromEntries(
    all
      .filter(({ principal_count }) => principal_count > 0)
      .map((one) => [one.environment_id, `${one.exposed_count} of ${one.principal_count}`]),
  );

const hub = (): string => Object.keys(walk.exposures()).find((id) => id.startsWith('O_')) as string;
const GATE = 'GATE:ORG:AURORA';
const DESK = 'DESK:AURORA';

test('exposure of each environment equals that of a walk over the export', async () => {
  const { before } = await service.data('POST', 'plan/simulate', {});
  const counted = walk.exposures();
  expect(figures(before)).toEqual(counted);
  expect(Object.keys(counted)).toEqual(expect.arrayContaining([GATE, DESK, hub()]));
  for (const id of [GATE, DESK, hub()]) expect(counted[id]).not.toMatch(/^0 of/);
});

/** One relationship of each traversable kind of the platforms, and sets of them. */
function changes(): Relation[][] {
  const relations = ['Gate_', 'Hub_', 'Desk_'].flatMap((beginning) => walk.relations(beginning));
  const byKind = [...Map.groupBy(relations, ({ kind }) => kind).values()];
  const single = byKind.flatMap((all) => [[all[0] as Relation], [all[all.length - 1] as Relation]]);
  const ofKind = byKind.map((all) => all.slice(0, 50));
  return [...sampledCases(single, 9), ...sampledCases(ofKind, 9)];
}

test('what-if equals the walk without the relationships', async () => {
  for (const remove of changes()) {
    const { after } = await service.data('POST', 'plan/simulate', { remove });
    expect([remove[0], figures(after)]).toEqual([remove[0], walk.exposures(remove)]);
  }
});

test('a repair in one platform lowers the exposure of the others', async () => {
  const [credential] = walk
    .relations('Hub_CredentialOf')
    .filter((relation) => walk.exposures([relation])[GATE] !== walk.exposures()[GATE]);
  const { before, after } = await service.data('POST', 'plan/simulate', { remove: [credential] });
  const countOf = (all: Json[], id: string) =>
    all.find(({ environment_id }) => environment_id === id).exposed_count;
  for (const id of [GATE, DESK, hub()]) expect(countOf(after, id)).toBeLessThan(countOf(before, id));
  // The relationship belongs to Hub, and its target is in Active Directory.
  expect(credential.source_id).toMatch(/^S_/);
  expect(credential.target_id).toMatch(/^S-1-5-21-/);
});

/** @returns the relationships that the cards remove, after comparing each card with the walk */
async function removedByCards(): Promise<Relation[]> {
  await vi.waitUntil(async () => (await service.call('GET', 'plan')).json.data.computing === null, {
    timeout: 100_000,
    interval: 200,
  });
  const { cards } = await service.data('GET', `plan?limit=50&within=${hub()}`);
  expect(cards.length).toBeGreaterThan(0);
  const gone: Relation[] = [];
  for (const { packages, exposure, exposed_after } of cards) {
    for (const { references } of packages)
      for (const { kind, object_id, principal_id, relations } of references) {
        expect(kind).toBe('remove-relation');
        // Either end may be changed.
        const isOne = (one: Relation) =>
          relations.includes(one.kind) &&
          [`${object_id} ${principal_id}`, `${principal_id} ${object_id}`].includes(
            `${one.source_id} ${one.target_id}`,
          );
        const found = walk.relations('Hub_').filter(isOne);
        expect(found).toHaveLength(relations.length);
        gone.push(...found);
      }
    const counted = walk.exposures(gone);
    expect(figures(exposure)).toEqual(counted);
    expect(exposed_after).toBe(total(counted));
  }
  return gone;
}
const total = (exposures: Exposures): number =>
  Object.values(exposures).reduce((sum, text) => sum + Number(text.split(' ')[0]), 0);

test('each card of a plan for one platform equals the walk, and all of them leave no more than any one relationship', async () => {
  const gone = await removedByCards();
  const single = sampledCases(walk.relations('Hub_'), 9);
  const least = Math.min(...single.map((relation) => total(walk.exposures([relation]))));
  expect(total(walk.exposures(gone))).toBeLessThanOrEqual(least);
});

/**
 * A team with read access to a repository runs its workflow, and the workflow gives access to its secrets: neither relationship is in the
 * data.
 */
const DERIVED: readonly DerivedKind[] = [
  { kind: 'Hub_MayRun', first: 'Hub_CanRead', second: 'Hub_Runs' },
  { kind: 'Hub_MayUse', first: 'Hub_MayRun', second: 'Hub_UsesSecret' },
];
const READERS = {
  ...{ name: 'Hub_RunByReaders', title: 'A team that reads runs the workflow', category: 'Hub' },
  ...{ severity: 'high', remediation: { short_remediation: 'Protect the workflow.' } },
  cypher: 'MATCH (:Hub_Team)-[:Hub_MayRun]->(w:Hub_Workflow) RETURN w',
};

test('what-if derives relationships again, and the findings of checks over them', async () => {
  const hubDefinition = definitions.find(({ schema }) => schema.name === 'hub');
  const put = await service.call('PUT', 'extensions', {
    ...hubDefinition,
    relationship_kinds: [
      ...hubDefinition.relationship_kinds,
      ...DERIVED.map(({ kind }) => ({ name: kind, description: 'It follows.', is_traversable: true })),
    ],
    derived_relationships: DERIVED.map(({ kind, first, second }) => ({
      ...{ kind, pattern: `MATCH (a)-[:${first}]->()-[:${second}]->(b)`, start: 'a', end: 'b' },
      reason: 'It follows',
    })),
    node_findings: [READERS],
    // Expensive, so that the plan looks for alternatives.
    repairs: [{ relationship_kind: 'Hub_CredentialOf', cost: 1000 }],
  });
  expect([put.status, put.json.errors]).toEqual([200, undefined]);
  await service.settled();
  walk = await walkNow(DERIVED);
  for (const { kind } of DERIVED) {
    const made = walk.left([]).filter((edge) => edge.kind === kind);
    expect([kind, walk.ofKind(kind).length]).toEqual([kind, made.length]);
    expect(made.length).toBeGreaterThan(0);
  }
  const { before } = await service.data('POST', 'plan/simulate', {});
  expect(figures(before)).toEqual(walk.exposures());
  const some = (kind: string) => sampledCases(walk.ofKind(kind).slice(0, 3), 3);
  const reads = walk.ofKind('Hub_CanRead');
  const workflows = new Set(walk.ofKind('Hub_MayRun').map(({ target_id }) => target_id));
  for (const [remove, closed] of [
    [reads, workflows.size],
    [walk.ofKind('Hub_Runs'), workflows.size],
    [walk.ofKind('Hub_UsesSecret'), 0],
    ...['Hub_CanRead', 'Hub_Runs', 'Hub_UsesSecret', 'Hub_MayRun', 'Hub_MayUse'].flatMap((kind) =>
      some(kind).map((one) => [[one], undefined]),
    ),
  ] as [Relation[], number | undefined][]) {
    const { after, closed: ended, not_computed } = await service.data('POST', 'plan/simulate', { remove });
    expect([remove[0], figures(after), not_computed]).toEqual([remove[0], walk.exposures(remove), []]);
    if (closed !== undefined)
      expect(ended.filter(({ title }: Json) => title === READERS.title).length).toBe(Math.min(closed, 100));
  }
});

test('a card that removes the basis of derived relationships is credited with all resulting effects', async () => {
  const gone = await removedByCards();
  const derived = walk.left(gone).filter((edge) => DERIVED.some(({ kind }) => kind === edge.kind));
  const before = DERIVED.flatMap(({ kind }) => walk.ofKind(kind));
  expect(derived.length).toBeLessThan(before.length);
  // Nothing of Hub is removed that cannot be removed.
  expect(gone.filter(({ kind }) => DERIVED.some((one) => one.kind === kind))).toEqual([]);
});
