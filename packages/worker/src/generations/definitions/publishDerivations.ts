/** Writes the relationships that definitions derive, and the outcome. */
import { type AttackGraph, EdgeProperties, withEdges } from '@clew/graph';
import { storedDerivation } from '@clew/intake';
import { DEFINITIONS_SOURCE, edgesOf, type RanDerivation } from '@clew/judgment';
import { storableText } from '@clew/store';
import type pg from 'pg';
import { type DerivedFacts, writeDerived } from '../writeDerived.ts';

export interface Derivations {
  readonly graph: AttackGraph;
  readonly ran: readonly RanDerivation[];
  readonly stored: DerivedFacts | undefined;
  /** The store has these edges from the previous build. */
  readonly isWritten: boolean;
}

/** @param client in the transaction of the generation @param sourceOf the number of a source by its name */
export async function publishDerivations(
  client: pg.ClientBase,
  { graph, ran, stored, isWritten }: Derivations,
  sourceOf: (name: string) => Promise<number>,
): Promise<void> {
  // Locks in the same order as the installation of definitions, so that they cannot deadlock.
  if (ran.some(({ isSame }) => !isSame))
    await client.query('select from derived_relationship order by id for update');
  for (const {
    of,
    pairs,
    isFound,
    isSame,
    milliseconds,
    error,
    timedOut,
    ambiguousCount,
    ambiguous,
  } of ran) {
    if (isSame) continue;
    const definition = JSON.stringify(storedDerivation(of));
    if (!isFound) {
      const values = [
        of.kindName,
        milliseconds ?? null,
        storableText(error ?? ''),
        JSON.stringify(timedOut ?? null),
        definition,
      ];
      await client.query(FAILED, values);
      continue;
    }
    const values = [of.kindName, milliseconds ?? null, pairs.starts.length, ambiguousCount];
    await client.query(WORKED, [...values, JSON.stringify(ambiguous), definition]);
  }
  if (stored === undefined) {
    const { rowCount } = await client.query('select from source where name = $1', [DEFINITIONS_SOURCE]);
    if (rowCount === 0) return;
  } else if (isWritten) return;
  const none = { graph: withoutEdges(graph), properties: new EdgeProperties() };
  await writeDerived(client, stored ?? none, await sourceOf(DEFINITIONS_SOURCE));
}

/** @returns a graph of only these edges, as in the store; `undefined` if nothing is derived */
export function storedFacts(graph: AttackGraph, ran: readonly RanDerivation[]): DerivedFacts | undefined {
  if (ran.length === 0) return undefined;
  const properties = new EdgeProperties();
  const edges = edgesOf(graph, ran, (start, kind, end, reason) =>
    properties.set(start, kind, end, { reason }),
  );
  return { graph: withEdges(withoutEdges(graph), edges), properties };
}

function withoutEdges(graph: AttackGraph): AttackGraph {
  const none = {
    offsets: new Uint32Array(graph.nodeCount + 1),
    neighbors: new Uint32Array(0),
    kinds: new Uint16Array(0),
    flags: new Uint8Array(0),
  };
  return { ...graph, edgeCount: 0, out: none, in: none };
}

/** Only for the text that ran: a text that was installed since then has no results yet. */
const FAILED = `
update derived_relationship
set ran_at = now(), query_ms = coalesce($2, query_ms), query_error = $3, query_timed_out = nullif($4::jsonb, 'null')
where kind = $1 and definition @> $5::jsonb`;

const WORKED = `
update derived_relationship
set ran_at = now(), query_ms = $2, query_error = null, query_timed_out = null, found_at = now(), edge_count = $3,
  ambiguous_count = $4, ambiguous = $5
where kind = $1 and definition @> $6::jsonb`;
