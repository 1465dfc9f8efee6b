/** In place of the attack path of a closed finding: since when it is closed and why, and the relationship that it was about. */
import type { UnifiedFindingRow } from '@clew/api';
import { type PathObject, PathStrip } from '../../parts/PathStrip.tsx';
import { cleanText } from '../../text/cleanText.ts';
import { formatDate, formatMoment } from '../../text/formats.ts';

export const isClosed = ({ status }: UnifiedFindingRow): boolean =>
  status !== 'active' && status !== 'accepted';

const REASONS: Readonly<Record<string, string>> = {
  remediated: 'An analysis no longer found it.',
  orphaned: 'Its environment or its zone was removed, or the zone was edited.',
  deprecated: 'Its type was removed, or newer rules do not find it.',
};

/** @returns source and target of a finding about a relationship */
export function endsOf(row: UnifiedFindingRow): readonly [PathObject, PathObject] {
  const object = (end: 'source' | 'target'): PathObject => ({
    object_id: row[`${end}_principal_id`],
    name: row[`${end}_principal_name`],
    kind: row[`${end}_principal_kind`],
  });
  return [object('source'), object('target')];
}

export function ClosedPath({ row }: { readonly row: UnifiedFindingRow }) {
  // An archived finding changes no more: it was changed last when it was closed.
  const since = row.last_seen;
  const ends = endsOf(row);
  return (
    <section className="card" aria-labelledby="attack-path">
      <h2 id="attack-path">Attack path</h2>
      <p>
        This finding is closed since <span title={formatMoment(since)}>{formatDate(since)}</span>, so it has
        no path in the present graph. {REASONS[row.status] ?? ''}
      </p>
      {row.relation !== undefined && (
        <PathStrip
          label={`Closed relationship from ${cleanText(ends[0].name)} to ${cleanText(ends[1].name)}`}
          nodes={ends}
          steps={[
            {
              kind: row.relation,
              isCut: true,
              note: row.status === 'remediated' ? 'no longer there' : 'closed',
            },
          ]}
          endMark={undefined}
        />
      )}
    </section>
  );
}
