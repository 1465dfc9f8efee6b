/**
 * Findings of custom checks in the plan of a service: the card that closes each finding, and why the others stay open; ids of
 * other platforms in filters.
 */
import { readFile } from 'node:fs/promises';
import { BOB, forest } from '@clew/judgment/testing';
import { ServiceUnderTest } from '@clew/service/testing';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';

// biome-ignore lint/suspicious/noExplicitAny: answers are checked against their schemas by the service under test.
type Json = any;

const EXAMPLES = new URL('../../../../examples/extensions/', import.meta.url);

const CHECKS = {
  /** Its query finds nothing after the right is removed. */
  Check_Holders: {
    ...{ title: 'Users with rights over Tier Zero', severity: 'low' },
    cypher: 'MATCH (u:User)-[:WriteDacl]->(t:Tag_Tier_Zero) RETURN DISTINCT u',
  },
  Check_Repaired: {
    ...{ title: 'Writers', severity: 'moderate' },
    cypher: "MATCH (u:User) WHERE u.name STARTS WITH 'BOB' RETURN u",
    repair: { change: 'remove-relation', relationship_kinds: ['WriteDacl'], direction: 'out' },
  },
  Check_Named: {
    ...{ title: 'Bobs', severity: 'low' },
    cypher: "MATCH (u:User) WHERE u.name STARTS WITH 'BOB' RETURN u",
  },
  Check_Member: {
    ...{ title: 'Members', severity: 'low' },
    cypher: "MATCH (u:User) WHERE u.name STARTS WITH 'BOB' RETURN u",
    repair: { change: 'remove-relation', relationship_kinds: ['MemberOf'], direction: 'out' },
  },
  Check_Impact: {
    ...{ title: 'Administrators', severity: 'impact' },
    cypher: "MATCH (u:User) WHERE u.name STARTS WITH 'BOB' RETURN u",
  },
} as const;

let service: ServiceUnderTest;
let rows: Json[];

beforeAll(async () => {
  service = await ServiceUnderTest.start();
  for (const [name, check] of Object.entries(CHECKS))
    expect((await service.call('PUT', `checks/${name}`, check)).status).toBe(201);
  await service.upload(...forest().map(({ content }) => content as object));
  await vi.waitUntil(async () => (await service.call('GET', 'plan')).json.data?.computing === null, {
    timeout: 100_000,
  });
  await vi.waitUntil(
    async () => {
      rows = await service.data('GET', 'attack-paths/findings?limit=1000');
      return rows.some(({ closed_by }) => closed_by !== undefined);
    },
    { timeout: 100_000, interval: 50 },
  );
}, 200_000);
afterAll(() => service?.stop());

const rowOf = (finding: string): Json => rows.find((row) => row.finding === finding);

test('a card closes findings of checks, by their queries and by their repairs, and says so', async () => {
  for (const finding of ['Check_Holders', 'Check_Repaired'])
    expect([finding, rowOf(finding).target_principal_id, rowOf(finding).closed_by]).toEqual([
      finding,
      BOB,
      expect.stringMatching(/^closed by card 1 of the plan: afterward, /),
    ]);
  const { cards } = await service.data('GET', 'plan');
  expect(cards[0].closed.map(({ finding }: Json) => finding)).toEqual(
    expect.arrayContaining(['Check_Holders', 'Check_Repaired']),
  );
  expect(cards[0].effect.text).toMatch(
    / Closes 1 finding of your check "Users with rights over Tier Zero" and 1 finding of your check "Writers"\.$/,
  );
  expect(cards[0].cost).toBeGreaterThan(0);
});

test('those that no card closes say why, whatever their severity', () => {
  expect([rowOf('Check_Named').closed_by, rowOf('Check_Named').not_closed]).toEqual([
    undefined,
    'not closed by the plan: its check specifies no relationships to remove; see the remediation of the check',
  ]);
  expect([rowOf('Check_Member').closed_by, rowOf('Check_Member').not_closed]).toEqual([
    undefined,
    'not closed by the plan: it has a separate repair, and the plan does not need it',
  ]);
  for (const row of rows.filter(({ finding }) => finding.startsWith('Check_')))
    expect([row.finding, row.closed_by ?? row.not_closed]).toEqual([row.finding, expect.any(String)]);
});

test('severity may follow who falls with the object', () => {
  const { target_principal_id, severity, severity_reason } = rowOf('Check_Impact');
  const [, word, count, of] =
    /^(\w+): anyone who controls the object also controls (\d+) of (\d+) users and computers$/.exec(
      severity_reason,
    ) ?? [];
  expect([target_principal_id, word]).toEqual([BOB, severity]);
  // A finding about a user affects the users who control it; no one controls this one.
  expect(Number(count)).toBeGreaterThanOrEqual(2);
  expect(severity).toBe(Number(count) / Number(of) >= 0.4 ? 'moderate' : 'low');
});

test('an id with a colon is an id, with a predicate before it and without', async () => {
  const payload = JSON.parse(await readFile(new URL('tickets-data.json', EXAMPLES), 'utf8'));
  const definition = JSON.parse(await readFile(new URL('tickets/schema.json', EXAMPLES), 'utf8'));
  const shared = JSON.parse(await readFile(new URL('tickets/checks/shared-agents.json', EXAMPLES), 'utf8'));
  expect((await service.call('PUT', 'extensions', { ...definition, node_findings: [shared] })).status).toBe(
    201,
  );
  await service.upload(payload);
  for (const asked of ['TICK:DESK', 'eq:TICK:DESK', 'tick:desk']) {
    const query = `environment_id=${encodeURIComponent(asked)}`;
    const { status, json } = await service.call('GET', `attack-paths/findings?${query}`);
    expect([asked, status, json.data?.map(({ finding }: Json) => finding)]).toEqual([
      asked,
      200,
      ['Tick_SharedAgents'],
    ]);
    expect((await service.call('GET', `attack-paths/finding-groups?${query}`)).status).toBe(200);
    expect((await service.call('GET', `asset-group-tags-history?${query}`)).status).toBe(200);
  }
  const one = `domains/${encodeURIComponent('TICK:DESK')}/available-types`;
  expect((await service.call('GET', one)).json.data).toEqual(['Tick_SharedAgents']);
});
