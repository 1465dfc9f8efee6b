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
      <Findings findings={card.closed} count={closed} />
      {opened > 0 && (
        <>
          <p>Findings that open:</p>
          <Findings findings={card.opened} count={opened} />
        </>
      )}
    </details>
  );
}

/** @param count of all findings, also of those that are not listed */
function Findings({ findings, count }: { readonly findings: CardRecord['closed']; readonly count: number }) {
  return (
    <ul>
      {findings.map((finding) => (
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
      {count > findings.length && <li>and {counted(count - findings.length, 'more finding')}</li>}
    </ul>
  );
}
