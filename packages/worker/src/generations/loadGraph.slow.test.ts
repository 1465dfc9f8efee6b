/** Tests that the loaded graph equals the stored one. */

import { type Generation, isMarked } from '@clew/generation';
import {
  edgeKindOf,
  endOf,
  findNode,
  hasKind,
  kindsOf,
  NO_NODE,
  nameOf,
  objectIdOf,
  startOf,
} from '@clew/graph';
import { described, edge, edgeSet, emptyStore, mentioned, mergeRecords, record } from '@clew/intake/testing';
import { EdgeFlag, edgeKindById, NodeKind } from '@clew/model';
import { type Database, typeParsers } from '@clew/store';
import { silentLog, startTestDatabase } from '@clew/store/testing';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildContext } from '../../test/generations/builds.ts';
import { buildGeneration } from './buildGeneration.ts';
import type { LoadedGraph } from './loadedGraph.ts';
import { loadGraph } from './loadGraph.ts';
import type { LoadOptions } from './loadOptions.ts';
import { loadPublished } from './loadPublished.ts';

let database: Database;

beforeAll(async () => {
  database = await startTestDatabase();
});
afterAll(() => database.close());
beforeEach(() => emptyStore(database));

async function load(options: Partial<LoadOptions> = {}): Promise<LoadedGraph> {
  const client = new pg.Client({ ...database.connection, types: typeParsers });
  await client.connect();
  try {
    return await loadGraph(client, { derived: true, ...options });
  } finally {
    await client.end();
  }
}

function edgesOf({ graph }: Pick<LoadedGraph, 'graph'>): string[] {
  return Array.from({ length: graph.edgeCount }, (_, at) => {
    const [start, end] = [startOf(graph, at), endOf(graph, at)].map((node) => objectIdOf(graph, node));
    return `${start} -${edgeKindById(edgeKindOf(graph, at))?.name}-> ${end} ${graph.out.flags[at]}`;
  });
}

async function build(): Promise<Generation> {
  let made: Generation | undefined;
  // Writes of tests without ingest are not counted automatically.
  await database.pool.query('update facts_state set version = version + 1');
  await buildGeneration(buildContext(database, (generation) => (made = generation)));
  return made as Generation;
}

