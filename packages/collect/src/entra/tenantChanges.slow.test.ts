import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  GRAPH_SECRET,
  type GraphWorld,
  type SimulatedGraph,
  simulatedGraph,
} from '../../test/simulatedGraph.ts';
import { GraphClient } from './graphClient.ts';
import { readTenant, type TenantReport } from './readTenant.ts';
import { parseTenantState, type TenantState } from './tenantChanges.ts';

/** Multiplies the number of random changes; nightly runs have more. */
const RUNS = Number(process.env.CLEW_TEST_RUNS ?? 1);

const WORLD: GraphWorld = { users: 60, groups: 25, applications: 10, pageSize: 7 };

/** Records of a service that received all runs: by kind and id, without removed objects. */
type Kept = Map<string, string>;

async function readInto(
  kept: Kept,
  graph: SimulatedGraph,
  state?: TenantState,
  isFull = false,
): Promise<TenantReport & { readonly written: number }> {
  const account = {
    ...{ tenant: 'lab.example', clientId: 'client' },
    credentials: { kind: 'secret', secret: GRAPH_SECRET } as const,
  };
  const client = new GraphClient({ graph: graph.origin, login: graph.origin }, account);
  let written = 0;
  const write = async (kind: string, data: object): Promise<void> => {
    written += 1;
    const { id, groupId, appId, deviceId, ...others } = data as Record<string, string>;
    const { servicePrincipalId, roleDefinitionId } = others;
    const key =
      kind === 'AZApp'
        ? appId
        : (id ?? groupId ?? servicePrincipalId ?? roleDefinitionId ?? appId ?? deviceId);
    kept.set(`${kind} ${key.toUpperCase()}`, JSON.stringify(data));
  };
  const remove = async (id: string): Promise<void> => {
    for (const key of [...kept.keys()]) if (key.endsWith(` ${id}`)) kept.delete(key);
  };
  const report = await readTenant(client, write, { keepsState: true, state, isFull, remove });
  // A state is stored as text between runs.
  const stored = report.state && parseTenantState(JSON.stringify(report.state));
  return { ...report, state: stored, written };
}

/** Lists in the order of a server are equal in any order. */
const sorted = (kept: Kept): readonly string[] => [...kept].map(([key, text]) => `${key} ${text}`).sort();

const LISTS = ['/users', '/groups', '/devices', '/applications', '/servicePrincipals'] as const;
const number = fc.nat(200);
const change = fc.oneof(
  fc.record({
    kind: fc.constant('put' as const),
    list: fc.constantFrom(...LISTS),
    number,
    name: fc.string(),
  }),
  fc.record({ kind: fc.constant('add' as const), list: fc.constantFrom(...LISTS), number }),
  fc.record({ kind: fc.constant('remove' as const), list: fc.constantFrom(...LISTS), number }),
  fc.record({ kind: fc.constant('secure' as const), number, isSecure: fc.boolean() }),
  fc.record({
    ...{ kind: fc.constant('members' as const), number, members: fc.array(number, { maxLength: 12 }) },
  }),
  fc.record({
    kind: fc.constant('owners' as const),
    list: fc.constantFrom('/groups', '/applications', '/servicePrincipals'),
    ...{ number, members: fc.array(number, { maxLength: 3 }) },
  }),
);
type Change = typeof change extends fc.Arbitrary<infer One> ? One : never;

