/** The source of a collection: controllers, the sign-in, and additional data. */
import { resolve } from 'node:path';
import type { NewDirectoryReading } from '@clew/api';
import type { CollectRequest, CollectResult, Controller } from '@clew/collect';
import type { Context } from '../context.ts';
import { CommandError, EXIT } from '../failure.ts';
import { VERSION } from '../version.ts';
import { type CredentialOptions, readAuthority, readCredentials } from './collectCredentials.ts';
import { withoutSecrets } from './runLog.ts';

export interface SourceOptions extends CredentialOptions {
  /** Names of controllers, with a port if it is not the default: `dc1.example.test:1636`. */
  readonly host: readonly string[];
  /** Address of the first controller, if its name does not resolve. */
  readonly address?: string;
  readonly ldaps?: boolean;
  readonly starttls?: boolean;
  /** File with the CA of the controllers' certificates. */
  readonly ca?: string;
  /** SYSVOL as a directory. */
  readonly sysvol?: string;
  /** Whether to read time, controller and number of the last writes. */
  readonly writes?: boolean;
}

/** A request without the output directory. */
export type Source = Omit<CollectRequest, 'directory' | 'onProgress'>;

/** Reads secrets once, so that later collections need no prompt. @throws CommandError for incompatible options */
export async function readSource(context: Context, options: SourceOptions): Promise<Source> {
  if (options.ldaps && options.starttls)
    throw new CommandError('--ldaps and --starttls cannot be combined', EXIT.usage);
  const encryption = options.ldaps ? 'ldaps' : options.starttls ? 'starttls' : 'sealed';
  return {
    controllers: options.host.map((text, at) => ({
      ...controllerOf(text),
      ...(at === 0 && { address: options.address }),
    })),
    ...{ encryption, credentials: await readCredentials(context, options, encryption) },
    ...(options.ca !== undefined && { ca: await readAuthority(context, options.ca) }),
    ...(options.sysvol !== undefined && { sysvol: resolve(context.directory, options.sysvol) }),
    ...(options.writes && { readsWrites: true }),
    ...{ collector: `clew ${VERSION}`, signal: context.signal },
  };
}

/** @param text `dc1.example.test`, with a port if it is not the default */
function controllerOf(text: string): Controller {
  const [, host, port] = /^([^:]+):(\d{1,5})$/.exec(text) ?? [];
  return host === undefined ? { host: text } : { host, port: Number(port) };
}

/**
 * Controllers of other domains of a forest.
 *
 * @param texts `south.example.test=dc2.south.example.test`, with `:PORT` and `@ADDRESS` if necessary
 * @throws CommandError for a text of another form
 */
export function controllersByDomain(texts: readonly string[]): ReadonlyMap<string, readonly Controller[]> {
  const found = new Map<string, Controller[]>();
  for (const text of texts) {
    const [, domain, host, address] = /^([^=@]+)=([^=@]+)(?:@([^=@]+))?$/.exec(text) ?? [];
    if (domain === undefined || host === undefined)
      throw new CommandError(
        `--domain-host needs a domain and its controller, such as south.example.test=dc2.south.example.test, not ${text}`,
        EXIT.usage,
      );
    const controller = { ...controllerOf(host), ...(address !== undefined && { address }) };
    const name = domain.toUpperCase();
    found.set(name, [...(found.get(name) ?? []), controller]);
  }
  return found;
}

/** Notes of a collection, including policy settings that were not read. */
export function notesOf({ sysvolFault, notes }: CollectResult): CollectResult['notes'] {
  const unread = { what: 'group policy settings were not read', count: 1, first: sysvolFault ?? '' };
  return sysvolFault === undefined ? notes : [unread, ...notes];
}

/** Describes an uploaded reading for the service. Notes contain texts of a controller. @param isFull whether everything was read */
export const readingOf = (
  { facts, notes }: Pick<CollectResult, 'facts' | 'notes'>,
  source: Pick<Source, 'credentials'>,
  isFull: boolean,
): NewDirectoryReading => ({
  ...takenByService({
    ...{ name: facts.domain, controller: facts.controller, account: accountOf(source) },
    notes: notes.map((note) => ({ ...note, first: withoutSecrets(note.first, secretsOf(source)) })),
  }),
  ...{ usn: facts.highestUsn, is_full: isFull },
});

type ReadingTexts = Pick<NewDirectoryReading, 'name' | 'controller' | 'account'> &
  Pick<CollectResult, 'notes'>;

/** Texts and notes of a reading, limited to what the service accepts. */
export const takenByService = ({ name, controller, account, notes }: ReadingTexts) => ({
  ...{ name: cut(name), controller: cut(controller), account: cut(account) },
  notes: notes.slice(0, MAX_NOTES).map(({ what, count, first }) => ({
    ...{ what: cut(what, MAX_NOTE_TEXT), count, first: cut(first, MAX_NOTE_TEXT) },
  })),
});

const MAX_NOTES = 200;
/** Maximum text lengths and number of notes that the service accepts in one call. */
const MAX_TEXT = 1_000;
const MAX_NOTE_TEXT = 300;
const cut = (text: string, max = MAX_TEXT): string => text.slice(0, max);

function accountOf({ credentials }: Pick<Source, 'credentials'>): string {
  if (credentials.kind === 'password') return credentials.user;
  if (credentials.kind === 'certificate') return 'account of a certificate';
  return `${credentials.account.user}@${credentials.account.realm.toLowerCase()}`;
}

/** Texts that must not be logged. */
export function secretsOf({ credentials }: Pick<Source, 'credentials'>): readonly string[] {
  if (credentials.kind === 'password') return [credentials.password];
  if (credentials.kind !== 'kerberos') return [];
  const { secret } = credentials.account;
  return 'password' in secret ? [secret.password] : [];
}