describe('nodes', () => {
  it('are in byte order of their object ids, with names, kinds and environments', async () => {
    await mergeRecords(
      database,
      1,
      record([
        described('UÄ', 'User', { name: 'UMLAUT' }),
        described('Ua', 'User'),
        described('UZ', 'User', { domainsid: 'D1' }),
      ]),
      record([described('D1', 'Domain', { name: 'CORP', collected: true })]),
    );
    const { graph, environments } = await load();
    const ids = Array.from({ length: graph.nodeCount }, (_, node) => objectIdOf(graph, node));
    expect(ids).toEqual(['D1', 'UZ', 'Ua', 'UÄ']);
    expect(nameOf(graph, findNode(graph, 'UÄ'))).toBe('UMLAUT');
    expect(nameOf(graph, findNode(graph, 'Ua'))).toBe('');
    expect(kindsOf(graph, 0)).toEqual([NodeKind.Base, NodeKind.Domain]);
    expect([...graph.environmentOf]).toEqual([0, 0, NO_NODE, NO_NODE]);
    expect(environments).toEqual([
      { id: 'D1', name: 'CORP', type: 'active-directory', node: 0, collected: true },
    ]);
  });

  it('that are local to a computer belong to its environment', async () => {
    const properties = { domainsid: 'D1' };
    await mergeRecords(
      database,
      1,
      record([
        described('C1', 'Computer', properties),
        described('C10', 'Computer'),
        mentioned('C1-544', 'ADLocalGroup'),
        mentioned('C1-1001', 'ADLocalUser'),
        mentioned('C1-9', 'Group'),
        mentioned('C10-544', 'ADLocalGroup'),
        mentioned('X-544', 'ADLocalGroup'),
      ]),
      record([described('D1', 'Domain', { name: 'CORP', collected: true })]),
    );
    const { graph } = await load();
    const domain = findNode(graph, 'D1');
    const environments = ['C1', 'C1-544', 'C1-1001', 'C1-9', 'C10', 'C10-544', 'X-544'].map(
      (id) => graph.environmentOf[findNode(graph, id)],
    );
    expect(environments).toEqual([domain, domain, domain, NO_NODE, NO_NODE, NO_NODE, NO_NODE]);
  });

  it('without a name have their display name', async () => {
    await mergeRecords(
      database,
      1,
      record([
        described('U1', 'User', { name: 'NAME', displayname: 'Display' }),
        described('U2', 'User', { name: '', displayname: 'Display' }),
      ]),
    );
    const { graph } = await load();
    expect([0, 1].map((node) => nameOf(graph, node))).toEqual(['NAME', 'Display']);
  });

  it('of an upload with its own kinds have their primary kind first', async () => {
    const node = (objectId: string, kinds: readonly string[], primarykind?: string) => ({
      ...described(objectId, 'Base', primarykind === undefined ? {} : { primarykind }),
      kinds,
    });
    await mergeRecords(
      database,
      1,
      record([
        node('A1', ['Alpha', 'Beta'], 'Beta'),
        node('A2', ['Alpha', 'Beta'], 'Alpha'),
        node('A3', ['Alpha', 'Beta']),
        node('A4', ['Alpha', 'Beta'], 'Other'),
      ]),
    );
    const { graph, customNodeKinds } = await load();
    const kinds = [0, 1, 2, 3].map((at) => kindsOf(graph, at).map((kind) => customNodeKinds.get(kind)));
    expect(kinds).toEqual([
      ['Beta', 'Alpha'],
      ['Alpha', 'Beta'],
      ['Alpha', 'Beta'],
      ['Alpha', 'Beta'],
    ]);
  });

  it('keep their numbers in the store', async () => {
    await mergeRecords(database, 1, record([described('U1', 'User')]));
    const { graph } = await load();
    const { rows } = await database.pool.query("select id from object_id where object_id = 'U1'");
    expect(graph.storeIds[0]).toBe(rows[0].id);
  });

  it('exclude deleted nodes, with their edges', async () => {
    const members = edgeSet('G1', 'members', ['U1 -MemberOf-> G1', 'U2 -MemberOf-> G1']);
    await mergeRecords(database, 1, record([described('G1', 'Group')], [members]));
    await mergeRecords(database, 2, record([], [], { deletedIds: ['U1'] }));
    expect(edgesOf(await load())).toEqual(['U2 -MemberOf-> G1 0']);
  });

  it('carry the marks that queries use', async () => {
    await mergeRecords(
      database,
      1,
      record([
        described('O1', 'OU', { blocksinheritance: true }),
        described('O2', 'OU', { blocksinheritance: false }),
        described('U1', 'User', { blocksinheritance: true, system_tags: 'admin_tier_0 owned' }),
      ]),
    );
    const { marks } = await load();
    expect([0, 1, 2].map((node) => isMarked(marks, 'blocksInheritance', node))).toEqual([true, false, false]);
    expect([0, 1, 2].map((node) => isMarked(marks, 'tierZero', node))).toEqual([false, false, true]);
    expect([0, 1, 2].map((node) => isMarked(marks, 'owned', node))).toEqual([false, false, true]);
  });

  it('have the requested properties', async () => {
    await mergeRecords(
      database,
      1,
      record([described('U1', 'User', { enabled: true, spn: ['a'], other: 1 }), described('U2', 'User')]),
    );
    const { nodeProperties } = await load({ nodeProperties: ['enabled', 'spn', 'missing'] });
    expect(nodeProperties.flag('enabled', 0)).toBe(true);
    expect(nodeProperties.list('spn', 0)).toEqual(['a']);
    expect(nodeProperties.flag('enabled', 1)).toBeUndefined();
    expect(nodeProperties.keys()).toEqual(['enabled', 'spn']);
  });
});

