/** The meaning of the symbols that occur in a drawing. */
import type { Drawing } from '../../graph/drawing.ts';
import { kindLook } from '../../graph/kinds.ts';
import { KindMark } from '../../parts/KindMark.tsx';
import { formatCount } from '../../text/formats.ts';

/** Maximum number of kinds; the table lists the rest. */
const MAX_KINDS = 10;

interface LegendProps {
  readonly drawing: Drawing;
  readonly pinned: ReadonlySet<string>;
  /** Whether the drawing contains a cut. */
  readonly isCut: boolean;
}

export function Legend({ drawing, pinned, isCut }: LegendProps) {
  const { nodes, edges, isPath } = drawing;
  if (nodes.length === 0) return null;
  const counts = new Map<string, number>();
  for (const { kind } of nodes) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  const kinds = [...counts].sort(([, a], [, b]) => b - a);
  return (
    <details className="drawing-legend">
      <summary>Legend</summary>
      <ul>
        {kinds.slice(0, MAX_KINDS).map(([kind, count]) => (
          <li key={kind}>
            <KindMark kind={kind} size={18} /> {kindLook(kind).label}{' '}
            <span className="quiet">{formatCount(count)}</span>
          </li>
        ))}
        {kinds.length > MAX_KINDS && (
          <li className="quiet">{formatCount(kinds.length - MAX_KINDS)} more kinds, see Table</li>
        )}
        {edges.length > 0 && (
          <li>
            <span className={isPath ? 'line-sign attack' : 'line-sign'} aria-hidden="true" />{' '}
            {isPath ? 'attack path' : 'relationship'}
          </li>
        )}
        {isCut && (
          <li>
            <span className="line-sign cut" aria-hidden="true" /> recommended cut
          </li>
        )}
        {edges.some(({ isWay }) => isWay) && (
          <li>
            <span className="line-sign dashed" aria-hidden="true" /> leads through objects that are not shown
          </li>
        )}
        {edges.some(({ isGone }) => isGone) && (
          <li>
            <span className="line-sign dashed" aria-hidden="true" /> no longer exists
          </li>
        )}
        {nodes.some(({ isTierZero }) => isTierZero) && (
          <li>
            <span className="zone-badge">T0</span> Tier Zero
          </li>
        )}
        {nodes.some(({ isOwned }) => isOwned) && (
          <li>
            <span className="owned-sign">O</span> owned
          </li>
        )}
        {pinned.size > 0 && (
          <li>
            <span className="pin-sign" aria-hidden="true" /> moved by you; press u to release it
          </li>
        )}
      </ul>
    </details>
  );
}