function apply(graph: SimulatedGraph, one: Change): void {
  const list = one.kind === 'members' || one.kind === 'secure' ? '/groups' : one.list;
  const ids = graph.ids(list);
  if (one.kind === 'add') {
    const made = String(one.number).padStart(12, '0');
    const id = `0000000a-0000-4000-8000-${made}`;
    graph.put(list, {
      ...{ id, displayName: `New ${made}`, accountEnabled: true, securityEnabled: true },
      ...{ deviceId: id, appId: `0000000b-0000-4000-8000-${made}` },
    });
    return;
  }
  if (ids.length === 0) return;
  const id = ids[one.number % ids.length];
  // Microsoft's own application is in every tenant.
  if (list === '/servicePrincipals' && id.endsWith('99999')) return;
  if (one.kind === 'put') graph.put(list, { id, displayName: one.name });
  else if (one.kind === 'remove') graph.remove(list, id);
  else if (one.kind === 'secure') graph.put(list, { id, securityEnabled: one.isSecure });
  else {
    const users = graph.ids('/users');
    const items = [...new Set(one.members.map((at) => users[at % users.length]))]
      .filter((member) => member !== undefined)
      .map((member) => ({ '@odata.type': '#microsoft.graph.user', id: member }));
    graph.relate(`${list}/${id}/${one.kind}`, items);
  }
}

it('has the same result as a first run after random changes, also with refusals and full runs', async () => {
  const round = fc.record({ changes: fc.array(change, { maxLength: 8 }), isFull: fc.boolean() });
  await fc.assert(
    fc.asyncProperty(
      fc.array(round, { minLength: 1, maxLength: 4 }),
      fc.constantFrom(undefined, 11),
      async (rounds, throttleEvery) => {
        await using graph = await simulatedGraph({ ...WORLD, throttleEvery });
        const kept: Kept = new Map();
        let { state } = await readInto(kept, graph);
        for (const { changes, isFull } of rounds) {
          for (const one of changes) apply(graph, one);
          const report = await readInto(kept, graph, state, isFull);
          expect([report.isFull, report.notes]).toEqual([isFull, []]);
          state = report.state;
          const whole: Kept = new Map();
          await readInto(whole, graph);
          expect(sorted(kept)).toEqual(sorted(whole));
        }
      },
    ),
    { numRuns: 4 * RUNS },
  );
}, 120_000);

it('writes only changed objects, with fewer requests', async () => {
  await using graph = await simulatedGraph({ users: 2_000, groups: 240, applications: 120 });
  const kept: Kept = new Map();
  const full = await readInto(kept, graph);
  graph.put('/users', { id: graph.ids('/users')[7], accountEnabled: false });
  graph.relate(`/groups/${graph.ids('/groups')[3]}/members`, []);
  const { requests, counts, isFull } = await readInto(kept, graph, full.state);
  expect([full.isFull, isFull]).toEqual([true, false]);
  expect(counts).toMatchObject({ AZUser: 1, AZGroup: 1, AZGroupMember: 1 });
  expect([counts.AZDevice, counts.AZServicePrincipal]).toEqual([undefined, undefined]);
  // Credentials expire without a change.
  expect(counts.AZApp).toBe(120);
  expect(requests).toBeLessThan(full.requests * 0.8);
});

it('reads the sign-ins of all users once a week, and those of changed users always', async () => {
  await using graph = await simulatedGraph(WORLD);
  const kept: Kept = new Map();
  const [user, changed] = [graph.ids('/users')[7], graph.ids('/users')[8]];
  const signInOf = (id: string) => JSON.parse(kept.get(`AZUser ${id}`) ?? '{}').signInActivity;
  const { state } = await readInto(kept, graph);
  expect([state?.signIns?.areRead, signInOf(user)]).toEqual([true, null]);
  const signInActivity = { lastSuccessfulSignInDateTime: '2026-02-02T00:00:00Z' };
  graph.signIn(user, signInActivity);
  graph.signIn(changed, signInActivity);
  graph.put('/users', { id: changed, displayName: 'Another' });
  const soon = await readInto(kept, graph, state);
  expect([soon.counts.AZUser, signInOf(user), signInOf(changed)]).toEqual([1, null, signInActivity]);
  const aged = soon.state && { ...soon.state, signIns: { at: Date.now() - 8 * 86_400_000, areRead: true } };
  const later = await readInto(kept, graph, aged);
  expect([later.isFull, later.counts.AZUser, signInOf(user)]).toEqual([false, 60, signInActivity]);
});

