/** The findings that a card closes or opens. */
import type { CardRecord } from '@clew/api';
import { ObjectLink } from '../../parts/ObjectLink.tsx';
import { counted, formatCount } from '../../text/formats.ts';

export function Closed({ card, isOpen }: { readonly card: CardRecord; readonly isOpen: boolean }) {
  const { closed_count: closed, opened_count: opened } = card;
  if (closed === null || opened === null)
    return <p className="closed">Findings that close: not known yet.</p>;
  if (closed === 0 && opened === 0) return null;
  return (
    <details className="closed" open={isOpen}>
      <summary>
        {closed === 1 ? 'The finding that it closes' : `The ${formatCount(closed)} findings that it closes`}
        {opened > 0 && `, ${counted(opened, 'new one opens', 'new ones open')}`}
      </summary>
      <ul>
        {card.closed.map((finding) => (
          <li
            key={JSON.stringify([
              finding.finding,
              finding.source?.object_id,
              finding.target.object_id,
              finding.environment_id,
            ])}
          >
            {finding.title}:{' '}
            {finding.source && (
              <>
                <ObjectLink object={finding.source} /> <span aria-hidden="true">→</span>
                <span className="unseen"> to </span>{' '}
              </>
            )}
            <ObjectLink object={finding.target} />
          </li>
        ))}
        {closed > card.closed.length && <li>and {counted(closed - card.closed.length, 'more finding')}</li>}
      </ul>
    </details>
  );
}
