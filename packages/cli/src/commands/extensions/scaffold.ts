/** `clew extension scaffold`: an author's first file, from data stored in the service. */
import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { ClewClient } from '@clew/client';
import { counted, kindTitle, nodeKindByName } from '@clew/model';
import { connect } from '../../connection.ts';
import type { Context } from '../../context.ts';
import { CommandError, fileReason } from '../../failure.ts';
import { jsonText, printable } from '../../terminal/text.ts';
import type { ExtensionOptions } from './installed.ts';
import { isLikelyEnvironment, isLikelyPrincipal, isLikelyTraversable, lookFor } from './kindGuesses.ts';

export interface ScaffoldOptions extends ExtensionOptions {
  /** Source kind of the data. */
  readonly fromData: string;
  readonly namespace?: string;
  /** Output file; default: standard output. */
  readonly out?: string;
}

/** Seconds, because it counts all data of the source. */
const WAIT_SECONDS = 300;
/** Maximum number of kinds in a definition. */
const MAX_KINDS = 1000;
const NAMESPACE = /^[A-Za-z0-9]+(?:_[A-Za-z0-9]+)*$/;

interface Found {
  readonly nodes: ReadonlyMap<string, number>;
  /** Kinds with at least one node that is collected as an environment. */
  readonly environments: ReadonlySet<string>;
  readonly edges: ReadonlyMap<string, { count: number; readonly between: Map<string, number> }>;
}

export async function scaffoldExtension(context: Context, options: ScaffoldOptions): Promise<void> {
  const { out, err } = context;
  const { fromData: source, namespace: given } = options;
  const client = await connect(context, options);
  const found = await readKinds(client, source, context.signal);
  if (found.nodes.size === 0)
    throw new CommandError(
      `there are no nodes from the source ${printable(source)}; ${await knownSources(client, context.signal)}`,
    );
  const namespace = given ?? commonNamespace([...found.nodes.keys(), ...found.edges.keys()]);
  if (namespace === undefined || !NAMESPACE.test(namespace))
    throw new CommandError(
      `the kinds of ${printable(source)} have no namespace (such as Okta_User), which a definition needs: ${[...found.nodes.keys()].slice(0, 10).map(printable).join(', ')}`,
    );
  const isOwn = (kind: string): boolean =>
    kind.startsWith(`${namespace}_`) && kind.length > namespace.length + 1;
  const others = [...found.nodes.keys(), ...found.edges.keys()].filter((kind) => !isOwn(kind));
  const definition = definitionOf(source, namespace, found, isOwn);
  const text = jsonText(definition);
  if (options.out !== undefined) {
    await writeFile(resolve(context.directory, options.out), text, { flag: 'wx' }).catch((error) => {
      throw new CommandError(`cannot write ${options.out}: ${fileReason(error as Error)}`);
    });
    err.write(`Wrote ${printable(options.out)}\n`);
    if (options.json) out.write(text);
  } else out.write(text);
  if (others.length > 0)
    err.write(
      `Omitted, because the name does not begin with ${printable(namespace)}_: ${others.slice(0, 20).map(printable).join(', ')}\n`,
    );
  const guessed = definition.relationship_kinds.filter(({ is_traversable }) => is_traversable).length;
  err.write(
    `${counted(guessed, 'kind')} of relationships ${guessed === 1 ? 'is' : 'are'} assumed to be traversable: check each of them before you install it\n`,
  );
}

/** The built-in directories, and data without a source. */
const NO_PLATFORMS: ReadonlySet<string> = new Set(['Base', 'AZBase', 'Sourceless']);

async function knownSources(client: ClewClient, signal: AbortSignal): Promise<string> {
  const { kinds } = (await client.call('GetSourceKinds', {}, { signal })).data;
  const names = kinds.map(({ name }) => printable(name)).filter((name) => !NO_PLATFORMS.has(name));
  return names.length === 0
    ? 'no data of other platforms is stored: "clew ingest FILE" uploads data'
    : `the sources are ${names.slice(0, 20).join(', ')}`;
}

