import { errorCatalog, type UnifiedGraph } from '@clew/api';
import { ClewClient } from '@clew/client';
import { describe, expect, it } from 'vitest';
import { Receiver } from '../../test/receiver.ts';
import { doesPathExist } from './doesPathExist.ts';

type Edge = readonly [source: string, kind: string, target: string];

/** Keys of nodes are not their object ids. */
function graphOf(names: readonly string[], edges: readonly Edge[]): unknown {
  const node = (name: string) => ({
    ...{
      label: `${name}@CORP`,
      kind: 'User',
      kinds: ['User'],
      objectId: `S-1-${name}`,
      isTierZero: false,
      isOwnedObject: false,
    },
    lastSeen: '2026-01-01T00:00:00Z',
  });
  return {
    nodes: Object.fromEntries(names.map((name) => [`key ${name}`, node(name)])),
    edges: edges.map(([source, kind, target]) => ({
      ...{ source: `key ${source}`, target: `key ${target}`, kind, label: kind },
      lastSeen: '2026-01-01T00:00:00Z',
    })),
  } satisfies { nodes: unknown; edges: readonly Partial<UnifiedGraph['edges'][number]>[] };
}

const NO_PATH = { http_status: 404, errors: [{ context: '', message: errorCatalog.pathNotFound.message }] };

async function pathOf(names: readonly string[], edges: readonly Edge[], pair = 'S-1-A -> S-1-D') {
  await using receiver = await Receiver.start(() => ({ status: 200, body: { data: graphOf(names, edges) } }));
  const client = new ClewClient({ url: receiver.url, credentials: { session: 'x' } });
  const { json } = await doesPathExist(client, pair);
  return Object.values(json?.path_info ?? {})[0];
}

const SHORT: readonly Edge[] = [
  ['A', 'MemberOf', 'B'],
  ['B', 'GenericAll', 'D'],
];
const LONG: readonly Edge[] = [
  ['A', 'AdminTo', 'X'],
  ['X', 'HasSession', 'Y'],
  ['Y', 'Owns', 'D'],
];

describe('the path that is shown', () => {
  it('has its length, the names it leads through and the kinds of its edges, in their order', async () => {
    expect(await pathOf(['D', 'B', 'A'], SHORT)).toMatchObject({
      ...{ status: 'success', data: true, hops: 2 },
      nodes: ['A@CORP', 'B@CORP', 'D@CORP'],
      edges: ['MemberOf', 'GenericAll'],
    });
  });

  it.each([
    ['first', [...LONG, ...SHORT]],
    ['last', [...SHORT, ...LONG]],
  ])('is a shortest one, when a longer one comes %s', async (_, edges) => {
    const path = await pathOf(['A', 'B', 'D', 'X', 'Y'], edges);
    expect([path?.hops, path?.edges]).toEqual([2, ['MemberOf', 'GenericAll']]);
  });

  it('ends in a graph with a circle, and goes with the edges only', async () => {
    const circle: readonly Edge[] = [...SHORT, ['B', 'Owns', 'A'], ['D', 'Owns', 'B']];
    expect((await pathOf(['A', 'B', 'D'], circle))?.hops).toBe(2);
    const back = await pathOf(['A', 'B', 'D'], [['D', 'Owns', 'A']]);
    expect(back).toMatchObject({ data: null, message: expect.stringContaining('without a path') });
  });

  it.each([
    ['no edges', ['A', 'D'], []],
    ['not the start', ['B', 'D'], SHORT],
    ['not the end', ['A', 'B'], SHORT],
  ])('is undecided where the answer has %s', async (_, names, edges) => {
    expect(await pathOf(names, edges as readonly Edge[])).toMatchObject({
      ...{ data: null, message: expect.stringContaining('without a path') },
    });
  });

  it.each([
    ['S-1-A -> S-1-D', [true, true, false, 'true']],
    ['S-1-A -> S-1-D\nS-1-D -> S-1-A', [false, true, false, 'false']],
    ['S-1-D -> S-1-A', [false, false, false, 'false']],
    ['S-1-A -> S-1-D\nS-1-A -> S-1-X', [false, true, true, 'false']],
  ])('is asked for of each pair, and for all: %s', async (pairs, expected) => {
    await using receiver = await Receiver.start(({ path }) => {
      if (path.includes('start_node=S-1-D')) return { status: 404, body: NO_PATH };
      const edges = path.includes('end_node=S-1-X') ? [] : SHORT;
      return { status: 200, body: { data: graphOf(['A', 'B', 'D'], edges) } };
    });
    const client = new ClewClient({ url: receiver.url, credentials: { session: 'x' } });
    const { resultValue, json } = await doesPathExist(client, pairs);
    expect([json.all_exist, json.any_exist, json.undecided, resultValue]).toEqual(expected);
  });

  it('is undecided, and failed, where nothing is asked for', async () => {
    const client = new ClewClient({ url: 'http://127.0.0.1:1', credentials: { session: 'x' } });
    expect(await doesPathExist(client, undefined)).toMatchObject({
      ...{ status: 'failed', resultValue: 'false' },
      json: { all_exist: false, any_exist: false, undecided: true },
    });
  });

  it('finds objects whatever the case of their ids', async () => {
    expect((await pathOf(['A', 'B', 'D'], SHORT, 's-1-a -> s-1-d'))?.data).toBe(true);
  });
});
