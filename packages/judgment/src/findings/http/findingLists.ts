/** Answers with lists of findings: a page of JSON, all of them as streamed JSON, or all of them as CSV. */
import { csvLine } from '@clew/api';
import {
  type AnyInput,
  apiError,
  type ColumnReferences,
  type ListQuery,
  pageStream,
  principalId,
  type RequestContext,
  textStream,
} from '@clew/common';
import type { Properties } from '@clew/model';
import type { Db } from '@clew/store';
import {
  eachFinding,
  type FindingRow,
  type FindingScope,
  listFindings,
  propertiesOfEnds,
} from '../findingQueries.ts';
import { publishedInstant } from '../publishedInstant.ts';
import type { FindingParts } from './findingParts.ts';
import type { CsvColumns } from './findingRecords.ts';
import { walkKey } from './walks.ts';

/** Rows in memory at a time; larger pages are streamed. */
const BATCH = 1_000;

export interface FindingListing {
  readonly scope: FindingScope;
  readonly list: ListQuery;
  readonly references: ColumnReferences;
}

/** Input of a request for a page. */
type PagedInput = AnyInput & { readonly query: { readonly skip: number; readonly limit: number } };

/** How the rows of a list look in JSON. */
export type Render<Entry> = (rows: readonly FindingRow[]) => Promise<readonly Entry[]>;

/** A page that fits into memory is answered at once; a larger one is streamed from one statement. */
export async function findingPage<Entry>(
  { db, walks, exports }: FindingParts,
  listing: FindingListing,
  render: Render<Entry>,
  { input, context }: { readonly input: PagedInput; readonly context: RequestContext },
) {
  const { skip, limit } = input.query;
  const key = walkKey(context, JSON.stringify([listing.scope.environments, input.params]), input.rawQuery);
  const asOf = await walks.instantOf(key, skip, () => publishedInstant(db));
  const pinned = atInstant(listing, asOf);
  const { scope, list, references } = pinned;
  const most = limit === 0 ? BATCH : Math.min(limit, BATCH);
  const { count, rows } = await listFindings(db, scope, { ...list, skip, limit: most }, references);
  if (limit === most || skip + rows.length >= count)
    return { status: 200 as const, json: { count, skip, limit, data: await render(rows) } };
  return exports.slots.open(principalId(context.principal), () => {
    const batches = eachFinding(exports.source, scope, { ...list, skip, limit }, references);
    const stream = pageStream({ count, skip, limit }, rendered(batches, render));
    return { status: 200 as const, mediaType: 'application/json', stream };
  });
}

async function* rendered<Entry>(
  batches: AsyncIterable<readonly FindingRow[]>,
  render: Render<Entry>,
): AsyncGenerator<readonly Entry[]> {
  for await (const rows of batches) yield await render(rows);
}

/** All rows, whatever the page. @throws ApiError 403 without the permission to export */
export async function findingCsv(
  { db, exports }: FindingParts,
  listing: FindingListing,
  columns: CsvColumns,
  fileName: string,
  { principal }: RequestContext,
) {
  if (!principal.permissions.has('risks/GenerateReport')) throw apiError('notAuthorized');
  const { scope, list, references } = atInstant(listing, await publishedInstant(db));
  async function* lines(): AsyncGenerator<string> {
    yield csvLine(columns.map(([title]) => title));
    for await (const rows of eachFinding(exports.source, scope, list, references))
      yield rows.map((row) => csvLine(columns.map(([, cell]) => cell(row)))).join('');
  }
  return exports.slots.open(principalId(principal), () => ({
    status: 200,
    mediaType: 'text/csv; charset=utf-8',
    headers: { 'Content-Disposition': `attachment; filename="${fileName}.csv"` },
    stream: textStream(lines()),
  }));
}

/** A query says `Accept=text/csv` where a header cannot be set, and wins over the header. */
export function wantsCsv({ rawQuery }: AnyInput, { headers }: RequestContext): boolean {
  const asked = rawQuery.get('Accept');
  return /\btext\/csv\b/i.test(asked === null || asked === '' ? (headers.accept ?? '') : asked);
}

/** Renders with the properties of both ends, as far as the caller may see them. */
export function withProperties<Entry>(
  db: Db,
  record: (row: FindingRow, properties: ReadonlyMap<number, Properties>) => Entry,
): Render<Entry> {
  return async (rows) => {
    const properties = await propertiesOfEnds(db, rows);
    return rows.map((row) => record(row, properties));
  };
}

/** A list that looks at archived findings anyway needs no instant to be stable. */
function atInstant(listing: FindingListing, asOf: string): FindingListing {
  return listing.scope.state === 'all' ? listing : { ...listing, scope: { ...listing.scope, asOf } };
}