async function readKinds(client: ClewClient, source: string, signal: AbortSignal): Promise<Found> {
  const label = `\`${source.replaceAll('`', '``')}\``;
  const rows = async (query: string): Promise<readonly (readonly unknown[])[]> =>
    (await client.call('RunCypherQuery', { body: { query, rows: true } }, { signal, wait: WAIT_SECONDS }))
      .data.rows ?? [];
  const kindOf = (labels: unknown): string | undefined =>
    (Array.isArray(labels) ? labels : []).find(
      (one): one is string =>
        typeof one === 'string' && one !== source && !/^tag_/i.test(one) && nodeKindByName(one) === undefined,
    );
  const [nodes, environments] = [new Map<string, number>(), new Set<string>()];
  const edges = new Map<string, { count: number; readonly between: Map<string, number> }>();
  for (const [labels, isCollected, count] of await rows(
    `MATCH (n:${label}) RETURN labels(n), n.collected, count(n)`,
  )) {
    const kind = kindOf(labels);
    if (kind === undefined) continue;
    nodes.set(kind, (nodes.get(kind) ?? 0) + Number(count));
    if (isCollected === true) environments.add(kind);
  }
  const ends = (labels: unknown): string =>
    kindOf(labels) ??
    (Array.isArray(labels) ? String(labels.find((one) => one !== 'Base') ?? 'node') : 'node');
  for (const pattern of [`(a:${label})-[r]->(b)`, `(a)-[r]->(b:${label})`]) {
    // Relationships within the source match both patterns.
    const isSecond = pattern.startsWith('(a)-');
    for (const [type, from, to, count] of await rows(
      `MATCH ${pattern} RETURN type(r), labels(a), labels(b), count(r)`,
    )) {
      if (typeof type !== 'string' || (isSecond && Array.isArray(from) && from.includes(source))) continue;
      const one = edges.get(type) ?? { count: 0, between: new Map<string, number>() };
      one.count += Number(count);
      const key = `${ends(from)} to ${ends(to)}`;
      one.between.set(key, (one.between.get(key) ?? 0) + Number(count));
      edges.set(type, one);
    }
  }
  return { nodes, environments, edges };
}

/** @returns the text before the underscore in most kinds */
function commonNamespace(kinds: readonly string[]): string | undefined {
  const counts = new Map<string, number>();
  for (const kind of kinds) {
    const at = kind.indexOf('_');
    if (at > 0 && at + 1 < kind.length)
      counts.set(kind.slice(0, at), (counts.get(kind.slice(0, at)) ?? 0) + 1);
  }
  return [...counts].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))[0]?.[0];
}

function definitionOf(
  source: string,
  namespace: string,
  { nodes, environments, edges }: Found,
  isOwn: (kind: string) => boolean,
) {
  const kinds = [...nodes].filter(([kind]) => isOwn(kind)).slice(0, MAX_KINDS);
  const relations = [...edges].filter(([kind]) => isOwn(kind)).slice(0, MAX_KINDS);
  const byCount = <Value>(entries: [string, Value][], countOf: (value: Value) => number) =>
    entries.sort(([a, x], [b, y]) => countOf(y) - countOf(x) || (a < b ? -1 : 1));
  const ofEnvironments = kinds.map(([kind]) => kind).filter((kind) => environments.has(kind));
  const guessed = kinds.map(([kind]) => kind).filter(isLikelyEnvironment);
  return {
    schema: {
      ...{ name: namespace, display_name: namespace, version: 'v0.1.0', namespace },
    },
    node_kinds: byCount(kinds, (count) => count).map(([name, count]) => ({
      ...{ name, display_name: kindTitle(name, namespace), description: `${count} in the data.` },
      ...{ is_display_kind: true, ...lookFor(name) },
    })),
    relationship_kinds: byCount(relations, ({ count }) => count).map(([name, { count, between }]) => ({
      name,
      description: `${count} in the data: ${[...between.keys()].slice(0, 3).join(', ')}.`,
      is_traversable: isLikelyTraversable(name, namespace),
    })),
    environments: (ofEnvironments.length > 0 ? ofEnvironments : guessed).map((environment_kind) => ({
      ...{ environment_kind, source_kind: source },
      principal_kinds: kinds.map(([kind]) => kind).filter(isLikelyPrincipal),
    })),
  };
}
