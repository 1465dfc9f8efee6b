/** Tests the worked cases of certificate services, uploaded as one OpenGraph payload and processed completely. */
import { workedWorld } from '@clew/analysis/testing';
import type { Generation } from '@clew/generation';
import { ingestAll, upload } from '@clew/intake/testing';
import type { Database } from '@clew/store';
import { startTestDatabase } from '@clew/store/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildContext } from '../../test/generations/builds.ts';
import { derivedEdges } from '../../test/generations/derivedEdges.ts';
import { createAnalysis } from './analysis.ts';
import { buildGeneration } from './buildGeneration.ts';

let database: Database;

beforeAll(async () => {
  database = await startTestDatabase();
});
afterAll(() => database.close());

it('derives from uploaded facts exactly the edges of the worked cases', async () => {
  const { nodes, edges, expected } = workedWorld();
  const payload = {
    metadata: { source_kind: 'Base' },
    graph: {
      nodes,
      edges: edges.map(({ start, kind, end }) => ({
        kind,
        start: { match_by: 'id', value: start },
        end: { match_by: 'id', value: end },
      })),
    },
  };
  await upload(database, { name: 'cases.json', content: payload });
  await ingestAll(database);
  let generation: Generation | undefined;
  const context = buildContext(database, (built) => {
    generation = built;
  });
  const analysis = createAnalysis({ mode: 'clean' });
  // The worlds test rules, so they define all members of groups themselves.
  const asTold = { ...analysis, everybodyOf: () => [] };
  expect(await buildGeneration({ ...context, analysis: asTold })).toBe(true);
  expect(derivedEdges(generation!)).toEqual(expected);
});
