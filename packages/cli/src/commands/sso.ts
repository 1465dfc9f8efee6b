/** `clew sso ...`: single sign-on providers. */
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Answer } from '@clew/client';
import { type ConnectionOptions, connect, serviceUrl, type ThingCommand } from '../connection.ts';
import type { Context } from '../context.ts';
import { CommandError, EXIT } from '../failure.ts';
import { formatTable } from '../terminal/table.ts';
import { jsonText, printable, writeJson } from '../terminal/text.ts';
import { chosenProvider, chosenrolle } from './users.ts';

export interface SsoListOptions extends ConnectionOptions {
  readonly json?: boolean;
}

const COLUMNS = [
  { title: 'NAME' },
  { title: 'KIND' },
  { title: 'PROVIDER' },
  { title: 'CREATES USERS' },
  { title: 'SIGN-IN ADDRESS' },
] as const;

export async function listSso(context: Context, options: SsoListOptions): Promise<void> {
  const { out, err, signal } = context;
  const client = await connect(context, options);
  const { data } = await client.call('ListAuthProviders', {}, { signal });
  if (options.json) return writeJson(out, data);
  if (data.length === 0) err.write('No providers; "clew sso add NAME" adds one.\n');
  const rows = data.map(({ name, type, details, config, login_uri }) => [
    name,
    type,
    details === undefined ? '' : 'issuer' in details ? details.issuer : details.idp_issuer_uri,
    config?.auto_provision.enabled === true ? 'yes' : 'no',
    login_uri,
  ]);
  out.write(formatTable(out, COLUMNS, rows));
}

export interface AddSsoOptions extends ConnectionOptions {
  readonly json?: boolean;
  /** File or URL with the metadata of a SAML provider. */
  readonly metadata?: string;
  /** Issuer of an OpenID Connect provider. */
  readonly issuer?: string;
  readonly clientId?: string;
  /** Role of users created at their first sign-in; absent if none are created. */
  readonly makeUsers?: string;
  /** Whether the provider determines the role of a user. */
  readonly rolesByProvider?: boolean;
}

export const addSso: ThingCommand<AddSsoOptions> = async (context, name, options) => {
  const { err, signal } = context;
  const { metadata, issuer, clientId, makeUsers, rolesByProvider = false } = options;
  if ((metadata === undefined) === (issuer === undefined))
    throw new CommandError(
      'give either --metadata (SAML) or --issuer and --client-id (OpenID Connect)',
      EXIT.usage,
    );
  if (issuer !== undefined && clientId === undefined)
    throw new CommandError('--issuer needs --client-id', EXIT.usage);
  const client = await connect(context, options);
  const role = makeUsers === undefined ? undefined : await chosenrolle(client, makeUsers, signal);
  const provision = {
    enabled: role !== undefined,
    default_role_id: role?.id ?? 0,
    role_provision: role !== undefined && rolesByProvider,
  };
  if (issuer !== undefined) {
    const body = { name, issuer, client_id: clientId ?? '', config: { auto_provision: provision } };
    await client.call('CreateOIDCProvider', { body }, { signal });
  } else {
    const form = new FormData();
    form.append('name', name);
    form.append('metadata', new Blob([await metadataText(context, metadata ?? '')]), 'metadata.xml');
    for (const [part, value] of Object.entries(provision))
      form.append(`config.auto_provision.${part}`, String(value));
    await client.call('CreateSSOSAMLProvider', { form }, { signal });
  }
  const { data } = await client.call('ListAuthProviders', {}, { signal });
  const made = data.find((one) => one.name === name);
  if (options.json && made !== undefined) {
    context.out.write(jsonText(made));
    return;
  }
  err.write(`${printable(name)} is added. Enter these values at the provider:\n`);
  if (made?.type === 'SAML')
    err.write(`  metadata         ${made.login_uri.replace(/login$/, 'metadata')}\n`);
  err.write(`  callback URL     ${made?.callback_uri ?? ''}\n`);
  err.write(`Users sign in at ${made?.login_uri ?? ''}\n`);
};

const LOOK_MS = 60_000;
const withinTime = (signal: AbortSignal): AbortSignal =>
  AbortSignal.any([signal, AbortSignal.timeout(LOOK_MS)]);

async function metadataText({ directory, signal }: Context, source: string): Promise<string> {
  if (!/^https?:\/\//.test(source)) return readFile(resolve(directory, source), 'utf8');
  const answer = await fetch(source, { signal: withinTime(signal) });
  if (!answer.ok) throw new CommandError(`${printable(source)} answered ${answer.status}`);
  return new Answer(answer).text();
}

export const removeSso: ThingCommand = async (context, name, options) => {
  const { err, signal } = context;
  const client = await connect(context, options);
  const sso_provider_id = await chosenProvider(client, name, signal);
  const { data } = await client.call('DeleteSSOProvider', { params: { sso_provider_id } }, { signal });
  err.write(`${printable(name)} is removed.\n`);
  for (const { principal_name } of data.affected_users)
    err.write(`${printable(principal_name)} cannot sign in until you set a password or another provider.\n`);
};

/** Starts a sign-in like a browser, and checks the redirect. */
export const testSso: ThingCommand = async (context, name, options) => {
  const { err, env, signal } = context;
  const client = await connect(context, options);
  const id = await chosenProvider(client, name, signal);
  const { data } = await client.call('ListAuthProviders', {}, { signal });
  const slug = data.find((one) => one.id === id)?.slug ?? '';
  const answer = await fetch(
    `${await serviceUrl(env, options)}/api/v2/sso/${encodeURIComponent(slug)}/login`,
    {
      redirect: 'manual',
      signal: withinTime(signal),
    },
  );
  const page = await new Answer(answer).text();
  const target = answer.headers.get('location') ?? /action="([^"]+)"/.exec(page)?.[1];
  if (target === undefined)
    throw new CommandError(`the service answered ${answer.status}: ${printable(page.slice(0, 300))}`);
  const url = new URL(target, await serviceUrl(env, options));
  const fault = url.searchParams.get('error');
  if (fault !== null)
    throw new CommandError(`${printable(fault)} (see the log of the service for the reason)`);
  err.write(`${printable(name)} works so far: browsers are redirected to ${url.origin}${url.pathname}\n`);
};
