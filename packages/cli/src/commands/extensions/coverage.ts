/** Compares collected data with a definition: reads an OpenGraph payload without a service. */
import { readFile, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { edgeKindByName, jsonFault, nodeKindByName, parseJson } from '@clew/model';
import type { StoredDefinition } from '@clew/service';
import type { Context } from '../../context.ts';
import { CommandError } from '../../failure.ts';

/** Limited, because it is kept in memory. */
const MAX_BYTES = 256 * 1024 * 1024;

export interface Coverage {
  readonly nodes: readonly { readonly kind: string; readonly count: number; readonly is_declared: boolean }[];
  readonly relationships: readonly {
    readonly kind: string;
    readonly count: number;
    readonly is_declared: boolean;
    readonly is_traversable: boolean;
  }[];
  /** Kinds of the definition without data. */
  readonly kinds_without_data: readonly string[];
  /** Number of nodes of declared kinds without an environment, which no figure includes. */
  readonly nodes_without_environment: number;
  /** Sources in the payloads that the definition does not have. */
  readonly other_sources: readonly string[];
}

export class DataCounts {
  readonly nodes = new Map<string, number>();
  readonly edges = new Map<string, number>();
  readonly sources = new Set<string>();
  /** Property names of nodes. */
  readonly properties = new Set<string>();
  /** Counts by primary kind. */
  readonly withoutEnvironment = new Map<string, number>();

  /** @throws CommandError if the file is not a payload */
  async add({ directory }: Context, given: string): Promise<void> {
    const path = resolve(directory, given);
    const { size } = await stat(path).catch((error: Error) => {
      throw new CommandError(`cannot read ${given}: ${error.message}`);
    });
    if (size > MAX_BYTES) throw new CommandError(`${given}: is larger than ${MAX_BYTES} bytes`);
    const text = (await readFile(path, 'utf8')).replace(/^\ufeff/, '');
    let payload: unknown;
    try {
      payload = parseJson(text);
    } catch (error) {
      throw new CommandError(`${given}: is not JSON: ${jsonFault(text, error)}`);
    }
    const graph = memberOf(payload, 'graph');
    if (graph === undefined)
      throw new CommandError(`${given}: is not an OpenGraph payload: it has no "graph"`);
    const source = memberOf(memberOf(payload, 'metadata'), 'source_kind');
    if (typeof source === 'string') this.sources.add(source);
    for (const node of listOf(memberOf(graph, 'nodes'))) this.#addNode(node);
    for (const edge of listOf(memberOf(graph, 'edges'))) {
      const kind = memberOf(edge, 'kind');
      if (typeof kind === 'string') count(this.edges, kind);
    }
  }

  #addNode(node: unknown): void {
    const kinds = listOf(memberOf(node, 'kinds')).filter((kind) => typeof kind === 'string');
    for (const kind of kinds) count(this.nodes, kind);
    const properties = memberOf(node, 'properties');
    if (typeof properties === 'object' && properties !== null)
      for (const name of Object.keys(properties)) this.properties.add(name);
    const environment = memberOf(properties, 'environmentid');
    if (kinds[0] !== undefined && (typeof environment !== 'string' || environment === ''))
      count(this.withoutEnvironment, kinds[0]);
  }

  coverageBy({ node_kinds, relationship_kinds, environments }: StoredDefinition): Coverage {
    const sources = new Set(environments.map(({ source_kind }) => source_kind));
    const nodes = new Set([...node_kinds.map(({ name }) => name), ...sources]);
    const traversable = new Map(relationship_kinds.map((kind) => [kind.name, kind.is_traversable]));
    const isBuiltIn = (kind: string): boolean => nodeKindByName(kind) !== undefined;
    return {
      nodes: sorted(this.nodes).map(([kind, found]) => ({
        ...{ kind, count: found },
        is_declared: nodes.has(kind) || isBuiltIn(kind),
      })),
      relationships: sorted(this.edges).map(([kind, found]) => ({
        ...{ kind, count: found },
        is_declared: traversable.has(kind) || edgeKindByName(kind) !== undefined,
        is_traversable: traversable.get(kind) === true,
      })),
      kinds_without_data: [
        ...node_kinds.map(({ name }) => name).filter((name) => !this.nodes.has(name)),
        ...[...traversable.keys()].filter((name) => !this.edges.has(name)),
      ],
      nodes_without_environment: [...this.withoutEnvironment]
        .filter(([kind]) => nodes.has(kind))
        .reduce((sum, [, found]) => sum + found, 0),
      other_sources: [...this.sources].filter((source) => !sources.has(source)),
    };
  }
}

function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return (value as Readonly<Record<string, unknown>>)[name];
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

const sorted = (counts: ReadonlyMap<string, number>): [string, number][] =>
  [...counts].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
