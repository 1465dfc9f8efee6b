/** The rows of a query as an answer: plain data, with the parts of the graph that they contain. */
import {
  CypherError,
  isList,
  isMap,
  NodeValue,
  numberOf,
  PathValue,
  type PropertyGraph,
  type QueryResult,
  RelationshipValue,
  sizeOf,
  type Value,
} from '@clew/cypher';
import { RowPacker } from './answerRows.ts';
import { cell, mapCell } from './cells.ts';
import type { CypherAnswer } from './cypherMessages.ts';
import { literalOf } from './typedCells.ts';

/** Collects rows, and limits the size of the answer. */
export class AnswerBuilder {
  readonly #graph: PropertyGraph;
  readonly #max: number;
  readonly #wantsTable: boolean;
  readonly #isTyped: boolean;
  readonly #nodes = new Set<number>();
  readonly #edges = new Set<number>();
  readonly #rows = new RowPacker();
  #values = 0;
  /** Graph parts of the present row, with those inside lists and maps. */
  #parts = 0;

  /**
   * @param wantsTable if false, rows that only contain graph parts are not kept
   * @param isTyped values that are more than JSON keep their types (`typedCells.ts`), or else are texts and numbers
   */
  constructor(graph: PropertyGraph, max: number, wantsTable: boolean, isTyped = false) {
    this.#graph = graph;
    this.#max = max;
    this.#wantsTable = wantsTable;
    this.#isTyped = isTyped;
  }

  /** Bytes of packed rows. */
  get bytes(): number {
    return this.#rows.bytes;
  }

  /** @throws CypherError if the answer is too large */
  add(values: readonly Value[]): void {
    this.#parts = 0;
    const row = values.map((value) => this.#plain(value));
    const literals = values.filter((value) => !isPart(value)).length;
    if (this.#wantsTable || literals > 0) {
      // Long lists and texts count as more than one value.
      const ofValues = values.reduce<number>((sum, value) => sum + sizeOf(value, this.#max), 0);
      // A typed answer has all properties of a graph part wherever it names it, also in a list.
      const size = this.#isTyped ? ofValues + this.#parts - (values.length - literals) : ofValues;
      this.#rows.add(row, size, literals > 0);
      this.#values += size - row.length + (this.#wantsTable ? row.length : literals);
      if (this.#values > this.#max)
        throw new CypherError('limit', `the answer has more than ${this.#max} values: use LIMIT`);
    }
    if (this.#nodes.size + this.#edges.size > this.#max)
      throw new CypherError(
        'limit',
        `the answer contains more than ${this.#max} objects and edges: use LIMIT`,
      );
  }

  answer({ columns, warnings, plan, isEmpty }: QueryResult): Omit<CypherAnswer, 'milliseconds'> {
    const ascending = (numbers: Set<number>): number[] => [...numbers].sort((a, b) => a - b);
    const [nodes, edges] = [ascending(this.#nodes), ascending(this.#edges)];
    return { columns, rows: this.#rows.rows(), nodes, edges, warnings, plan, isEmpty };
  }

  #addEdge(edge: number): void {
    this.#edges.add(this.#graph.edgeId(edge));
    // An edge cannot be drawn without its ends.
    this.#nodes.add(this.#graph.startOf(edge));
    this.#nodes.add(this.#graph.out.neighbors[edge]);
  }

  #plain(value: Value): unknown {
    if (value === null || typeof value !== 'object') return value;
    if (value instanceof NodeValue) {
      this.#nodes.add(value.node);
      this.#parts++;
      return cell({ type: 'node', node: value.node });
    }
    if (value instanceof RelationshipValue) {
      this.#addEdge(value.edge);
      this.#parts++;
      return cell({ type: 'relationship', edge: this.#graph.edgeId(value.edge) });
    }
    if (value instanceof PathValue) {
      for (const node of value.nodes) this.#nodes.add(node);
      this.#parts++;
      for (const edge of value.edges) this.#addEdge(edge);
      const edges = value.edges.map((edge) => this.#graph.edgeId(edge));
      return cell({ type: 'path', nodes: value.nodes, edges });
    }
    if (isList(value)) return value.map((item) => this.#plain(item));
    const literal = this.#isTyped ? literalOf(value) : undefined;
    if (literal !== undefined) return { $: literal };
    const number = numberOf(value);
    if (number !== undefined) return number;
    if (isMap(value)) return mapCell(value, (inner: Value) => this.#plain(inner));
    return String(value);
  }
}

const isPart = (value: Value): boolean =>
  value instanceof NodeValue || value instanceof RelationshipValue || value instanceof PathValue;
