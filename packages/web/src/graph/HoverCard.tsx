/** A card next to the pointer with the full text of shortened labels. */
import { shortText } from '../text/cleanText.ts';
import type { Picked } from './pick.ts';

interface HoverCardProps {
  readonly hit: Picked;
  readonly x: number;
  readonly y: number;
}

export function HoverCard({ hit, x, y }: HoverCardProps) {
  const { node, edge } = hit;
  return (
    <div className="hover-card" style={{ left: x + 14, top: y + 14 }} aria-hidden="true">
      {node !== undefined && (
        <>
          <strong>
            <bdi>{shortText(node.name, 300)}</bdi>
          </strong>
          <span>
            {node.kind}
            {node.isTierZero && ' · Tier Zero'}
            {node.isOwned && ' · owned'}
          </span>
        </>
      )}
      {edge !== undefined && (
        <>
          <strong>{[...new Set(edge.edges.map(({ kind }) => kind))].slice(0, 12).join(', ')}</strong>
          <span>
            <bdi>{shortText(edge.source.name, 80)}</bdi> → <bdi>{shortText(edge.target.name, 80)}</bdi>
          </span>
        </>
      )}
    </div>
  );
}