describe('edges', () => {
  it('come from sets and samples, each once, with explicit entries before inherited ones', async () => {
    await mergeRecords(
      database,
      1,
      record(
        [described('U1', 'User')],
        [
          edgeSet('U1', 'primary-group', [edge('U1 -MemberOf-> G1', { flags: EdgeFlag.PrimaryGroup })]),
          edgeSet('U1', 'acl', [edge('G1 -GenericAll-> U1', { flags: EdgeFlag.Acl | EdgeFlag.Inherited })]),
        ],
      ),
      record([described('G1', 'Group')], [edgeSet('G1', 'members', ['U1 -MemberOf-> G1'])]),
      record([described('C1', 'Computer')], [edgeSet('C1', 'sessions', ['C1 -HasSession-> U1'])]),
    );
    expect(edgesOf(await load())).toEqual([
      'C1 -HasSession-> U1 0',
      'G1 -GenericAll-> U1 3',
      'U1 -MemberOf-> G1 8',
    ]);
  });

  it('have the requested properties', async () => {
    const properties = { inheritancehash: 'H', other: 1 };
    const entries = [
      edge('G2 -OwnsRaw-> U1'),
      edge('G1 -OwnsRaw-> U1', { properties }),
      edge('G1 -GenericAll-> U1', { properties }),
    ];
    await mergeRecords(database, 1, record([described('U1', 'User')], [edgeSet('U1', 'acl', entries)]));
    const owns = 21;
    const { graph, edgeProperties } = await load({
      edgeProperties: { keys: ['inheritancehash'], kinds: new Set([owns]) },
    });
    const [g1, u1] = [findNode(graph, 'G1'), findNode(graph, 'U1')];
    expect(edgeProperties.get(g1, owns, u1)).toEqual({ inheritancehash: 'H' });
    expect(edgeProperties.size).toBe(1);
  });

  it('of access policies are omitted if the vault uses role-based access', async () => {
    const vault = (id: string, isRoleBased: boolean | undefined) =>
      record(
        [
          {
            ...described(
              id,
              'AZKeyVault',
              isRoleBased === undefined ? {} : { enablerbacauthorization: isRoleBased },
            ),
            kinds: ['AZBase', 'AZKeyVault'],
          },
        ],
        [
          edgeSet(id, 'az-access-policies', [
            ...['AZGetSecrets', 'AZGetKeys', 'AZGetCertificates'].map((kind) => edge(`U1 -${kind}-> ${id}`)),
            edge(`U1 -AZKeyVaultContributor-> ${id}`),
          ]),
        ],
      );
    await mergeRecords(database, 1, vault('V1', true), vault('V2', false), vault('V3', undefined));
    const found = edgesOf(await load());
    expect(found.filter((one) => one.includes('V1'))).toEqual([
      expect.stringContaining('AZKeyVaultContributor'),
    ]);
    for (const id of ['V2', 'V3']) expect(found.filter((one) => one.includes(id))).toHaveLength(4);
  });

  it('of more than one chunk are all loaded', async () => {
    const side = 270;
    const groups = Array.from({ length: side }, (_, group) => {
      const members = Array.from({ length: side }, (_, user) => edge(`U${user} -MemberOf-> G${group}`));
      return record([described(`G${group}`, 'Group')], [edgeSet(`G${group}`, 'members', members)]);
    });
    await mergeRecords(database, 1, ...groups);
    const { graph } = await load();
    expect([graph.nodeCount, graph.edgeCount]).toEqual([2 * side, side * side]);
  });
});

