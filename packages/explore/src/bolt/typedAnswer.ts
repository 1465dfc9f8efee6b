/** Typed rows of an answer, decoded and completed from the store as the client reads them. */
import { deserialize } from 'node:v8';
import {
  type QueryValue,
  type TypedAnswer,
  type TypedNode,
  type TypedRelationship,
  TypedValue,
} from '@clew/common';
import type { UpdateCounts } from '@clew/cypher';
import { entriesOf, typedPartOf } from '../cypher/cells.ts';
import type { CypherAnswer } from '../cypher/cypherMessages.ts';
import type { ShownGraph, TypedParts } from './shownGraph.ts';
import { type PartSources, typedParts } from './typedParts.ts';

export function typedAnswer(answer: CypherAnswer, graph: ShownGraph, sources: PartSources): TypedAnswer {
  const rows = new RowQueue(answer);
  return {
    columns: answer.columns,
    warnings: answer.warnings,
    changes: answer.changes && statistics(answer.changes),
    generation: graph.data.generation,
    bytes: answer.rows.batches.reduce((sum, { length }) => sum + length, 0),
    get left() {
      return rows.left;
    },
    async take(max, signal) {
      signal.throwIfAborted();
      const taken = rows.take(max);
      const parts = await typedParts(taken, graph, sources, answer.layer);
      signal.throwIfAborted();
      return taken.map((row) => row.map((value) => typed(value, parts)));
    },
    skip: (count) => rows.skip(count),
  };
}

/** The names of the protocol, without the counts of 0. */
function statistics(counts: UpdateCounts): Record<string, number> {
  const named = Object.entries(counts).map(([name, count]): [string, number] => [
    name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
    count,
  ]);
  return Object.fromEntries(named.filter(([, count]) => count > 0));
}

/** A queue that releases rows once they are read. */
class RowQueue {
  readonly #batches: Uint8Array[];
  #open: (readonly unknown[])[] = [];
  left: number;

  constructor({ rows }: CypherAnswer) {
    this.#batches = [...rows.batches];
    this.left = rows.count;
  }

  take(max: number): readonly (readonly unknown[])[] {
    if (this.#open.length === 0) {
      const batch = this.#batches.shift();
      if (batch !== undefined) this.#open = deserialize(batch) as (readonly unknown[])[];
    }
    const taken = this.#open.splice(0, max);
    this.left -= taken.length;
    return taken;
  }

  skip(count: number): void {
    if (count >= this.left) {
      this.#batches.length = 0;
      this.#open = [];
      this.left = 0;
      return;
    }
    for (let still = count; still > 0; ) still -= this.take(still).length;
  }
}

function typed(value: unknown, parts: TypedParts): QueryValue {
  if (typeof value !== 'object' || value === null) return value as QueryValue;
  if (Array.isArray(value)) return value.map((item) => typed(item, parts));
  const part = typedPartOf(value);
  if (part === undefined)
    return Object.fromEntries(entriesOf(value).map(([key, inner]) => [key, typed(inner, parts)]));
  const nodeOf = (node: number) => parts.nodes.get(node) as TypedNode;
  const relationshipOf = (edge: number) => parts.relationships.get(edge) as TypedRelationship;
  switch (part.type) {
    case 'node':
      return new TypedValue(nodeOf(part.node));
    case 'relationship':
      return new TypedValue(relationshipOf(part.edge));
    case 'path':
      return new TypedValue({
        type: 'path',
        nodes: part.nodes.map(nodeOf),
        relationships: part.edges.map(relationshipOf),
      });
    default:
      return new TypedValue(part);
  }
}
