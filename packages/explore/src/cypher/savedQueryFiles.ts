/** Saved queries as files: `{name, query, description}`, individually or in an archive. */
import { archiveFromReader } from '@clew/collections';
import { apiError } from '@clew/common';
import Type from 'typebox';
import { Compile } from 'typebox/compile';
import { zipFiles } from './zipFiles.ts';

export interface QueryFile {
  readonly name: string;
  readonly query: string;
  readonly description: string;
}

export const MAX_IMPORT = 10 * 1024 * 1024;
const MAX_FILES = 10_000;

const queryFile = Compile(
  Type.Object({
    name: Type.String({ minLength: 1, maxLength: 500 }),
    query: Type.String({ minLength: 1, maxLength: 60_000 }),
    // Most files of the public library have none.
    description: Type.Optional(Type.Union([Type.String({ maxLength: 10_000 }), Type.Null()])),
  }),
);

/** A file, or an entry of one, that is not a query, and the reason. */
export interface RefusedFile {
  readonly file: string;
  readonly reason: string;
}

export interface ReadQueries {
  readonly queries: readonly { readonly file: string; readonly query: QueryFile }[];
  readonly refused: readonly RefusedFile[];
}

/** An invalid file does not affect valid ones. @throws ApiError 400 for a damaged archive, 415 for another media type */
export async function readQueryFiles(body: Buffer, mediaType: string | undefined): Promise<ReadQueries> {
  const type = mediaType?.split(';')[0].trim().toLowerCase();
  const read = new QueryReader();
  if (type === 'application/json') {
    read.add('the file', body);
    return read;
  }
  if (type !== 'application/zip' && type !== 'application/x-zip-compressed')
    throw apiError('savedQueriesMediaType');
  await using archive = await archiveFromReader(
    body.length,
    async (offset, length) => body.subarray(offset, offset + length),
    { maxEntries: MAX_FILES, maxTotalBytes: 10 * MAX_IMPORT },
  );
  if (archive.fault !== undefined) throw apiError('malformedSavedQueries', { reason: archive.fault.message });
  for (const { name, source, fault } of archive.members) {
    if (isHidden(name)) continue;
    if (source === undefined) {
      read.refuse(name, fault?.message ?? 'it cannot be read');
      continue;
    }
    const chunks: Uint8Array[] = [];
    try {
      for await (const chunk of source.open()) chunks.push(chunk);
    } catch (error) {
      read.refuse(name, (error as Error).message);
      continue;
    }
    read.add(name, Buffer.concat(chunks));
  }
  return read;
}

class QueryReader implements ReadQueries {
  readonly queries: { readonly file: string; readonly query: QueryFile }[] = [];
  readonly refused: RefusedFile[] = [];

  refuse(file: string, reason: string): void {
    this.refused.push({ file, reason });
  }

  /** Adds a query, or a list of queries. */
  add(file: string, bytes: Buffer): void {
    let json: unknown;
    try {
      json = JSON.parse(bytes.toString('utf8').replace(/^\ufeff/, ''));
    } catch {
      this.refuse(file, 'it is not JSON');
      return;
    }
    if (!Array.isArray(json)) this.#take(file, json);
    else if (json.length > MAX_FILES) this.refuse(file, `it has more than ${MAX_FILES} queries`);
    else for (const [at, entry] of json.entries()) this.#take(`${file}, entry ${at + 1}`, entry);
  }

  #take(file: string, json: unknown): void {
    if (queryFile.Check(json)) {
      const { name, query, description } = json;
      this.queries.push({ file, query: { name, query, description: description ?? '' } });
      return;
    }
    const [{ instancePath, message }] = queryFile.Errors(json);
    this.refuse(file, `${instancePath.slice(1) || 'it'} ${message}`);
  }
}

/** Entries that systems add to archives automatically. */
const isHidden = (name: string): boolean =>
  name.split('/').some((part) => part.startsWith('.') || part === '__MACOSX');

export const queryFileText = ({ name, query, description }: QueryFile): string =>
  `${JSON.stringify({ name, query, description }, null, 2)}\n`;

export function zipOf(queries: readonly QueryFile[]): Promise<Buffer> {
  const names = new Set<string>();
  return zipFiles(
    queries.map((query) => ({
      name: uniqueName(fileNameOf(query.name), names),
      bytes: Buffer.from(queryFileText(query)),
    })),
  );
}

/** Names of queries are arbitrary, so characters with a meaning in file systems are replaced. */
export function fileNameOf(name: string): string {
  const plain = name
    .replaceAll(/[\u0000-\u001f\u007f"*/:<>?\\|]/g, '_')
    .replace(/^\.+/, '_')
    .slice(0, 100)
    .trim();
  return plain === '' ? 'query' : plain;
}

function uniqueName(name: string, taken: Set<string>): string {
  let unique = name;
  for (let number = 2; taken.has(unique.toLowerCase()); number++) unique = `${name} (${number})`;
  taken.add(unique.toLowerCase());
  return `${unique}.json`;
}