describe('a generation', () => {
  const domain = record([
    described('S-1-5-21-1', 'Domain', { name: 'CORP.LOCAL', collected: true, domainsid: 'S-1-5-21-1' }),
  ]);
  const admin = record(
    [described('S-1-5-21-1-500', 'User')],
    [
      edgeSet('S-1-5-21-1-500', 'acl', [
        edge('S-1-5-21-1-512 -OwnsRaw-> S-1-5-21-1-500', { startKind: 'Group', endKind: 'User' }),
      ]),
    ],
  );

  it('counts collected edges separately from derived ones', async () => {
    await mergeRecords(database, 1, domain, admin);
    const { collected, derived, graph } = await build();
    expect(collected).toEqual({
      nodes: { Base: 3, Domain: 1, Group: 1, User: 1 },
      edges: { OwnsRaw: 1 },
      total_nodes: 3,
      total_edges: 1,
    });
    expect(derived.edges).toMatchObject({ Owns: 1 });
    expect(derived.nodes.Group).toBe(derived.total_nodes);
    expect(collected.total_nodes + derived.total_nodes).toBe(graph.nodeCount);
    expect(collected.total_edges + derived.total_edges).toBe(graph.edgeCount);
  });

  it('is the same whether it was built here or loaded by a replica', async () => {
    await mergeRecords(database, 1, domain, admin);
    const built = await build();
    const loaded = await loadPublished({ database, log: silentLog }, 0);
    expect(loaded).toEqual(built);
    expect(await loadPublished({ database, log: silentLog }, built.id)).toBeUndefined();
  });

  it('is loaded from the database if its replica is behind or does not answer', async () => {
    await mergeRecords(database, 1, domain, admin);
    const built = await build();
    const warnings: string[] = [];
    const log = {
      ...silentLog,
      warn: (fields: object) => warnings.push((fields as { err: Error }).err.message),
    };
    const behind = await startTestDatabase();
    for (const replica of [behind.connection, { ...database.connection, host: '/nowhere' }]) {
      const source = { database, replica: { ...replica, mayBeStandby: true }, replicaPatienceMs: 50, log };
      expect(await loadPublished(source, 0)).toEqual(built);
      expect(await loadPublished(source, built.id)).toBeUndefined();
    }
    await behind.close();
    expect(warnings).toEqual([
      expect.stringContaining(`generation ${built.id} has not arrived there`),
      expect.stringContaining('ENOENT'),
    ]);
    const upToDate = { database, replica: { ...database.connection, mayBeStandby: true }, log };
    expect(await loadPublished(upToDate, 0)).toEqual(built);
    expect(warnings).toHaveLength(2);
  });

  it('adds a kind to a node that was only mentioned, without counting it as collected', async () => {
    await mergeRecords(database, 1, domain, record([mentioned('CORP.LOCAL-S-1-5-11', 'Base')]));
    const { graph, collected, derived } = await build();
    const everybody = findNode(graph, 'CORP.LOCAL-S-1-5-11');
    expect(hasKind(graph, everybody, NodeKind.Group)).toBe(true);
    expect(collected.nodes).toEqual({ Base: 2, Domain: 1 });
    expect(derived.nodes.Group).toBe(derived.total_nodes + 1);
  });

  it('removes derived edges and nodes when nothing supports them any more', async () => {
    await mergeRecords(database, 1, domain, admin);
    await build();
    await mergeRecords(
      database,
      2,
      record([described('S-1-5-21-1', 'Domain', { collected: false })]),
      record([described('S-1-5-21-1-500', 'User')], [edgeSet('S-1-5-21-1-500', 'acl', [])]),
    );
    const { derived } = await build();
    expect(derived).toEqual({ nodes: {}, edges: {}, total_nodes: 0, total_edges: 0 });
    const { rows } = await database.pool.query('select count(*) as sets from edge_set');
    expect(rows).toEqual([{ sets: 0 }]);
  });

  it('stops in the middle of reading, and the next build succeeds', async () => {
    // More than one chunk of each COPY.
    const many = Array.from({ length: 1500 }, (_, at) =>
      record(
        [described(`U${at}`, 'User', { name: `PERSON ${at}`.padEnd(60, '.') })],
        [edgeSet(`U${at}`, 'acl', [`S-1-5-21-1-500 -GenericAll-> U${at}`, `S-1-5-21-1-500 -Owns-> U${at}`])],
      ),
    );
    await mergeRecords(database, 1, domain, admin, ...many);
    const { signal } = new AbortController();
    const context = buildContext(database, () => {});
    let looks = 0;
    for (let stopAt = 1, stopped = true; stopped; stopAt++) {
      looks = 0;
      const throwIfAborted = (): void => {
        if (++looks === stopAt) throw new Error('stopped');
      };
      const stopping = Object.assign(Object.create(signal), { throwIfAborted }) as AbortSignal;
      stopped = await buildGeneration({ ...context, signal: stopping }).then(
        () => false,
        () => true,
      );
      // The pool would hand out a connection in the middle of a COPY to the next caller, and it would never answer.
      await Promise.all(Array.from({ length: 4 }, () => database.pool.query('select 1')));
    }
    expect(looks).toBeGreaterThan(8);
    expect((await build()).graph.nodeCount).toBeGreaterThan(2);
  });

  it('keeps the edges of a rule that failed', async () => {
    await mergeRecords(database, 1, domain, admin);
    await build();
    await database.pool.query('update facts_state set version = version + 1');
    const context = buildContext(database, () => {});
    const run: typeof context.analysis.run = (facts) => {
      const result = context.analysis.run(facts);
      const nothing = {
        count: 0,
        starts: new Uint32Array(),
        kinds: new Uint16Array(),
        ends: new Uint32Array(),
        flags: new Uint8Array(),
      };
      const failed = {
        name: 'ownership',
        kinds: ['Owns'] as const,
        status: 'failed' as const,
        edges: 0,
        ms: 0,
        error: new Error('a fault'),
      };
      return { ...result, edges: { ...nothing, properties: new Map() }, perRule: [failed] };
    };
    let made: Generation | undefined;
    await buildGeneration({
      ...context,
      handOver: async (generation) => {
        made = generation;
      },
      analysis: { ...context.analysis, run },
    });
    expect(made?.derived.edges.Owns).toBe(1);
  });
});
