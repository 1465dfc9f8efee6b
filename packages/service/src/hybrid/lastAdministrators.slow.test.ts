/**
 * The plans of the organization of the demo, and of a smaller one, with platforms and a tenant, leave each environment an administrator: the
 * ones left are counted in an export, without the engine.
 */
import { sampledCases } from '@clew/common/testing';
import {
  forestFiles,
  type GeneratedFile,
  generateForest,
  generatePlatforms,
  generateTenant,
} from '@clew/synthetic';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { ServiceUnderTest } from '../../test/serviceUnderTest.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers are checked against their schemas by the service under test.
type Json = any;

/** Users of the organization; that of the demo has 120. */
const SIZES = [30, 120];
const textOf = ({ text }: GeneratedFile): string => [...text(() => {})].join('');

interface Relation {
  readonly start: string;
  readonly kind: string;
  readonly end: string;
}

let service: ServiceUnderTest;
let nodes: ReadonlyMap<string, Json>;
let relations: readonly Relation[];

/** Objects that someone has to administer, and the kinds of relations to their administrators. */
const ADMINISTERED: readonly (readonly [pattern: RegExp, ...kinds: string[]])[] = [
  [/^S-1-5-21-.*-(512|519)$|-S-1-5-32-544$/, 'MemberOf'],
  [/^62E90394-69F5-4237-9190-012177145E10@/, 'AZHasRole', 'AZRoleEligible', 'AZMemberOf'],
  [/^GATE:ORG:/, 'Gate_Administers', 'Gate_HasRole'],
  [/^O_/, 'Hub_Owns'],
  [/^DESK:AURORA$/, 'Desk_Administers'],
];

/** @returns the number of enabled accounts that administer each of these objects, without some relations */
function administrators(without: readonly Relation[]): Record<string, number> {
  const keyOf = ({ start, kind, end }: Relation): string => `${start} ${kind} ${end}`;
  const gone = new Set(without.map(keyOf));
  const left = Map.groupBy(
    relations.filter((one) => !gone.has(keyOf(one))),
    ({ end }) => end,
  );
  const counts: Record<string, number> = {};
  for (const id of nodes.keys())
    for (const [pattern, ...kinds] of ADMINISTERED) {
      if (!pattern.test(id)) continue;
      const found = new Set([id]);
      for (const one of found)
        for (const { start, kind } of left.get(one) ?? []) if (kinds.includes(kind)) found.add(start);
      counts[id] = [...found].filter((one) => isEnabledAccount(nodes.get(one))).length;
    }
  return counts;
}

const isEnabledAccount = ({ kinds, properties }: Json): boolean =>
  properties.enabled !== false &&
  kinds.some((kind: string) =>
    ['User', 'AZUser', 'AZServicePrincipal', 'Gate_User', 'Hub_User', 'Desk_Agent'].includes(kind),
  );

/** The relations that all cards of a plan remove. */
function removedBy({ cards }: Json): Relation[] {
  const all = cards.flatMap(({ packages }: Json) => packages.flatMap(({ references }: Json) => references));
  return all.flatMap(({ object_id, principal_id, relations: kinds = [] }: Json) =>
    kinds.flatMap((kind: string) => [
      { start: principal_id, kind, end: object_id },
      { start: object_id, kind, end: principal_id },
    ]),
  );
}

async function expectAdministrators(query: string): Promise<void> {
  const before = administrators([]);
  const plan = await service.data('GET', `plan?limit=50${query}`);
  const after = administrators(removedBy(plan));
  for (const [id, count] of Object.entries(before))
    if (count > 0) expect([query, id, after[id]]).not.toEqual([query, id, 0]);
}

describe.each(sampledCases(SIZES, SIZES.length))('an organization of %i users', (users) => {
  beforeAll(async () => {
    service = await ServiceUnderTest.start();
    const options = { users, seed: 1 };
    const { definitions, payloads } = generatePlatforms(options);
    for (const file of definitions)
      expect((await service.call('PUT', 'extensions', JSON.parse(textOf(file)))).status).toBe(201);
    const files = [...forestFiles(generateForest(options)), generateTenant(options).file, ...payloads];
    await service.upload(...files.map((file) => JSON.parse(textOf(file))));
    await service.settled();
    const { graph } = JSON.parse(await service.exported());
    nodes = new Map(graph.nodes.map((node: Json) => [node.id, node]));
    relations = graph.edges.map(({ start, kind, end }: Json) => ({
      start: start.value,
      kind,
      end: end.value,
    }));
    await vi.waitUntil(async () => (await service.call('GET', 'plan')).json.data.computing === null, {
      ...{ timeout: 100_000, interval: 200 },
    });
  }, 200_000);
  afterAll(() => service?.stop());

  test('the organization has an administrator of each kind of environment, some of them only one', () => {
    const counts = Object.entries(administrators([]));
    for (const [pattern] of ADMINISTERED)
      expect([String(pattern), counts.some(([id, count]) => pattern.test(id) && count > 0)]).toEqual([
        String(pattern),
        true,
      ]);
    expect(counts.filter(([, count]) => count === 1).length).toBeGreaterThanOrEqual(3);
  });

  test('the plan of everything, down to any goal, leaves each environment an administrator', async () => {
    for (const goal of sampledCases(['', '&goal=0'], 2, 1)) await expectAdministrators(goal);
  });

  test('the plan of each single environment leaves it an administrator', async () => {
    const ids: string[] = (await service.data('GET', 'available-domains')).map(({ id }: Json) => id);
    expect(ids.length).toBeGreaterThanOrEqual(5);
    // Each kind of limit is examined for other environments.
    for (const [shift, limit] of ['environment', 'within'].entries())
      for (const id of sampledCases(ids, 6, shift))
        await expectAdministrators(`&${limit}=${encodeURIComponent(id)}`);
  });

  test('a repair that removes the only administrator says to add another one first', async () => {
    const owns = relations.find(({ kind }) => kind === 'Hub_Owns') as Relation;
    const { steps } = await service.data('POST', 'plan/path-repairs', {
      steps: [{ source_id: owns.start, target_id: owns.end }],
    });
    expect(steps[0].locked.text).toMatch(/^This would remove the last administrator/);
  });
});
