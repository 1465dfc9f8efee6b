/**
 * Causes of the change of exposure in the period: relationships that changed it by themselves, ordered by number of principals.
 */

import { Minus, Plus } from 'lucide';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { type Address, pathTo } from '../../address.ts';
import { KindPhrases } from '../../edges/KindPhrases.tsx';
import { Answer } from '../../parts/Answer.tsx';
import { Icon } from '../../parts/Icon.tsx';
import { useAnswer } from '../../service/queries.ts';
import { cleanText, shortText } from '../../text/cleanText.ts';
import { formatCount } from '../../text/formats.ts';
import { shortNames } from '../../text/names.ts';
import { noAnalysisText, useBeginning } from './times.ts';

interface ObjectRecord {
  readonly object_id: string;
  readonly name: string;
  readonly kind: string;
}

const MAX_SHOWN = 5;

export function Movers({ address, zone }: { readonly address: Address; readonly zone: number }) {
  const since = useBeginning(address);
  const query = useAnswer(
    'GetDifference',
    { query: { since, asset_group_tag_id: zone, limit: 100 } },
    { keep: true },
  );
  return (
    <section className="card" aria-labelledby="moved">
      <header className="section-head">
        <h2 id="moved">Causes of the change</h2>
        <span className="end">
          <Link href={pathTo('changes', { days: address.get('days') })}>All changes</Link>
        </span>
      </header>
      <Answer query={query} what="the causes of the change" lines={4}>
        {({ data: { from, to, moved_by, not_shown } }) =>
          from.generation === to.generation ? (
            <p className="quiet">
              {noAnalysisText(since, to.published_at) ?? 'There is one analysis in this period.'} Causes
              appear after the next analysis.
            </p>
          ) : moved_by.length === 0 ? (
            <p className="quiet">
              {not_shown.length > 0
                ? 'Not shown: covers environments outside your access.'
                : 'No single relationship moved it in this period.'}
            </p>
          ) : (
            <ul className="movers">
              {moved_by.slice(0, MAX_SHOWN).map(({ change, source, kinds, target, principal_count }) => (
                <li key={JSON.stringify([change, source.object_id, target.object_id])} className={change}>
                  <Icon of={change === 'came' ? Plus : Minus} />
                  <p>
                    {change === 'came' ? 'New: ' : 'Removed: '}
                    <Sentence {...{ source, target }}>
                      <KindPhrases kinds={kinds} />
                    </Sentence>
                  </p>
                  <strong title="Users and computers that can reach the zone only through it, or can no longer reach it because it was removed">
                    {change === 'came' ? '+' : '−'}
                    {formatCount(principal_count)}
                  </strong>
                </li>
              ))}
            </ul>
          )
        }
      </Answer>
    </section>
  );
}

/** Names without their domains; the domains are shown on hover. */
function Sentence({
  source,
  target,
  children,
}: {
  readonly source: ObjectRecord;
  readonly target: ObjectRecord;
  readonly children: ReactNode;
}) {
  const whole = ({ name, object_id, kind }: ObjectRecord) => ({
    name: cleanText(name === '' ? object_id : name),
    kind,
  });
  const [from, to] = [whole(source), whole(target)];
  const [shortFrom, shortTo] = shortNames(from, to);
  return (
    <>
      <Short name={shortFrom} whole={from.name} /> {children} <Short name={shortTo} whole={to.name} />
    </>
  );
}

const Short = ({ name, whole }: { readonly name: string; readonly whole: string }) => (
  <strong title={shortText(whole, 1000)}>
    <bdi>{shortText(name, 60)}</bdi>
  </strong>
);
