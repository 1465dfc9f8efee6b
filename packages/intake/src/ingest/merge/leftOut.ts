/** Names the records that count instead of left out ones. Rule: `docs/reference/collections.md#one-id-two-records`. */
import type pg from 'pg';
import type { LeftOutRecord } from '../staging/identities.ts';

/** Maximum number of named records per file. */
const MAX_NAMED = 20;

export interface LeftOutNote {
  readonly origin: number;
  readonly index?: number;
  readonly object?: string;
  readonly reason: string;
  readonly count?: number;
}

/** @returns notes for the files, after the records that count were merged */
export async function notesOfLeftOut(
  client: pg.ClientBase,
  records: readonly LeftOutRecord[],
): Promise<LeftOutNote[]> {
  const byFile = [...Map.groupBy(records, ({ origin }) => origin)];
  const named = byFile.flatMap(([, ofFile]) => ofFile.slice(0, MAX_NAMED));
  if (named.length === 0) return [];
  const { rows } = await client.query<{ id: number; name: string }>(
    `select id, coalesce(nullif(properties ->> 'samaccountname', ''), properties ->> 'distinguishedname', '') as name
     from node where id = any ($1)`,
    [named.map(({ id }) => id)],
  );
  const counting = new Map(rows.map(({ id, name }) => [Number(id), name]));
  return byFile.flatMap(([origin, ofFile]): LeftOutNote[] => [
    ...ofFile.slice(0, MAX_NAMED).map(({ index, id, objectId, name }) => ({
      ...{ origin, index, object: objectId.slice(0, 128) },
      reason: `one object id has two records: ${quoted(counting.get(id) ?? '')} and ${quoted(name)}; only the first counts, so ${quoted(name)} is missing`,
    })),
    ...(ofFile.length <= MAX_NAMED
      ? []
      : [
          {
            origin,
            reason: `further records with the object id of an earlier record of the file were left out: ${ofFile.length - MAX_NAMED}`,
          },
        ]),
  ]);
}

const quoted = (name: string): string => JSON.stringify(name.slice(0, 128));
