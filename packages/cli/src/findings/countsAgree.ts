/**
 * Compares counts from two sources: lists and statistics of the API, and Cypher. They use the same generation, so any difference is an
 * error. Rule: `docs/findings.md#contradictions`.
 */
import { ApiError, type ClewClient } from '@clew/client';
import { formatCount, printable } from '../terminal/text.ts';

/** The counted objects: nodes of a kind, or the members of a zone, for which Cypher uses a label. */
export interface Counted {
  readonly what: string;
  readonly label: string;
  readonly listed: number;
}

/** Analyses may end between the requests; after this many, no result is reported. */
const MAX_TRIES = 3;
/** Maximum number of parts per query. */
const MAX_LABELS = 100;

/** @returns a line per differing count, or one if they could not be compared; empty if all agree */
export async function countsText(client: ClewClient, signal: AbortSignal): Promise<string> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const { data } = await client.call('GetGraphStatistics', {}, { signal });
    const listed = [
      ...[...new Set([...Object.keys(data.collected.nodes), ...Object.keys(data.derived.nodes)])].map(
        (kind) => ({
          ...{ what: `nodes of the kind ${kind}`, label: kind },
          listed: (data.collected.nodes[kind] ?? 0) + (data.derived.nodes[kind] ?? 0),
        }),
      ),
      ...(await zoneCounts(client, signal)),
    ].slice(0, MAX_LABELS);
    if (listed.length === 0) return '';
    let found: ReadonlyMap<string, number>;
    try {
      found = await cypherCounts(
        client,
        listed.map(({ label }) => label),
        signal,
      );
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return `Counts could not be compared with those of Cypher: ${printable(error.message)}\n`;
    }
    const after = (await client.call('GetGraphStatistics', {}, { signal })).data;
    if (after.generation === data.generation) return differences(listed, found);
  }
  return 'Counts could not be compared with those of Cypher: new analyses keep completing.\n';
}

export function differences(listed: readonly Counted[], found: ReadonlyMap<string, number>): string {
  return listed
    .map(({ what, label, listed: count }) => ({ what, count, inCypher: found.get(label) ?? 0 }))
    .filter(({ count, inCypher }) => count !== inCypher)
    .map(
      ({ what, count, inCypher }) =>
        `The service contradicts itself: ${printable(what)}: ${formatCount(count)} listed, but Cypher counts ${formatCount(inCypher)}.\n`,
    )
    .join('');
}

/** Zones and labels with all of their members. */
async function zoneCounts(client: ClewClient, signal: AbortSignal): Promise<readonly Counted[]> {
  const { tags } = (await client.call('GetAssetGroupTags', {}, { signal })).data;
  const counted: Counted[] = [];
  for (const { id, name } of tags) {
    const request = { params: { asset_group_tag_id: id } };
    const { data } = await client.call('ListAssetGroupTagMemberCountByKind', request, { signal });
    counted.push({
      what: `members of ${name}`,
      label: `Tag_${name.replaceAll(' ', '_')}`,
      listed: data.total_count,
    });
  }
  return counted;
}

async function cypherCounts(
  client: ClewClient,
  labels: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, number>> {
  const query = labels
    .map(
      (label, at) => `MATCH (n:\`${label.replaceAll('`', '``')}\`) RETURN ${at} AS place, count(n) AS count`,
    )
    .join(' UNION ALL ');
  const { data } = await client.call('RunCypherQuery', { body: { query, rows: true } }, { signal });
  const rows = (data.rows ?? []) as readonly (readonly unknown[])[];
  return new Map(rows.map(([place, count]) => [labels[Number(place)] ?? '', Number(count)]));
}
