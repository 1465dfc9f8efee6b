import { EDGE_KINDS, NODE_KINDS } from '@clew/model';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { QueryServer } from '../../../test/graphs/queryServer.ts';
import { startSmallWorld } from '../../../test/graphs/smallWorld.ts';

let server: QueryServer;
beforeAll(async () => {
  server = await startSmallWorld();
});
afterAll(() => server.close());

type Described = Readonly<Record<string, unknown>> & { readonly name: string };

const listed = async (part: 'node_kinds' | 'relationship_kinds'): Promise<readonly Described[]> =>
  (await server.get('kinds')).body.data[part].filter(({ is_builtin }: Described) => is_builtin);

test('lists every built-in kind once, with its number', async () => {
  const named = (kinds: readonly Described[]) => kinds.map(({ id, name }) => ({ id, name }));
  expect(named(await listed('node_kinds'))).toEqual(NODE_KINDS.map(({ id, name }) => ({ id, name })));
  expect(named(await listed('relationship_kinds'))).toEqual(EDGE_KINDS.map(({ id, name }) => ({ id, name })));
});

test('describes a node kind', async () => {
  const kinds = await listed('node_kinds');
  expect(kinds.find(({ name }) => name === 'CertTemplate')).toMatchObject({
    ...{ label: 'Certificate template', icon: 'id-card', color: '#b07fc7', schema_name: 'AD' },
    meaning:
      'A certificate template: the purpose of its certificates, and the principals that may request them.',
  });
});

test('describes a relationship kind that is a step, and one that is not', async () => {
  const kinds = await listed('relationship_kinds');
  expect(kinds.find(({ name }) => name === 'ForceChangePassword')).toEqual({
    ...{ id: 25, name: 'ForceChangePassword', category: 'Control of objects' },
    phrase: 'can reset the password of',
    meaning: 'It can set a new password without knowing the old one.',
    removal: expect.stringMatching(/^Remove the entry/),
    ...{ origin: 'collected', is_traversable: true, effort: 1, effort_reason: 'One write to the directory' },
    ...{ is_builtin: true, schema_name: 'AD' },
  });
  expect(kinds.find(({ name }) => name === 'GetChanges')).toMatchObject({
    ...{ is_traversable: false, effort: null, effort_reason: null },
  });
});

test('is available to users who may read the graph', async () => {
  expect((await server.get('kinds', 'nobody')).status).toBe(403);
});
