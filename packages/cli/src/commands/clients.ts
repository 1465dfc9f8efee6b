/** `clew clients` and `clew client ...`: collectors that run as services. */
import { open, rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { COLLECTOR_TYPES, type CollectionFlag, type CollectorClient, type CollectorType } from '@clew/api';
import type { ClewClient } from '@clew/client';
import { type ConnectionOptions, connect, type ThingCommand } from '../connection.ts';
import type { Context } from '../context.ts';
import { CommandError, EXIT } from '../failure.ts';
import { formatTable } from '../terminal/table.ts';
import { jsonText, printable, writeJson } from '../terminal/text.ts';
import { shownTime } from '../terminal/time.ts';

export interface ClientsOptions extends ConnectionOptions {
  readonly json?: boolean;
}

const COLUMNS = [
  { title: 'NAME' },
  { title: 'KIND' },
  { title: 'STATE' },
  { title: 'LAST SEEN' },
  { title: 'VERSION' },
  { title: 'HOST' },
  { title: 'SCHEDULES', align: 'right' },
  { title: 'RUNS', align: 'right' },
] as const;

const NEVER = '0001-01-01';
/** Collectors ask for jobs at least every minute. */
const SILENT_MS = 60 * 60_000;

export async function clients(context: Context, options: ClientsOptions): Promise<void> {
  const { out, err, signal } = context;
  const client = await connect(context, options);
  const all = await allClients(client, signal);
  if (options.json) return writeJson(out, all);
  if (all.length === 0)
    err.write('No collector clients; "clew client add NAME --type TYPE" registers one.\n');
  const rows = all.map((one) => [
    one.name,
    one.type,
    stateOf(one),
    shownTime(one.last_checkin),
    one.version,
    one.hostname ?? one.ip_address ?? '',
    one.events.length,
    one.completed_job_count,
  ]);
  out.write(formatTable(out, COLUMNS, rows));
}

function stateOf({ last_checkin, current_job_id }: CollectorClient): string {
  if (last_checkin.startsWith(NEVER)) return 'never seen';
  if (current_job_id !== null) return `runs job ${current_job_id}`;
  return Date.now() - Date.parse(last_checkin) > SILENT_MS ? 'silent' : 'ready';
}

async function allClients(client: ClewClient, signal: AbortSignal): Promise<CollectorClient[]> {
  const all: CollectorClient[] = [];
  for await (const one of client.entries('ListClients', { query: { limit: 100 } }, { signal })) all.push(one);
  return all;
}

/** @throws CommandError unless exactly one client has the name or id */
export async function chosenClient(
  client: ClewClient,
  name: string,
  signal: AbortSignal,
): Promise<CollectorClient> {
  const all = await allClients(client, signal);
  const byName = (text: string) => text.toLowerCase() === name.toLowerCase();
  const found = all.filter((one) => byName(one.id) || byName(one.name));
  if (found.length === 1) return found[0];
  const known = found.length === 0 ? all.map((one) => one.name) : found.map((one) => one.id);
  const fault = found.length === 0 ? 'there is no client named' : 'several clients are named';
  throw new CommandError(
    `${fault} ${printable(name)}; available: ${printable(known.join(', ')) || 'none'}`,
    EXIT.usage,
  );
}

export interface AddClientOptions extends ConnectionOptions {
  readonly json?: boolean;
  readonly type: string;
  readonly domainController?: string;
  /** New file for the token, which is then not printed. */
  readonly tokenFile?: string;
}

export const addClient: ThingCommand<AddClientOptions> = async (context, name, options) => {
  const type = options.type.toLowerCase() as CollectorType;
  if (!COLLECTOR_TYPES.includes(type))
    throw new CommandError(`--type must be one of ${COLLECTOR_TYPES.join(', ')}`, EXIT.usage);
  const client = await connect(context, options);
  const body = { name, type, domain_controller: options.domainController ?? null };
  const create = async () => (await client.call('CreateClient', { body }, { signal: context.signal })).data;
  if (options.tokenFile === undefined) {
    const data = await create();
    if (options.json) context.out.write(jsonText(data));
    else showToken(context, name, data.token);
    return;
  }
  const path = resolve(context.directory, options.tokenFile);
  const data = await withNewFile(path, create, ({ token }) => tokenText(token));
  if (options.json) context.out.write(jsonText({ ...data, token: { ...data.token, key: '' } }));
  context.err.write(
    `The token of ${printable(name)} is in ${printable(path)}, which only you can read. Next: clew collector run --token-file ${printable(options.tokenFile)} ...\n`,
  );
};

/** Creates the file before the secret, so that an existing file prevents creating a token. */
async function withNewFile<Result>(
  path: string,
  make: () => Promise<Result>,
  textOf: (result: Result) => string,
): Promise<Result> {
  const file = await open(path, 'wx', 0o600);
  try {
    const result = await make();
    await file.writeFile(textOf(result));
    return result;
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  } finally {
    await file.close();
  }
}

const tokenText = ({ id, key }: { readonly id: string; readonly key: string }): string =>
  `TOKEN_ID=${id}\nTOKEN_KEY=${key}\n`;

function showToken({ out, err }: Context, name: string, token: { id: string; key: string }): void {
  err.write(`Token with which ${printable(name)} signs its requests; the key is shown only once:\n`);
  out.write(tokenText(token));
}

export async function rotateClient(
  context: Context,
  name: string,
  options: ConnectionOptions & { readonly json?: boolean },
): Promise<void> {
  const { err, signal } = context;
  const client = await connect(context, options);
  const { id } = await chosenClient(client, name, signal);
  const { data } = await client.call('ReplaceClientToken', { params: { client_id: id } }, { signal });
  if (options.json) return writeJson(context.out, data);
  err.write(`The old token of ${printable(name)} is revoked.\n`);
  showToken(context, name, data);
}

export const removeClient: ThingCommand = async (context, name, options) => {
  const { err, signal } = context;
  const client = await connect(context, options);
  const { id } = await chosenClient(client, name, signal);
  await client.call('DeleteClient', { params: { client_id: id } }, { signal });
  err.write(`${printable(name)} is removed, with its schedules and waiting jobs.\n`);
};

/** Words on the command line for the data of a run. */
export const COLLECTED = {
  structure: 'ad_structure_collection',
  'local-groups': 'local_group_collection',
  sessions: 'session_collection',
  certificates: 'cert_services_collection',
  'ca-registry': 'ca_registry_collection',
  'dc-registry': 'dc_registry_collection',
} as const satisfies Record<string, CollectionFlag>;

export interface ScopeOptions extends ConnectionOptions {
  readonly json?: boolean;
  /** Words of `COLLECTED`; all by default. */
  readonly what?: readonly string[];
  readonly domains?: readonly string[];
  readonly ous?: readonly string[];
  readonly allTrustedDomains?: boolean;
}

/** @throws CommandError for an unknown word */
export function scopeOf({ type }: CollectorClient, options: ScopeOptions) {
  const { what, domains = [], ous = [], allTrustedDomains = false } = options;
  const words = what ?? (type === 'sharphound' ? Object.keys(COLLECTED) : []);
  const unknown = words.find((word) => !(word in COLLECTED));
  if (unknown !== undefined)
    throw new CommandError(
      `--what must be one of ${Object.keys(COLLECTED).join(', ')}, not ${printable(unknown)}`,
      EXIT.usage,
    );
  // The structure cannot be collected by organizational unit.
  const chosen = words.filter((word) => what !== undefined || ous.length === 0 || word !== 'structure');
  return {
    ...Object.fromEntries(chosen.map((word) => [COLLECTED[word as keyof typeof COLLECTED], true])),
    domains: [...domains],
    ous: [...ous],
    all_trusted_domains: allTrustedDomains,
  };
}

export const collectNow: ThingCommand<ScopeOptions> = async (context, name, options) => {
  const { err, signal } = context;
  const client = await connect(context, options);
  const chosen = await chosenClient(client, name, signal);
  const body = scopeOf(chosen, options);
  const { data } = await client.call(
    'CreateClientScheduledJob',
    { params: { client_id: chosen.id }, body },
    { signal },
  );
  if (options.json) return writeJson(context.out, data);
  err.write(
    `Job ${data.id} waits for ${printable(name)}. "clew job-log ${data.id} --follow" shows its progress.\n`,
  );
};
