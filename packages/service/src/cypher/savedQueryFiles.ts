/** Saved queries as files: `{name, query, description}`, alone or in an archive. */
import { once } from 'node:events';
import { archiveFromReader } from '@clew/collections';
import Type from 'typebox';
import { Compile } from 'typebox/compile';
import { ZipFile } from 'yazl';
import { apiError } from '../operation/apiError.ts';

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
    description: Type.Optional(Type.String({ maxLength: 10_000 })),
  }),
);

/** @throws ApiError 400 for what is no query, 415 for another media type */
export async function readQueryFiles(body: Buffer, mediaType: string | undefined): Promise<QueryFile[]> {
  const type = mediaType?.split(';')[0].trim().toLowerCase();
  if (type === 'application/json') return [parseQuery(body)];
  if (type !== 'application/zip' && type !== 'application/x-zip-compressed')
    throw apiError('savedQueriesMediaType');
  await using archive = await archiveFromReader(
    body.length,
    async (offset, length) => body.subarray(offset, offset + length),
    { maxEntries: MAX_FILES, maxTotalBytes: 10 * MAX_IMPORT },
  );
  if (archive.fault !== undefined) throw apiError('malformedSavedQueries', { reason: archive.fault.message });
  const queries: QueryFile[] = [];
  for (const { name, source, fault } of archive.members) {
    if (isHidden(name)) continue;
    if (source === undefined)
      throw apiError('malformedSavedQueries', { reason: fault?.message ?? `${name} cannot be read` });
    const chunks: Uint8Array[] = [];
    for await (const chunk of source.open()) chunks.push(chunk);
    queries.push(parseQuery(Buffer.concat(chunks)));
  }
  return queries;
}

/** What systems add to archives by themselves. */
const isHidden = (name: string): boolean =>
  name.split('/').some((part) => part.startsWith('.') || part === '__MACOSX');

function parseQuery(bytes: Buffer): QueryFile {
  let json: unknown;
  try {
    json = JSON.parse(bytes.toString('utf8'));
  } catch {
    throw apiError('malformedSavedQueries', { reason: 'it is no JSON' });
  }
  if (queryFile.Check(json))
    return { name: json.name, query: json.query, description: json.description ?? '' };
  const [{ instancePath, message }] = queryFile.Errors(json);
  throw apiError('malformedSavedQueries', { reason: `${instancePath.slice(1) || 'the file'} ${message}` });
}

export const queryFileText = ({ name, query, description }: QueryFile): string =>
  `${JSON.stringify({ name, query, description }, null, 2)}\n`;

export async function zipOf(queries: readonly QueryFile[]): Promise<Buffer> {
  const zip = new ZipFile();
  const names = new Set<string>();
  for (const query of queries) {
    zip.addBuffer(Buffer.from(queryFileText(query)), uniqueName(fileNameOf(query.name), names), {
      mtime: new Date(0),
    });
  }
  zip.end();
  const chunks: Buffer[] = [];
  zip.outputStream.on('data', (chunk: Buffer) => chunks.push(chunk));
  await once(zip.outputStream, 'end');
  return Buffer.concat(chunks);
}

/** Names of queries are free: what a file system gives a meaning is taken out. */
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
