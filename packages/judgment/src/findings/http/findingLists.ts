/** Answers with lists of findings: a page of JSON, all findings as streamed JSON, or all as CSV. */
import { csvLine } from '@clew/api';
import {
  type AnyInput,
  apiError,
  type ColumnReferences,
  dispositionOf,
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

/** Maximum number of rows in memory; larger pages are streamed. */
const BATCH = 1_000;

export interface FindingListing {
  readonly scope: FindingScope;
  readonly list: ListQuery;
  readonly references: ColumnReferences;
}

/** Input of a paged request. */
type PagedInput = AnyInput & { readonly query: { readonly skip: number; readonly limit: number } };

/** Renders the rows of a list as JSON. */
export type Render<Entry> = (rows: readonly FindingRow[]) => Promise<readonly Entry[]>;

/** A page that fits into memory is answered directly; a larger one is streamed from one statement. */
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

/** All rows, regardless of paging. @throws ApiError 403 without the permission to export */
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
    headers: { 'content-disposition': dispositionOf(`${fileName}.csv`) },
    stream: textStream(lines()),
  }));
}

/** The query parameter `Accept=text/csv` is for clients that cannot set headers; it overrides the header. */
export function wantsCsv({ rawQuery }: AnyInput, { headers }: RequestContext): boolean {
  const asked = rawQuery.get('Accept');
  return /\btext\/csv\b/i.test(asked === null || asked === '' ? (headers.accept ?? '') : asked);
}

/** Renders findings with the properties of both ends that the caller may see. */
export function withProperties<Entry>(
  db: Db,
  record: (row: FindingRow, properties: ReadonlyMap<number, Properties>) => Entry,
): Render<Entry> {
  return async (rows) => {
    const properties = await propertiesOfEnds(db, rows);
    return rows.map((row) => record(row, properties));
  };
}

/** A list that includes archived findings is stable without an instant. */
function atInstant(listing: FindingListing, asOf: string): FindingListing {
  return listing.scope.state === 'all' ? listing : { ...listing, scope: { ...listing.scope, asOf } };
}
