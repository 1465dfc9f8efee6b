/**
 * Sign-in of a collection account. Secrets come from a prompt, a file that only its user may read, a systemd credential, a keytab or a
 * credential cache, never from the command line, where every user of the host could see them.
 */
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { createSecureContext } from 'node:tls';
import { type Credentials, type Encryption, readCredentialCache, readKeytab } from '@clew/collect';
import type { Context } from '../context.ts';
import { CommandError, EXIT } from '../failure.ts';
import { exists, secretFile } from '../secretFile.ts';

export interface CredentialOptions {
  /** `reader@example.test`. */
  readonly user?: string;
  readonly passwordFile?: string;
  readonly keytab?: string;
  readonly cache?: string;
  readonly certificate?: string;
  readonly key?: string;
}

/** Name of the credential in `LoadCredential=` of systemd. */
const SYSTEMD_CREDENTIAL = 'clew-collect-password';

/** @throws CommandError for incompatible options, and for files that others may read */
export async function readCredentials(
  context: Context,
  options: CredentialOptions,
  encryption: Encryption,
): Promise<Credentials> {
  const { certificate, key, user, keytab, cache } = options;
  const secrets = [options.passwordFile, keytab, cache, certificate].filter((one) => one !== undefined);
  if (secrets.length > 1)
    throw new CommandError(
      '--password-file, --keytab, --cache and --certificate cannot be combined',
      EXIT.usage,
    );
  if ((certificate === undefined) !== (key === undefined))
    throw new CommandError('--certificate and --key must be used together', EXIT.usage);
  if (certificate !== undefined && key !== undefined) {
    if (encryption === 'sealed')
      throw new CommandError('--certificate needs --ldaps or --starttls', EXIT.usage);
    return readCertificate(context, certificate, key);
  }
  if (cache !== undefined) {
    const found = readCredentialCache(await secretFile(context, cache));
    const owner = `${found.user}@${found.realm}`;
    if (user !== undefined && user.toLowerCase() !== owner.toLowerCase())
      throw new CommandError(`the credential cache belongs to ${owner}, but --user is ${user}`, EXIT.usage);
    return { kind: 'kerberos', account: { user: found.user, realm: found.realm, secret: { cache: found } } };
  }
  const [name, domain] = user?.split('@') ?? [];
  if (user === undefined || !name || !domain)
    throw new CommandError('--user needs the account with its domain: reader@example.test', EXIT.usage);
  const account = { user: name, realm: domain.toUpperCase() };
  if (keytab !== undefined) {
    const entries = readKeytab(await secretFile(context, keytab));
    return { kind: 'kerberos', account: { ...account, secret: { keytab: entries } } };
  }
  const password = await readPassword(context, options, user);
  if (password === '') throw new CommandError('an empty password is not allowed');
  return encryption === 'sealed'
    ? { kind: 'kerberos', account: { ...account, secret: { password } } }
    : { kind: 'password', user, password };
}

/** @throws CommandError for files that are not a certificate and its key in PEM format */
export async function readCertificate(
  context: Context,
  certificate: string,
  key: string,
): Promise<{ readonly kind: 'certificate'; readonly certificate: Buffer; readonly key: Buffer }> {
  const cert = await readFile(resolve(context.directory, certificate));
  const secret = await secretFile(context, key);
  try {
    createSecureContext({ cert, key: secret });
  } catch {
    throw new CommandError(
      `${certificate} and ${key} must be a certificate and its private key without a password, both in PEM format`,
    );
  }
  return { kind: 'certificate', certificate: cert, key: secret };
}

/** @throws CommandError for a file without a certificate, which would otherwise silently count as no CA */
export async function readAuthority({ directory }: Context, ca: string): Promise<Buffer> {
  const bytes = await readFile(resolve(directory, ca));
  if (!bytes.includes('-----BEGIN CERTIFICATE-----'))
    throw new CommandError(`${ca} is not a certificate in PEM format`);
  return bytes;
}

async function readPassword(
  context: Context,
  { passwordFile }: CredentialOptions,
  user: string,
): Promise<string> {
  const { env } = context;
  const ofSystemd = env.CREDENTIALS_DIRECTORY && join(env.CREDENTIALS_DIRECTORY, SYSTEMD_CREDENTIAL);
  const path =
    passwordFile ?? env.CLEW_COLLECT_PASSWORD_FILE ?? ((await exists(ofSystemd)) ? ofSystemd : undefined);
  if (path === undefined || path === '') return context.askSecret(`Password of ${user}: `);
  return (await secretFile(context, path)).toString('utf8').replace(/\r?\n$/, '');
}
