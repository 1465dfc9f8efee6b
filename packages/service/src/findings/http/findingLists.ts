/** Answers with lists of findings: a page of JSON, all of them as streamed JSON, or all of them as CSV. */
import type { Properties } from '@clew/model';
import type { Db } from '@clew/store';
import { apiError } from '../../operation/apiError.ts';
import type { AnyInput, RequestContext } from '../../operation/handler.ts';
import { pageStream, textStream } from '../../operation/jsonStream.ts';
import type { ColumnReferences, ListQuery } from '../../operation/lists/listQuery.ts';
import { type FindingRow, type FindingScope, listFindings, propertiesOfEnds } from '../findingQueries.ts';
import { publishedInstant } from '../publishedInstant.ts';
import { csvLine } from './csv.ts';
import type { CsvColumns } from './findingRecords.ts';
import { type Walks, walkKey } from './walks.ts';

/** Rows in memory at a time; larger pages are streamed. */
const BATCH = 1_000;

export interface FindingListing {
  readonly scope: FindingScope;
  readonly list: ListQuery;
  readonly references: ColumnReferences;
}

/** Of a request for a page. */
type PagedInput = AnyInput & { readonly query: { readonly skip: number; readonly limit: number } };

/** How the rows of a list look in JSON. */
export type Render<Entry> = (rows: readonly FindingRow[]) => Promise<readonly Entry[]>;

export async function findingPage<Entry>(
  db: Db,
  walks: Walks,
  listing: FindingListing,
  render: Render<Entry>,
  { input, context }: { readonly input: PagedInput; readonly context: RequestContext },
) {
  const { skip, limit } = input.query;
  const key = walkKey(context, JSON.stringify([listing.scope.environments, input.params]), input.rawQuery);
  const asOf = await walks.instantOf(key, skip, () => publishedInstant(db));
  const pinned = atInstant(listing, asOf);
  const first = limit === 0 || limit > BATCH ? BATCH : limit;
  const { count, rows } = await readBatch(db, pinned, skip, first);
  const end = limit === 0 ? count : Math.min(count, skip + limit);
  const head = { count, skip, limit };
  if (skip + rows.length >= end) {
    return { status: 200 as const, json: { ...head, data: await render(rows) } };
  }
  async function* batches(): AsyncGenerator<readonly Entry[]> {
    for (let at = skip, batch = rows; batch.length > 0; ) {
      yield await render(batch);
      at += batch.length;
      batch = at < end ? (await readBatch(db, pinned, at, Math.min(BATCH, end - at))).rows : [];
    }
  }
  return { status: 200 as const, mediaType: 'application/json', stream: pageStream(head, batches()) };
}

/** All rows, whatever the page. @throws ApiError 403 without the permission to export */
export async function findingCsv(
  db: Db,
  listing: FindingListing,
  columns: CsvColumns,
  fileName: string,
  { principal }: RequestContext,
) {
  if (!principal.permissions.has('risks/GenerateReport')) throw apiError('notAuthorized');
  const pinned = atInstant(listing, await publishedInstant(db));
  // Read before the answer begins, so that an error is answered as one.
  const first = await readBatch(db, pinned, 0, BATCH);
  async function* lines(): AsyncGenerator<string> {
    yield csvLine(columns.map(([title]) => title));
    let { rows } = first;
    for (let at = 0; rows.length > 0; ) {
      yield rows.map((row) => csvLine(columns.map(([, cell]) => cell(row)))).join('');
      at += rows.length;
      rows = at < first.count ? (await readBatch(db, pinned, at, BATCH)).rows : [];
    }
  }
  return {
    status: 200,
    mediaType: 'text/csv; charset=utf-8',
    headers: { 'Content-Disposition': `attachment; filename="${fileName}.csv"` },
    stream: textStream(lines()),
  };
}

/** A query says `Accept=text/csv` where a header cannot be set, and wins over the header. */
export function wantsCsv({ rawQuery }: AnyInput, { headers }: RequestContext): boolean {
  const asked = rawQuery.get('Accept');
  return /\btext\/csv\b/i.test(asked === null || asked === '' ? (headers.accept ?? '') : asked);
}

/** Renders with the properties of both ends, as far as the caller may see them. */
export function withProperties<Entry>(
  db: Db,
  visible: readonly string[] | null,
  record: (row: FindingRow, properties: ReadonlyMap<string, Properties>) => Entry,
): Render<Entry> {
  return async (rows) => {
    const properties = await propertiesOfEnds(db, rows, visible);
    return rows.map((row) => record(row, properties));
  };
}

/** A list that looks at archived findings anyway needs no instant to be stable. */
function atInstant(listing: FindingListing, asOf: string): FindingListing {
  return listing.scope.state === 'all' ? listing : { ...listing, scope: { ...listing.scope, asOf } };
}

function readBatch(db: Db, { scope, list, references }: FindingListing, skip: number, limit: number) {
  return listFindings(db, scope, { ...list, skip, limit }, references);
}
