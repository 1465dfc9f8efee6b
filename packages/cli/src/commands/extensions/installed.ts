/** `clew extension list`, `show`, `install` and `remove`: extensions of the service. */

import type { AnswerOf, ExtensionDryRun, ExtensionRecord } from '@clew/api';
import type { ClewClient } from '@clew/client';
import { counted } from '@clew/model';
import { type ConnectionOptions, connect, type ThingCommand } from '../../connection.ts';
import type { Context } from '../../context.ts';
import { CommandError, EXIT } from '../../failure.ts';
import { formatTable } from '../../terminal/table.ts';
import { formatCount, jsonText, printable, writeJson } from '../../terminal/text.ts';
import { writeWarnings } from './check.ts';
import { definitionBody, readDefinitionFile } from './definitionFiles.ts';

export interface ExtensionOptions extends ConnectionOptions {
  readonly json?: boolean;
}

export async function listExtensions(context: Context, options: ExtensionOptions): Promise<void> {
  const { out, signal } = context;
  const { data } = await (await connect(context, options)).call('ListExtensions', {}, { signal });
  if (options.json) return writeJson(out, data.extensions);
  const columns = [
    ...[{ title: 'ID', align: 'right' as const }, { title: 'NAME' }, { title: 'SCHEMA NAME' }],
    ...[{ title: 'VERSION' }, { title: 'NAMESPACE' }, { title: '' }],
  ];
  const rows = data.extensions.map(({ id, name, schema_name, version, namespace, is_builtin }) => [
    ...[id, name, schema_name, version, namespace],
    is_builtin ? 'built in' : '',
  ]);
  out.write(formatTable(out, columns, rows));
}

interface FoundExtension {
  readonly client: ClewClient;
  readonly extension: ExtensionRecord;
}

/** @param wanted name, schema name, namespace or number; a number takes precedence */
async function findExtension(
  context: Context,
  wanted: string,
  options: ExtensionOptions,
): Promise<FoundExtension> {
  const client = await connect(context, options);
  const { extensions } = (await client.call('ListExtensions', {}, { signal: context.signal })).data;
  const text = wanted.toLowerCase();
  const byNumber = extensions.filter(({ id }) => String(id) === text);
  const [extension, ...more] =
    byNumber.length > 0
      ? byNumber
      : extensions.filter(({ name, schema_name, namespace }) =>
          [name, schema_name, namespace].some((one) => one.toLowerCase() === text),
        );
  if (extension === undefined)
    throw new CommandError(`there is no extension ${printable(wanted)}; "clew extension list" lists all`);
  if (more.length > 0)
    throw new CommandError(
      `${printable(wanted)} matches ${more.length + 1} extensions: give the number that "clew extension list" shows`,
    );
  return { client, extension };
}

export const showExtension: ThingCommand<ExtensionOptions> = async (context, wanted, options) => {
  const { out, signal } = context;
  const { client, extension } = await findExtension(context, wanted, options);
  const { id, name, version, namespace, is_builtin } = extension;
  const edges = (await client.call('ListEdgeKinds', {}, { signal })).data.filter((kind) =>
    is_builtin ? kind.schema_name === namespace : kind.name.startsWith(`${namespace}_`),
  );
  const ofEdges = new Set(edges.map((kind) => kind.name));
  const { kinds } = (await client.call('GetKinds', {}, { signal })).data;
  const nodeKinds = kinds.filter((kind) => kind.startsWith(`${namespace}_`) && !ofEdges.has(kind));
  const derived = (
    await client.call('ListDerivedRelationships', { params: { extension_id: id } }, { signal })
  ).data;
  if (options.json)
    return writeJson(out, { ...extension, node_kinds: nodeKinds, relationship_kinds: edges, derived });
  out.write(`${printable(name)} ${printable(version)}, namespace ${printable(namespace)}\n`);
  if (nodeKinds.length > 0) out.write(`\nKinds of nodes: ${nodeKinds.map(printable).join(', ')}\n`);
  if (edges.length > 0) {
    out.write('\n');
    const columns = [{ title: 'RELATIONSHIP' }, { title: 'ATTACK PATHS' }, { title: 'MEANING' }];
    const rows = edges.map((kind) => [
      ...[kind.name, kind.is_traversable ? 'traversable' : ''],
      kind.description,
    ]);
    out.write(formatTable(out, columns, rows));
  }
  for (const { kind, relationship_count, error } of derived)
    out.write(
      `${printable(kind)} is derived: ${error === null ? counted(relationship_count ?? 0, 'relationship') : printable(error)}\n`,
    );
};

export interface InstallOptions extends ExtensionOptions {
  readonly dryRun?: boolean;
  readonly wait?: number;
}

/** A dry run processes the whole graph. */
const WAIT_SECONDS = 300;

