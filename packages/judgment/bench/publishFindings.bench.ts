/**
 * Publishing findings: the first ones, the same again, one in a hundred rated otherwise. Budget: a million within 10 s, and only
 * the changes afterward.
 */
import { FINDING_TYPES, type FindingsResult } from '@clew/analysis';
import { type AttackGraph, GraphBuilder, NO_NODE, NodeSet } from '@clew/graph';
import { publishFindings, type ShownFindings } from '@clew/judgment/testing';
import { EdgeKind, NodeKind } from '@clew/model';
import type { Database } from '@clew/store';
import { openBenchDatabase } from '@clew/store/testing';

const COUNTS = { small: 20_000, large: 1_000_000 } as const;
const ZONE = 1;
const TARGETS = 5000;
const DOMAIN = 'S-1-5-21-1004336348-1177238915-682003330';
const RELATIONSHIP = FINDING_TYPES.findIndex(({ kind }) => kind === 'relationship');
const LIST = FINDING_TYPES.findIndex(({ kind }) => kind === 'list');

interface Measurement {
  readonly name: string;
  readonly figures: Readonly<Record<string, number>>;
}

export default {
  name: 'service: publish findings',
  async run({ scale }: { readonly scale: keyof typeof COUNTS }): Promise<Measurement[]> {
    const count = COUNTS[scale];
    const graph = people(count);
    const first = findings(graph, count, 0);
    const database = await openBenchDatabase();
    try {
      return [
        await measure(database, 'first findings', first, undefined, { added: count, changed: 0 }),
        await measure(database, 'the same again', first, first, { added: 0, changed: 0 }),
        await measure(database, 'one in a hundred rated otherwise', findings(graph, count, 100), first, {
          added: 0,
          changed: count / 100,
        }),
      ];
    } finally {
      await database.close();
    }
  },
};

/** A domain, and users in it. */
function people(count: number): AttackGraph {
  const builder = new GraphBuilder();
  builder.addNode({ storeId: 1, objectId: DOMAIN, name: 'CORP.EXAMPLE', kinds: [NodeKind.Domain] });
  for (let n = 0; n < count; n++) {
    const storeId = n + 2;
    builder.addNode({
      storeId,
      objectId: `${DOMAIN}-${1_000_000 + n}`,
      name: `PERSON${n}@CORP.EXAMPLE`,
      kinds: [NodeKind.User],
      environmentStoreId: 1,
    });
  }
  return builder.build();
}

/** Half are about control of a member of the zone, half about a property of an object. @param every one in so many is exposed to more */
function findings(graph: AttackGraph, count: number, every: number): ShownFindings {
  const column = <List extends Uint16Array | Uint32Array | Uint8Array | Float64Array>(
    list: List,
    value: (at: number) => number,
  ): List => {
    for (let at = 0; at < count; at++) list[at] = value(at);
    return list;
  };
  const isListed = (at: number): boolean => at % 2 === 1;
  const share = (at: number): number => (every > 0 && at % every === 0 ? 0.5 : 0.25);
  const result: FindingsResult = {
    found: {
      count,
      types: column(new Uint16Array(count), (at) => (isListed(at) ? LIST : RELATIONSHIP)),
      zones: column(new Uint32Array(count), () => ZONE),
      sources: column(new Uint32Array(count), (at) => (isListed(at) ? NO_NODE : 1 + at)),
      edgeKinds: column(new Uint16Array(count), (at) => (isListed(at) ? 0 : EdgeKind.GenericAll)),
      edgeFlags: new Uint8Array(count),
      targets: column(new Uint32Array(count), (at) => 1 + (isListed(at) ? at : at % TARGETS)),
      environments: new Uint32Array(count),
      alsoFrom: new Map(),
    },
    ratings: {
      exposureCounts: column(new Uint32Array(count), (at) => Math.round(share(at) * count)),
      exposures: column(new Float64Array(count), share),
      impactCounts: new Uint32Array(count),
      impacts: new Float64Array(count),
      severities: column(new Uint8Array(count), (at) => at % 4),
      reasons: {
        rows: new Uint8Array(count),
        basis: new Uint8Array(count),
        counts: new Uint32Array(count),
        wholes: new Uint32Array(count),
        efforts: new Uint8Array(count).fill(1),
      },
      parts: new Map(),
      foreign: new Map(),
    },
    environments: {
      nodes: [0],
      of: new Uint32Array(graph.nodeCount),
      forests: new Uint32Array(1),
      principals: NodeSet.all(graph.nodeCount),
    },
    ...{ risks: [], postures: [], completeness: [], gaps: [], warnings: [] },
    exposedWithoutFinding: 0,
    failed: new Map(),
  };
  const labels = {
    kindOf: (node: number): string => (node === 0 ? 'Domain' : 'User'),
    environmentOf: (): number => 0,
  };
  return { graph, labels, result };
}

async function measure(
  { pool }: Database,
  name: string,
  shown: ShownFindings,
  before: ShownFindings | undefined,
  expected: { readonly added: number; readonly changed: number },
): Promise<Measurement> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    const began = performance.now();
    const published = await publishFindings(client, shown, {
      zones: [ZONE],
      instant: new Date().toISOString(),
      by: { cause: 'data', rulesVersion: '' },
      before,
    });
    await client.query('commit');
    const seconds = (performance.now() - began) / 1000;
    const { rows } = await client.query<{ count: string }>('select count(*) from finding where status = $1', [
      'active',
    ]);
    const { count } = shown.result.found;
    if (Number(rows[0].count) !== count) throw new Error(`${rows[0].count} findings, not ${count}`);
    if (
      published.added !== expected.added ||
      published.changed !== expected.changed ||
      published.archived > 0
    )
      throw new Error(`published ${JSON.stringify(published)}`);
    return { name, figures: { findings: count, s: Math.round(seconds * 100) / 100 } };
  } finally {
    client.release();
  }
}
