import type { Authenticator } from '@clew/common';
import { useHandlerServer, userNamed } from '@clew/server/testing';
import { describe, expect, test } from 'vitest';
import { openGraphHandlers } from './openGraphHandlers.ts';

/** `writer` may write, `reader` only read. */
const authenticator: Authenticator = {
  async begin({ headers }) {
    const name = headers.authorization?.split(' ')[1];
    if (name === undefined) return { principal: { kind: 'anonymous', permissions: new Set<string>() } };
    const user = userNamed(name, ['graphdb/Read', ...(name === 'writer' ? ['opengraph/Write'] : [])]);
    return { principal: { ...user, userId: '11111111-0000-4000-8000-000000000001' } };
  },
};

const served = useHandlerServer(openGraphHandlers, { authenticator });

async function call(method: string, path: string, body?: unknown, who = 'writer') {
  const { status, json } = await served.call(method, path, body, who);
  return { status, json };
}

const house = { icon: { type: 'font-awesome', name: 'house', color: '#FFFFFF' } };

describe('node kinds of uploads', () => {
  test('are created together, listed, read and changed', async () => {
    const coffee = { icon: { name: 'mug-hot', color: '#000' } };
    const made = await call('POST', 'custom-nodes', {
      custom_types: { KindA: house, KindB: coffee, KindC: {} },
    });
    const expected = [
      { id: 1, kindName: 'KindA', config: house },
      {
        id: 2,
        kindName: 'KindB',
        config: { icon: { type: 'font-awesome', name: 'mug-hot', color: '#000' } },
      },
      {
        id: 3,
        kindName: 'KindC',
        config: { icon: { type: 'font-awesome', name: 'question', color: '#FFFFFF' } },
      },
    ];
    expect(made).toEqual({ status: 201, json: { data: expected } });
    expect((await call('GET', 'custom-nodes', undefined, 'reader')).json.data).toEqual(expected);
    expect((await call('GET', 'custom-nodes/KindB', undefined, 'reader')).json.data).toEqual(expected[1]);
    const changed = await call('PUT', 'custom-nodes/KindB', { config: house });
    expect(changed).toEqual({ status: 200, json: { data: { id: 2, kindName: 'KindB', config: house } } });
    expect((await call('GET', 'custom-nodes/KindB')).json.data).toEqual({
      id: 2,
      kindName: 'KindB',
      config: house,
    });
    const { rows } = await served.database.pool.query('select action from audit_log order by created_at');
    expect(rows.map(({ action }) => action)).toEqual(['CreateCustomNodes', 'UpdateCustomNode']);
  });

  test('are created as far as possible, and each rejected one is reported', async () => {
    const refused = await call('POST', 'custom-nodes', {
      custom_types: { New: house, KindA: {}, User: house },
    });
    expect(refused.status).toBe(409);
    expect(refused.json.errors.map(({ message }: { message: string }) => message)).toEqual([
      'Conflict: duplicate kind name',
      'KindA is stored with another definition',
      'User is a built-in kind',
    ]);
    expect((await call('GET', 'custom-nodes/New')).json.data).toMatchObject({ config: house });
  });

  test('that are already stored unchanged are not a conflict', async () => {
    const again = await call('POST', 'custom-nodes', { custom_types: { New: house, KindA: house } });
    expect([again.status, again.json.data]).toMatchObject([
      201,
      [{ kindName: 'New' }, { kindName: 'KindA' }],
    ]);
  });

  test.each([
    ['no kind at all', { custom_types: {} }],
    ['a color without a number sign', { custom_types: { X: { icon: { color: 'FFFFFF' } } } }],
    ['a color of four digits', { custom_types: { X: { icon: { color: '#FFFF' } } } }],
    ['another collection of icons', { custom_types: { X: { icon: { type: 'material' } } } }],
    ['markup for a name', { custom_types: { X: { icon: { name: '<b>' } } } }],
    ['a reserved name', { custom_types: { Tag_X: house } }],
    ['nothing', {}],
  ])('%s is rejected with 400', async (_, body) => {
    expect((await call('POST', 'custom-nodes', body)).status).toBe(400);
  });

  test('of built-in kinds cannot be changed', async () => {
    expect((await call('POST', 'custom-nodes', { custom_types: { User: house } })).status).toBe(409);
    const refused = await call('PUT', 'custom-nodes/User', { config: house });
    expect([refused.status, refused.json.errors[0].message]).toEqual([
      409,
      'Conflict: kind name is owned by a schema extension',
    ]);
  });

  test('that do not exist cannot be changed or deleted', async () => {
    expect((await call('PUT', 'custom-nodes/Nobody', { config: house })).status).toBe(404);
    expect((await call('DELETE', 'custom-nodes/KindA')).status).toBe(410);
    expect((await call('GET', 'custom-nodes/KindA')).status).toBe(200);
  });

  test('need a permission to write, and a signed-in user to read', async () => {
    expect((await call('POST', 'custom-nodes', { custom_types: { X: house } }, 'reader')).status).toBe(403);
    expect((await call('PUT', 'custom-nodes/KindA', { config: house }, 'reader')).status).toBe(403);
    expect((await call('GET', 'custom-nodes', undefined, '')).status).toBe(401);
  });
});

const NONE_WAIT = { waiting_relationships: 0, ambiguous_relationships: 0 };

test.each(['graphs/source-kinds', 'graphs/source_kinds'])(
  '%s lists the collectors from the start',
  async (path) => {
    const { json } = await call('GET', path, undefined, 'reader');
    expect(json.data).toEqual({
      kinds: [
        { id: 1, name: 'Base', ...NONE_WAIT },
        { id: 2, name: 'AZBase', ...NONE_WAIT },
        { id: 0, name: 'Sourceless', ...NONE_WAIT },
      ],
    });
  },
);
