/**
 * Tests every related list of every object, from upload to graph. Its count, page and graph have the same contents, which equal the
 * reference. The export produces the same graph.
 */
import { ENTITY_KINDS } from '@clew/api';
import { sampledCases } from '@clew/common/testing';
import type { Generation } from '@clew/generation';
import { hasKind, objectIdOf } from '@clew/graph';
import {
  archiveOf,
  emptyStore,
  findUploadJob,
  ingestAll,
  TEST_COLLECTIONS,
  type TestUpload,
  upload,
} from '@clew/intake/testing';
import { NodeKind } from '@clew/model';
import { evaluateRelation, queryDataOf, RELATED_LISTS, relationGraph, unmetered } from '@clew/queries';
import { listDefinitions } from '@clew/queries/testing';
import { buildContext, buildGeneration } from '@clew/service/testing';
import { type Database, storedProperties } from '@clew/store';
import { startTestDatabase } from '@clew/store/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type QueryServer, startQueryServer } from '../../test/graphs/queryServer.ts';

/** @returns the graph of the files in an empty store */
async function ingest(database: Database, files: readonly TestUpload[]): Promise<Generation> {
  const id = await upload(database, ...files);
  await ingestAll(database);
  const job = await findUploadJob(database.db, id);
  expect({ failed: job?.failed_files, partial: job?.partial_files }).toEqual({ failed: 0, partial: 0 });
  const made: Generation[] = [];
  await buildGeneration(buildContext(database, (generation) => made.push(generation)));
  return made[0];
}

describe.each(TEST_COLLECTIONS)('$name', ({ files }) => {
  describe('after ingest', () => {
    let database: Database;
    let server: QueryServer;
    let generation: Generation;

    beforeAll(async () => {
      database = await startTestDatabase();
      generation = await ingest(database, [await archiveOf(await files())]);
      server = await startQueryServer(generation, storedProperties(database.db), { database });
    });
    afterAll(async () => {
      await server?.close();
      await database?.close();
    });

    test('has lists that equal their definitions, and graphs with the objects that lists count', () => {
      const data = queryDataOf(generation);
      const defined = listDefinitions(data);
      let notEmpty = 0;
      for (const { kind, related } of ENTITY_KINDS) {
        for (let root = 0; root < data.graph.nodeCount; root++) {
          if (!hasKind(data.graph, root, NodeKind[kind])) continue;
          for (const { key } of related) {
            const relation = RELATED_LISTS[key];
            const found = evaluateRelation(data, relation, root, unmetered);
            const wanted = new Set(defined[key](root));
            wanted.delete(root);
            if (found.length > 0) notEmpty++;
            if (found.length !== wanted.size || !found.every((node) => wanted.has(node))) {
              expect([key, objectIdOf(data.graph, root), ...found]).toEqual([key, '', ...wanted]);
            }
            if (relation.listOnly === true) continue;
            const graph = relationGraph(data, relation, root, { connecting: false }, unmetered);
            if (graph.results.length !== found.length || graph.connecting.length > 0) {
              expect([key, objectIdOf(data.graph, root), ...graph.results]).toEqual([key, '', ...found]);
            }
          }
        }
      }
      expect(notEmpty).toBeGreaterThan(1_000);
    });

    test('answers the same counts for the entity, its lists and their graphs', async () => {
      const data = queryDataOf(generation);
      for (const { segment, kind, related } of ENTITY_KINDS) {
        const roots = [...Array(data.graph.nodeCount).keys()].filter((node) =>
          hasKind(data.graph, node, NodeKind[kind]),
        );
        for (const root of sampledCases(roots.slice(0, 3), 3)) {
          const path = `${segment}/${encodeURIComponent(objectIdOf(data.graph, root))}`;
          const entity = (await server.get(path)).body.data;
          for (const { suffix, countKey } of related) {
            const page = (await server.get(`${path}/${suffix}?limit=100000`)).body;
            const graph = await server.get(`${path}/${suffix}?type=graph`);
            const shown = Object.keys(graph.body).filter((entry) => !entry.startsWith('rel_')).length - 1;
            expect([path, suffix, page.count, page.data.length]).toEqual([
              path,
              suffix,
              entity[countKey],
              entity[countKey],
            ]);
            if (graph.status === 200) expect([path, suffix, shown]).toEqual([path, suffix, page.count]);
          }
        }
      }
    });

    test('is the same graph when its export is ingested elsewhere', async () => {
      const exported = (await server.get('graphs/export')).body;
      await emptyStore(database);
      const again = await ingest(database, [{ name: 'export.json', content: JSON.stringify(exported) }]);
      const other = await startQueryServer(again, storedProperties(database.db), { database });
      try {
        expect(comparable((await other.get('graphs/export')).body)).toEqual(comparable(exported));
        expect(again.collected).toEqual(generation.collected);
        expect(again.derived).toEqual(generation.derived);
      } finally {
        await other.close();
      }
    });
  });
});

interface Exported {
  readonly graph: {
    readonly nodes: readonly { readonly id: string; readonly properties: Record<string, unknown> }[];
    readonly edges: readonly unknown[];
  };
}

/** Readers of OpenGraph store the first kind of a node; everything else is unchanged. */
function comparable({ graph }: Exported) {
  return {
    nodes: graph.nodes.map((node) => {
      const { primarykind: _, ...properties } = node.properties;
      return { ...node, properties };
    }),
    edges: graph.edges,
  };
}
