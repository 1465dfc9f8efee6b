/**
 * Measures loading a graph from the store: nodes with about 600 bytes of properties and ten edges each. With properties, as analysis needs
 * it; without, as a replica does; and again after a small change. Budget: 10 s for 1 M nodes and 10 M edges without properties.
 */

import { type Database, typeParsers } from '@clew/store';
import { openBenchDatabase } from '@clew/store/testing';
import { createAnalysis, KnownRows, type LoadOptions, loadGraph } from '@clew/worker/testing';
import pg from 'pg';

/** `huge` takes some minutes to fill, so it is rarely used. */
const NODES = { small: 10_000, large: 100_000, huge: 1_000_000 } as const;
const EDGES_OF_NODE = 10;

interface Measurement {
  readonly name: string;
  readonly figures: Readonly<Record<string, number>>;
}

export default {
  name: 'service: load a generation',
  async run({ scale }: { readonly scale: keyof typeof NODES }): Promise<Measurement[]> {
    const database = await openBenchDatabase();
    try {
      await fill(database, NODES[scale]);
      const { reads } = createAnalysis({ mode: 'clean' });
      const known = new KnownRows();
      return [
        await measure(database, 'nodes and edges', NODES[scale], { derived: true }),
        await measure(database, 'with the properties of analysis', NODES[scale], {
          derived: true,
          ...reads,
        }),
        await measure(database, 'the same, kept for the next load', NODES[scale], {
          ...{ derived: true, known },
          ...reads,
        }),
        await changeOnePercent(database).then(() =>
          measure(database, 'the next load, after a change of 1 %', NODES[scale], {
            ...{ derived: true, known },
            ...reads,
          }),
        ),
      ];
    } finally {
      await database.close();
    }
  },
};

/** Written by the database itself, as ingest would have left the graph. */
async function fill({ pool }: Database, nodes: number): Promise<void> {
  await pool.query(
    `insert into source (name) values ('sharphound');
     insert into object_id (object_id)
     select 'S-1-5-21-1004336348-1177238915-682003330-' || at from generate_series(1, ${nodes}) at;
     insert into node (id, kinds, environment_id, properties, described, first_seen)
     select at, array[1, 2 + at % 3], 1, jsonb_build_object(
       'name', 'PERSON' || at || '@CORP.EXAMPLE', 'domain', 'CORP.EXAMPLE', 'enabled', at % 11 <> 0,
       'distinguishedname', 'CN=PERSON' || at || ',OU=PEOPLE,DC=CORP,DC=EXAMPLE', 'samaccountname', 'person' || at,
       'domainsid', 'S-1-5-21-1004336348-1177238915-682003330', 'description', repeat('x', at % 60), 'lastlogon', 0,
       'whencreated', 1500000000 + at, 'pwdlastset', 1600000000 + at, 'sensitive', false, 'hasspn', false,
       'isaclprotected', false, 'unconstraineddelegation', false, 'trustedtoauth', false, 'admincount', false,
       'displayname', 'Person ' || at, 'email', 'person' || at || '@corp.example', 'serviceprincipalnames', '[]'::jsonb
     ), true, now() from generate_series(1, ${nodes}) at;
     insert into edge_set (owner_id, aspect, source_id, start_ids, kind_ids, end_ids, flags, first_seen, collected_at)
     select at, 1, 1, array(select 1 + (at * 31 + edge * 7919) % ${nodes} from generate_series(1, ${EDGES_OF_NODE}) edge),
            array[16, 17, 18, 21, 22, 25, 26, 27, 30, 1], array_fill(at, array[${EDGES_OF_NODE}]),
            array[19, 17, 19, 17, 19, 17, 19, 17, 19, 0], now(), now()
     from generate_series(1, ${nodes}) at;
     analyze`,
  );
}

/** Changes the properties of nodes and the edges of sets; the graph keeps its size. */
async function changeOnePercent({ pool }: Database): Promise<void> {
  await pool.query(
    `update node set properties = properties || '{"enabled": true, "lastlogon": 1}' where id % 100 = 0;
     update edge_set set kind_ids[1] = 19 where owner_id % 100 = 0`,
  );
}

async function measure(
  { connection }: Database,
  name: string,
  nodes: number,
  options: LoadOptions,
): Promise<Measurement> {
  const client = new pg.Client({ ...connection, types: typeParsers });
  await client.connect();
  try {
    const cpu = process.cpuUsage();
    const began = performance.now();
    await client.query('begin isolation level repeatable read read only');
    const { graph } = await loadGraph(client, options);
    await client.query('commit');
    const ms = performance.now() - began;
    const { user, system } = process.cpuUsage(cpu);
    const { nodeCount, edgeCount } = graph;
    if (nodeCount !== nodes || edgeCount < nodes * EDGES_OF_NODE * 0.95) {
      throw new Error(`${nodeCount} nodes and ${edgeCount} edges`);
    }
    return {
      name,
      figures: {
        ms: Math.round(ms),
        'edges/s': Math.round(edgeCount / (ms / 1000)),
        'ms of processor, without the database': Math.round((user + system) / 1000),
        'peak RSS MB': Math.round(process.resourceUsage().maxRSS / 1024),
      },
    };
  } finally {
    await client.end();
  }
}
