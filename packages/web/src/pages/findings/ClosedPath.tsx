/** Replaces the attack path of a closed finding with the time and reason of its closing, and its relationship. */
import type { UnifiedFindingRow } from '@clew/api';
import { PathStrip } from '../../parts/PathStrip.tsx';
import { cleanText } from '../../text/cleanText.ts';
import { formatDate, formatMoment } from '../../text/formats.ts';
import { closedReason, closedWay } from './finding.ts';

export function ClosedPath({ row }: { readonly row: UnifiedFindingRow }) {
  // An archived finding does not change, so its last change is its closing.
  const since = row.last_seen;
  const way = closedWay(row);
  return (
    <section className="card" aria-labelledby="attack-path">
      <h2 id="attack-path">Attack path</h2>
      <p>
        This finding has been closed since <span title={formatMoment(since)}>{formatDate(since)}</span>, so it
        has no path in the current graph. {cleanText(closedReason(row))}
      </p>
      {way !== undefined && (
        <PathStrip
          label={`Closed relationship from ${cleanText(row.source_principal_name)} to ${cleanText(row.target_principal_name)}`}
          nodes={way.nodes}
          steps={way.steps}
        />
      )}
    </section>
  );
}
