/** Lists of a difference, shared by the pages that show one. */
import type { DifferenceRecord } from '@clew/api';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { KindPhrases } from '../../edges/KindPhrases.tsx';
import { Name } from '../../parts/Name.tsx';
import { formatCount } from '../../text/formats.ts';
import { findingsPath } from '../findings/findingsPath.ts';

export function FindingChanges({ types }: { readonly types: DifferenceRecord['findings']['types'] }) {
  if (types.length === 0) return <p className="quiet">No finding opened or was resolved.</p>;
  return (
    <ul className="pairs">
      {types.map(({ finding, title, came_count, went_count }) => (
        <li key={finding}>
          <Link href={findingsPath({ type: finding })}>{title}</Link>
          <span>
            {came_count > 0 && <span className="change worse">{formatCount(came_count)} new</span>}
            {came_count > 0 && went_count > 0 && ', '}
            {went_count > 0 && <span className="change better">{formatCount(went_count)} resolved</span>}
          </span>
        </li>
      ))}
    </ul>
  );
}

export const relationText = ({
  source,
  kind,
  target,
  is_derived,
}: DifferenceRecord['relations']['came'][number]) => (
  <span key={JSON.stringify([source.object_id, kind, target.object_id])}>
    <Name text={source.name} id={source.object_id} /> <KindPhrases kinds={[kind]} />{' '}
    <Name text={target.name} id={target.object_id} />
    {is_derived && <span className="quiet"> (follows from others)</span>}
  </span>
);

export function Part({
  title,
  came,
  went,
  children,
}: {
  title: string;
  came: number;
  went: number;
  children: ReactNode;
}) {
  return (
    <section className="card">
      <h2>
        {title}: {formatCount(came)} new, {formatCount(went)} removed
      </h2>
      {came + went > 0 && children}
    </section>
  );
}

export function Listed({
  title,
  count,
  items,
}: {
  readonly title: string;
  readonly count: number;
  readonly items: readonly ReactNode[];
}) {
  if (items.length === 0) return null;
  return (
    <details>
      <summary>
        {title}{' '}
        <span className="quiet">
          {items.length < count
            ? `${formatCount(items.length)} of ${formatCount(count)} shown`
            : formatCount(count)}
        </span>
      </summary>
      <ul>
        {items.map((item, at) => (
          <li key={`${at + 1}`}>{item}</li>
        ))}
      </ul>
    </details>
  );
}