/** @returns 0 if it is installed, or could be */
export async function installExtension(
  context: Context,
  path: string,
  options: InstallOptions,
): Promise<number> {
  const { out, err, signal } = context;
  const content = await definitionBody(await readDefinitionFile(context, path));
  const client = await connect(context, options);
  const dry_run = options.dryRun === true;
  let data: AnswerOf<'UpsertOpenGraphExtension'>['data'];
  try {
    ({ data } = await client.call(
      'UpsertOpenGraphExtension',
      { ...content, query: { dry_run } },
      { signal, wait: options.wait ?? WAIT_SECONDS },
    ));
  } catch (error) {
    const { status, messages } = error as { readonly status?: number; readonly messages?: readonly string[] };
    if (status !== 400 || messages === undefined) throw error;
    for (const message of messages) err.write(`${printable(path)}: ${printable(message)}\n`);
    return EXIT.failed;
  }
  if (!options.json) writeWarnings(context, data.warnings);
  if (options.json) out.write(jsonText(data));
  else if (data.dry_run !== undefined) writeDryRun(context, data, data.dry_run);
  else
    out.write(`${printable(data.name)} ${printable(data.version)} is installed; the next analysis uses it\n`);
  return 0;
}

export const removeExtension: ThingCommand<ExtensionOptions> = async (context, wanted, options) => {
  const { out, signal } = context;
  const { client, extension } = await findExtension(context, wanted, options);
  await client.call('DeleteExtension', { params: { extension_id: extension.id } }, { signal });
  if (options.json) out.write(jsonText(extension));
  else out.write(`${printable(extension.name)} is removed; its data stays\n`);
};

/** Maximum number of printed names. */
const MAX_NAMES = 10;

function namesText(names: readonly string[]): string {
  const shown = names.slice(0, MAX_NAMES).map(printable).join(', ');
  return names.length > MAX_NAMES ? `${shown} and ${names.length - MAX_NAMES} more` : shown;
}

/** The format of other exposure tables. */
const percent = (share: number): string => `${(share * 100).toFixed(1)}%`;

function changeText(isOne: boolean, isTraversable: boolean): string {
  if (isTraversable) return isOne ? 'becomes traversable' : 'become traversable';
  return isOne ? 'is no longer traversable' : 'are no longer traversable';
}

function writeDryRun(
  { out }: Context,
  { name, version }: ExtensionRecord,
  { installed_version, difference, effect, not_computed }: ExtensionDryRun,
): void {
  const write = (line: string): void => void out.write(`${line}\n`);
  write(
    `${printable(name)} ${printable(version)} ${installed_version === null ? 'is not installed yet' : `would replace ${printable(installed_version)}`}`,
  );
  for (const { part, added, removed, changed } of difference) {
    const moves = [
      ...(added.length > 0 ? [`+ ${namesText(added)}`] : []),
      ...(removed.length > 0 ? [`- ${namesText(removed)}`] : []),
      ...(changed.length > 0 ? [`~ ${namesText(changed)}`] : []),
    ];
    write(`  ${part}: ${moves.join('; ')}`);
  }
  if (difference.length === 0) write('  The definition does not change.');
  for (const reason of not_computed) write(printable(reason));
  if (effect === null) return;
  write('');
  const { derived, checks, zones, findings, before, after } = effect;
  // Kinds without stored relationships change no path.
  const relationships = effect.relationships.filter((one) => one.relationship_count > 0);
  for (const { kind, relationship_count, is_traversable } of relationships)
    write(
      `${printable(kind)}: ${counted(relationship_count, 'relationship')} ${changeText(relationship_count === 1, is_traversable)}`,
    );
  for (const { kind, relationship_count, error } of derived)
    write(
      `${printable(kind)}: ${error === null ? `${counted(relationship_count, 'relationship')} derived` : `cannot be derived: ${printable(error)}`}`,
    );
  for (const { name: check, found_count, error } of checks)
    write(
      `${printable(check)}: ${error === null ? `finds ${counted(found_count, 'object')}` : `cannot be run: ${printable(error)}`}`,
    );
  for (const { name: zone, added_count, added, removed_count, removed, member_count_after } of zones)
    write(
      `${printable(zone)}: +${formatCount(added_count)} -${formatCount(removed_count)}, ${counted(member_count_after, 'member')} afterward (${namesText([...added, ...removed].map((one) => one.name))})`,
    );
  for (const { title, opened_count, closed_count } of findings.types)
    write(`${printable(title)}: +${formatCount(opened_count)} -${formatCount(closed_count)} findings`);
  for (const now of after) {
    const was = before.find(
      ({ environment_id, asset_group_tag_id }) =>
        environment_id === now.environment_id && asset_group_tag_id === now.asset_group_tag_id,
    );
    if (was?.exposure !== now.exposure || was.principal_count !== now.principal_count)
      write(
        `Exposure of ${printable(now.environment_name)}: ${was === undefined ? 'not counted' : percent(was.exposure)} -> ${percent(now.exposure)}`,
      );
  }
  const isSame = relationships.length + zones.length + findings.types.length === 0;
  if (isSame) write('The graph would not change.');
}
