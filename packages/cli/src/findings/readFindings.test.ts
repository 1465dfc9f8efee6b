/** Tests the path in a story, with answers of a service over a small graph. */
import type { Finding, UnifiedFindingRow, UnifiedGraph } from '@clew/api';
import { ApiError, type ClewClient, type PathOptions } from '@clew/client';
import { describe, expect, it } from 'vitest';
import { summarizePaths } from '../terminal/drawPath.ts';
import { type Story, tellStory } from './readFindings.ts';

type Edge = readonly [start: string, kind: string, end: string];

/** Answers with one shortest path, unlike the service, which returns all. */
function shortestPath(edges: readonly Edge[], from: string, to: string, { kinds }: PathOptions) {
  const allowed = edges.filter(
    ([, kind]) => kinds === undefined || ('in' in kinds && kinds.in.includes(kind)),
  );
  const ways: [string, readonly Edge[]][] = [[from, []]];
  for (const [at, way] of ways) {
    if (at === to) return graphOf(way);
    for (const edge of allowed) {
      if (edge[0] === at && !ways.some(([seen]) => seen === edge[2])) ways.push([edge[2], [...way, edge]]);
    }
  }
  return undefined;
}

function graphOf(edges: readonly Edge[]): UnifiedGraph {
  const names = [...new Set(edges.flatMap(([start, , end]) => [start, end]))];
  const node = (name: string) => ({ objectId: name, label: name, kind: 'User' });
  return {
    nodes: Object.fromEntries(names.map((name) => [`key of ${name}`, node(name)])),
    edges: edges.map(([start, kind, end]) => ({
      ...{ source: `key of ${start}`, target: `key of ${end}`, kind, label: kind },
    })),
  } as unknown as UnifiedGraph;
}

async function storyOf(edges: readonly Edge[], [source, kind, target]: Edge, alternatives: string[][] = []) {
  const paths = alternatives.map((ids) => ({ nodes: ids.map((object_id) => ({ object_id })) }));
  const finding = source === '' ? {} : { FromPrincipal: source, RelProps: { kind } };
  const client = {
    call: async (operation: string) => ({
      data: operation === 'GetAlternativePaths' ? { paths } : [finding as Finding],
    }),
    shortestPath: async (from: string, to: string, options: PathOptions) => {
      if (from === 'HIDDEN') throw new ApiError(REFUSED);
      return shortestPath(edges, from, to, options);
    },
  } as unknown as ClewClient;
  const row = {
    ...{ id: 1, status: 'active', finding: 'X', environment_id: 'DOMAIN' },
    ...{ source_principal_id: source, target_principal_id: target },
  } as UnifiedFindingRow;
  return tellStory(client, row, new AbortController().signal);
}

const REFUSED = {
  ...{ status: 403, context: 'graph', messages: ['not allowed'], requestId: 'f3a1', retryAfter: undefined },
};

async function routeOf(edges: readonly Edge[], source: string, kind: string, target: string) {
  const { path } = await storyOf(edges, [source, kind, target]);
  return path && described(path);
}

function described({ graph, from, to }: NonNullable<Story['path']>): string {
  const { route } = summarizePaths(graph, `key of ${from}`, `key of ${to}`);
  const steps = route.slice(1).map((key, at) => {
    const kinds = graph.edges.filter(({ source, target }) => source === route[at] && target === key);
    return `${kinds.map((edge) => edge.kind).join('+')} ${graph.nodes[key]?.objectId}`;
  });
  return [from, ...steps].join(' > ');
}

describe('the path of a finding', () => {
  const edges: Edge[] = [
    ['SRV', 'HasSession', 'ADMIN'],
    ['SRV', 'GenericAll', 'ADMIN'],
    ['SRV', 'Owns', 'DOMAIN'],
    ['ADMIN', 'MemberOf', 'ADMINS'],
    ['ADMINS', 'GenericAll', 'DOMAIN'],
    ['LOOP', 'Owns', 'BACK'],
    ['BACK', 'MemberOf', 'LOOP'],
    ['LOOP', 'GenericAll', 'DOMAIN'],
    ['HELP', 'Owns', 'PRINTER'],
  ];

  it.each([
    ['SRV', 'HasSession', 'ADMIN', 'SRV > HasSession ADMIN > MemberOf ADMINS > GenericAll DOMAIN'],
    ['SRV', 'Owns', 'DOMAIN', 'SRV > Owns DOMAIN'],
    ['HELP', 'Owns', 'PRINTER', 'HELP > Owns PRINTER'],
    ['LOOP', 'Owns', 'BACK', 'LOOP > Owns BACK'],
  ])('of %s %s %s contains the relationship itself', async (source, kind, target, way) => {
    expect(await routeOf(edges, source, kind, target)).toBe(way);
  });

  it('of a source outside the access of the user is not shown, but the rest of the story is', async () => {
    const story = await storyOf(edges, ['HIDDEN', 'Owns', 'ADMIN']);
    expect([story.row.source_principal_id, story.path]).toEqual(['HIDDEN', undefined]);
  });

  it('of an object continues to its environment, if it can reach it', async () => {
    expect(await routeOf(edges, '', '', 'ADMIN')).toBe('ADMIN > MemberOf ADMINS > GenericAll DOMAIN');
    expect(await routeOf(edges, '', '', 'PRINTER')).toBeUndefined();
    expect(await routeOf(edges, '', '', 'DOMAIN')).toBeUndefined();
  });

  it('of an object does not use rights of everyone', async () => {
    const users = 'S-1-5-21-1-2-3-513';
    const shared: Edge[] = [...edges, ['SVC', 'MemberOf', users], [users, 'ADCSESC1', 'DOMAIN']];
    const of = (target: string, alternatives: string[][] = []) =>
      storyOf(shared, ['', '', target], alternatives);
    expect(await of('SVC')).toMatchObject({ path: undefined });
    expect((await of('SVC')).ownPath).toBeUndefined();
    const own = ['SVC', 'ADMIN', 'DOMAIN'];
    const { path, ownPath } = await of('SVC', [['SVC', users, 'DOMAIN'], own]);
    expect([path, ownPath?.nodes.map(({ object_id }) => object_id)]).toEqual([undefined, own]);
    // Findings of the group itself are its own.
    expect(described((await of(users)).path as NonNullable<Story['path']>)).toBe(
      `${users} > ADCSESC1 DOMAIN`,
    );
  });
});
