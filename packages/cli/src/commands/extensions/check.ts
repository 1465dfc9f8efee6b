/** `clew extension check`: all errors of a definition or a bundle, without a service, for authors and their CI. */
import { counted } from '@clew/model';
import { checkOffline, type StoredDefinition } from '@clew/service';
import type { Context } from '../../context.ts';
import { CommandError, EXIT } from '../../failure.ts';
import { formatTable } from '../../terminal/table.ts';
import { jsonText, printable } from '../../terminal/text.ts';
import { type Coverage, DataCounts } from './coverage.ts';
import { givenDefinition, readDefinitionFile } from './definitionFiles.ts';

export interface CheckExtensionOptions {
  /** Payloads of the platform. */
  readonly data?: readonly string[];
  /** Definitions of other extensions that this one references. */
  readonly with?: readonly string[];
  /** Names of zones, in addition to Tier Zero. */
  readonly zone?: readonly string[];
  /** Whether warnings count as errors. */
  readonly strict?: boolean;
  readonly json?: boolean;
}

/** @returns 0 without errors, and in strict mode without warnings */
export async function checkExtension(
  context: Context,
  path: string,
  { data = [], with: others = [], zone = [], strict = false, json }: CheckExtensionOptions,
): Promise<number> {
  const { out, err } = context;
  const counts = new DataCounts();
  for (const one of data) await counts.add(context, one);
  const surroundings = {
    ...{ others: await otherDefinitions(context, others), zones: zone },
    data: { labels: counts.nodes.keys(), types: counts.edges.keys(), properties: counts.properties },
  };
  const given = await givenDefinition(await readDefinitionFile(context, path));
  const { faults, warnings, definition } = await checkOffline(given, surroundings);
  if (!json) writeWarnings(context, warnings);
  if (definition === undefined) {
    if (json) out.write(jsonText({ faults, warnings }));
    else {
      for (const fault of faults) err.write(`${printable(fault)}\n`);
      err.write(`clew: ${printable(path)} has ${counted(faults.length, 'error')}\n`);
    }
    return EXIT.failed;
  }
  const coverage = data.length === 0 ? null : counts.coverageBy(definition);
  const summary = summaryOf(definition);
  const isTaken = !strict || warnings.length === 0;
  if (json) {
    out.write(jsonText({ faults, warnings, ...summary, data: coverage }));
    return isTaken ? 0 : EXIT.failed;
  }
  const { name, version, parts } = summary;
  out.write(`${printable(name)} ${printable(version)} has no errors\n`);
  for (const [part, count] of Object.entries(parts)) if (count > 0) out.write(`  ${part}: ${count}\n`);
  if (coverage !== null) writeCoverage(context, coverage);
  if (isTaken) return 0;
  err.write(`clew: ${printable(path)} has ${counted(warnings.length, 'warning')}\n`);
  return EXIT.failed;
}

/** Written to standard error, because the definition can still be installed. */
export function writeWarnings({ err }: Context, warnings: readonly string[] = []): void {
  for (const warning of warnings) err.write(`warning: ${printable(warning)}\n`);
}

/** @throws CommandError if one of them has errors */
export async function otherDefinitions(
  context: Context,
  paths: readonly string[],
): Promise<StoredDefinition[]> {
  const others: StoredDefinition[] = [];
  for (const path of paths) {
    const given = await givenDefinition(await readDefinitionFile(context, path));
    const { faults, definition } = await checkOffline(given, { others, zones: [] });
    if (definition === undefined)
      throw new CommandError(`${path}: ${counted(faults.length, 'error')}, first ${faults[0]}`);
    others.push(definition);
  }
  return others;
}

function summaryOf(definition: StoredDefinition) {
  const { schema, ...lists } = definition;
  const parts = Object.fromEntries(Object.entries(lists).map(([part, entries]) => [part, entries.length]));
  return { name: schema.display_name, version: schema.version, namespace: schema.namespace, parts };
}

function writeCoverage({ out }: Context, coverage: Coverage): void {
  const { nodes, relationships, kinds_without_data, nodes_without_environment, other_sources } = coverage;
  const columns = [{ title: 'KIND' }, { title: 'COUNT', align: 'right' as const }, { title: 'DEFINITION' }];
  out.write('\n');
  out.write(
    formatTable(
      out,
      columns,
      nodes.map(({ kind, count, is_declared }) => [kind, count, is_declared ? 'declared' : 'none: generic']),
    ),
  );
  if (relationships.length > 0) {
    out.write('\n');
    const rows = relationships.map(({ kind, count, is_declared, is_traversable }) => [
      ...[kind, count],
      is_traversable ? 'traversable' : is_declared ? 'not traversable' : 'none: generic',
    ]);
    out.write(formatTable(out, [{ title: 'RELATIONSHIP' }, ...columns.slice(1)], rows));
  }
  const becomes = relationships
    .filter(({ is_traversable }) => is_traversable)
    .reduce((sum, { count }) => sum + count, 0);
  out.write(`\n${counted(becomes, 'relationship')} would become steps of attack paths\n`);
  if (kinds_without_data.length > 0)
    out.write(`Kinds without data: ${kinds_without_data.map(printable).join(', ')}\n`);
  if (nodes_without_environment > 0)
    out.write(
      `${counted(nodes_without_environment, 'node')} without environmentid: not counted in any figure\n`,
    );
  if (other_sources.length > 0)
    out.write(`Sources that are not in the definition: ${other_sources.map(printable).join(', ')}\n`);
}
