/**
 * The last write of attributes on which relationships and findings rest: time, controller and number of writes, from the replication data of
 * an object, which any account may read. The directory does not record who wrote.
 *
 * Form of `replPropertyMetaData`: MS-DRSR 5.166 (PROPERTY_META_DATA_VECTOR).
 * `msDS-ReplValueMetaData`: MS-ADTS 3.1.1.4.5. Rule: `docs/collect.md#last-writes`.
 */

import { readGuid } from '../descriptor/ids.ts';
import type { LdapClient } from '../ldap/ldapClient.ts';
import type { Attributes } from '../ldap/messages.ts';
import { guidOf } from './entryValues.ts';
import { WRITTEN_ATTRIBUTES } from './writtenAttributes.ts';

const OF_ATTRIBUTES = 'replPropertyMetaData';
/** One text per member; servers other than Windows do not have it. */
const OF_LINKS = 'msDS-ReplValueMetaData';
export const WRITE_ATTRIBUTES: readonly string[] = [OF_ATTRIBUTES, OF_LINKS];

/** Maximum number of times that the names are read again: ids of restored or removed controllers stay unknown. */
const MAX_RENEWALS = 5;

/** Names of all controllers of the forest by the id of their database, which is new after a restore. */
export class Writers {
  readonly #read: () => Promise<ReadonlyMap<string, string>>;
  #names: ReadonlyMap<string, string> | undefined;
  readonly #unknown = new Set<string>();
  #renewals = 0;

  constructor(read: () => Promise<ReadonlyMap<string, string>>) {
    this.#read = read;
  }

  static of(client: LdapClient, configuration: string): Writers {
    return new Writers(() => readNames(client, configuration));
  }

  /** Reads the names, and again for ids of controllers that may be new. */
  async find(ids: readonly string[]): Promise<void> {
    const isNew = (id: string): boolean => !this.#names?.has(id) && !this.#unknown.has(id);
    if (this.#names === undefined) this.#names = await this.#read();
    else if (this.#renewals < MAX_RENEWALS && ids.some(isNew)) {
      this.#renewals++;
      this.#names = await this.#read();
    }
    for (const id of ids.filter(isNew)) this.#unknown.add(id);
  }

  nameOf(id: string): string {
    return this.#names?.get(id) ?? UNKNOWN;
  }
}

/** Restored controllers have a new id, and removed ones have none. */
const UNKNOWN = 'an unknown controller';

/** A container `NTDS Settings` is below the server whose database it describes. */
async function readNames(client: LdapClient, configuration: string): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  const search = { base: configuration, filter: '(objectClass=nTDSDSA)', attributes: ['invocationId'] };
  for await (const { dn, attributes } of client.search(search)) {
    const server = SERVER.exec(dn)?.[1];
    const id = guidOf(attributes, 'invocationid');
    if (server !== undefined && id !== '') found.set(id, server.toUpperCase());
  }
  return found;
}

const HEAD_BYTES = 16;
const ENTRY_BYTES = 48;
const VERSION = 1;
/** Seconds between the starts of both calendars: 1601 and 1970. */
const EPOCH = 11_644_473_600;
/** Seconds of the year 9999. */
const MAX_SECONDS = 253_402_300_799;

/** @returns sentences such as `userAccountControl: 2026-11-30T10:00:00Z on DC1 (version 3)`; none for data in another form */
export async function lastWrites(attributes: Attributes, writers: Writers): Promise<readonly string[]> {
  const stamps = stampsOf(attributes);
  await writers.find(stamps.map(({ writer }) => writer));
  const members = lastMember(attributes);
  return [
    ...stamps.map(
      ({ name, time, writer, version }) =>
        `${name}: ${time} on ${writers.nameOf(writer)} (version ${version})`,
    ),
    ...(members === undefined ? [] : [members]),
  ].sort();
}

interface Stamp {
  readonly name: string;
  readonly time: string;
  /** Id of the database. */
  readonly writer: string;
  readonly version: number;
}

function stampsOf(attributes: Attributes): readonly Stamp[] {
  const bytes = attributes.get(OF_ATTRIBUTES.toLowerCase())?.[0];
  if (bytes === undefined || bytes.length < HEAD_BYTES || bytes.readUInt32LE(0) !== VERSION) return [];
  const count = Math.min(bytes.readUInt32LE(8), Math.floor((bytes.length - HEAD_BYTES) / ENTRY_BYTES));
  const found = new Map<string, Stamp>();
  for (let at = 0; at < count; at++) {
    const start = HEAD_BYTES + at * ENTRY_BYTES;
    const name = WRITTEN_ATTRIBUTES.get(bytes.readUInt32LE(start));
    const seconds = Number(bytes.readBigUInt64LE(start + 8)) - EPOCH;
    if (name === undefined || found.has(name) || !(seconds > 0 && seconds < MAX_SECONDS)) continue;
    const time = new Date(seconds * 1000).toISOString().replace('.000Z', 'Z');
    const writer = readGuid(bytes.subarray(start + 16, start + 32)).toUpperCase();
    found.set(name, { name, time, writer, version: bytes.readUInt32LE(start + 4) });
  }
  return [...found.values()];
}

/** The newest write of a member, removed ones included; undefined if the list is missing, or has more values than one answer. */
function lastMember(attributes: Attributes): string | undefined {
  let newest: { readonly time: string; readonly text: string } | undefined;
  for (const value of attributes.get(OF_LINKS.toLowerCase()) ?? []) {
    const text = value.toString('utf8');
    if (memberOfXml(text, 'pszAttributeName') !== 'member') continue;
    const time = memberOfXml(text, 'ftimeLastOriginatingChange') ?? '';
    const version = memberOfXml(text, 'dwVersion') ?? '';
    if (!TIME.test(time) || !/^\d{1,10}$/.test(version) || (newest !== undefined && newest.time >= time))
      continue;
    const server = SERVER.exec(memberOfXml(text, 'pszLastOriginatingDsaDN') ?? '')?.[1];
    newest = { time, text: `member: ${time} on ${server?.toUpperCase() ?? UNKNOWN} (version ${version})` };
  }
  return newest?.text;
}

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;
const SERVER = /^(?:<[^>]*>;)*CN=[^,]*,CN=([^,]+)/i;

const memberOfXml = (xml: string, name: string): string | undefined =>
  new RegExp(`<${name}>([^<]{0,1000})</${name}>`).exec(xml)?.[1];
