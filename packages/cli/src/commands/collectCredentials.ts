/**
 * How the account of a collection signs in. Secrets come from a prompt, a file that only its user may read, a credential of systemd, a keytab
 * or a credential cache: never from the command line, where every user of the host could see them.
 */
import { readFile, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type Credentials, type Encryption, readCredentialCache, readKeytab } from '@clew/collect';
import type { Context } from '../context.ts';
import { CommandError, EXIT } from '../failure.ts';

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
const MAX_SECRET_BYTES = 2 ** 20;

/** @throws CommandError for options that do not fit, and files that others may read */
export async function readCredentials(
  context: Context,
  options: CredentialOptions,
  encryption: Encryption,
): Promise<Credentials> {
  const { certificate, key, user, keytab, cache } = options;
  const secrets = [options.passwordFile, keytab, cache, certificate].filter((one) => one !== undefined);
  if (secrets.length > 1)
    throw new CommandError(
      '--password-file, --keytab, --cache and --certificate exclude each other',
      EXIT.usage,
    );
  if ((certificate === undefined) !== (key === undefined))
    throw new CommandError('--certificate and --key belong together', EXIT.usage);
  if (certificate !== undefined && key !== undefined) {
    if (encryption === 'sealed')
      throw new CommandError('--certificate needs --ldaps or --starttls', EXIT.usage);
    return {
      kind: 'certificate',
      certificate: await readFile(resolve(context.directory, certificate)),
      key: await secretFile(context, key),
    };
  }
  if (cache !== undefined) {
    const found = readCredentialCache(await secretFile(context, cache));
    return { kind: 'kerberos', account: { user: found.user, realm: found.realm, secret: { cache: found } } };
  }
  const [name, domain] = user?.split('@') ?? [];
  if (user === undefined || !name || !domain)
    throw new CommandError('--user names the account with its domain: reader@example.test', EXIT.usage);
  const account = { user: name, realm: domain.toUpperCase() };
  if (keytab !== undefined) {
    const entries = readKeytab(await secretFile(context, keytab));
    return { kind: 'kerberos', account: { ...account, secret: { keytab: entries } } };
  }
  const password = await readPassword(context, options, user);
  if (password === '') throw new CommandError('an empty password would sign in no one');
  return encryption === 'sealed'
    ? { kind: 'kerberos', account: { ...account, secret: { password } } }
    : { kind: 'password', user, password };
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

const exists = async (path: string | undefined): Promise<boolean> =>
  path !== undefined &&
  path !== '' &&
  (await stat(path).then(
    () => true,
    () => false,
  ));

/** @throws CommandError for a file that others may read, or that is not its user's */
export async function secretFile({ directory }: Context, path: string): Promise<Buffer> {
  const full = resolve(directory, path);
  const { mode, uid, size } = await stat(full);
  const own = process.getuid?.();
  if (own !== undefined && (mode & 0o077) !== 0)
    throw new CommandError(`${full} can be read by others: chmod 600 ${full}`);
  if (own !== undefined && uid !== own && uid !== 0)
    throw new CommandError(`${full} belongs to another user: its owner could change the secret`);
  if (size > MAX_SECRET_BYTES) throw new CommandError(`${full} is too large for a secret`);
  return readFile(full);
}