it('reads everything when Graph no longer knows the changes, or the state belongs to another tenant', async () => {
  await using graph = await simulatedGraph(WORLD);
  const kept: Kept = new Map();
  const { state } = await readInto(kept, graph);
  graph.put('/users', { id: graph.ids('/users')[7], displayName: 'Another' });
  graph.forgetChanges();
  const again = await readInto(kept, graph, state);
  expect([again.isFull, again.counts.AZUser]).toEqual([true, 60]);
  expect(again.notes).toEqual([
    {
      what: 'Graph no longer has the changes since the last run: everything was read again, but objects that were removed since then stay',
      ...{ count: 1, first: '410 syncStateNotFound: resync required' },
    },
  ]);
  expect((await readInto(kept, graph, again.state)).isFull).toBe(false);
  const other = again.state && { ...again.state, tenantId: 'another' };
  expect(await readInto(kept, graph, other)).toMatchObject({ isFull: true, notes: [] });
});

it('reads everything, and names removed objects, after a run that could not read a tracked part', async () => {
  for (const refused of ['/users', '/groups/', '/applications']) {
    await using graph = await simulatedGraph(WORLD);
    const kept: Kept = new Map();
    for (const isFirst of [true, false]) {
      const earlier = isFirst ? undefined : (await readInto(kept, graph)).state;
      graph.put('/users', { id: graph.ids('/users')[7], displayName: `Another ${isFirst}` });
      graph.relate(`/groups/${graph.ids('/groups')[3]}/members`, []);
      graph.put('/applications', { id: graph.ids('/applications')[1], displayName: `Another ${isFirst}` });
      graph.refuse(refused);
      const { state, isFull } = await readInto(kept, graph, earlier);
      expect([refused, isFull, state?.needsFull]).toEqual([refused, isFirst, true]);
      graph.refuse();
      graph.remove('/users', graph.ids('/users')[3]);
      const again = await readInto(kept, graph, state);
      expect([again.isFull, again.state?.needsFull, again.notes]).toEqual([true, false, []]);
      const whole: Kept = new Map();
      await readInto(whole, graph);
      expect(sorted(kept)).toEqual(sorted(whole));
    }
  }
  await using graph = await simulatedGraph({ ...WORLD, refused: ['/policies', '/roleManagement'] });
  expect((await readInto(new Map(), graph)).state?.needsFull).toBe(false);
});

it('asks for the same changes again if Graph did not list them', async () => {
  await using graph = await simulatedGraph(WORLD);
  const kept: Kept = new Map();
  const { state } = await readInto(kept, graph);
  const [user, app] = [graph.ids('/users')[3], graph.ids('/applications')[1]];
  graph.remove('/users', user);
  graph.remove('/applications', app);
  graph.refuse('/groups/delta');
  const refused = await readInto(kept, graph, state);
  expect([refused.isFull, refused.state?.links]).toEqual([true, state?.links]);
  expect(refused.notes.map(({ what }) => what)).toEqual([
    'Graph did not list the changes: everything was read again, and the next run asks for removed objects again',
  ]);
  graph.refuse();
  expect((await readInto(kept, graph, refused.state)).isFull).toBe(false);
  const whole: Kept = new Map();
  await readInto(whole, graph);
  expect(sorted(kept)).toEqual(sorted(whole));
  // Without an earlier run, there is nothing to ask for.
  graph.refuse('/groups/delta');
  expect((await readInto(new Map(), graph)).state).toBeUndefined();
});

it('rejects texts that are not a state', () => {
  for (const text of ['', 'null', '{}', '[]', '{"tenantId":"a","fullAt":1,"links":{},"appIds":{}}'])
    expect(parseTenantState(text)).toBeUndefined();
});

it('sends the token to no other server, even if the state names one', async () => {
  await using graph = await simulatedGraph(WORLD);
  const { state } = await readInto(new Map(), graph);
  const links = { ...(state as TenantState).links, AZUser: 'http://127.0.0.2:9/v1.0/users/delta' };
  await expect(readInto(new Map(), graph, { ...(state as TenantState), links })).rejects.toThrow(
    'a link leads to another server',
  );
});
