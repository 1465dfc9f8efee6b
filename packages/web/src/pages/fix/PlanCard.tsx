/** One card: what it does to the exposure, what to change, the path that it cuts, and how good it is. */
import type { CardRecord, PackageRecord, PlanRecord } from '@clew/api';
import { useState } from 'react';
import { Link } from 'wouter';
import { pathTo } from '../../address.ts';
import { Meter } from '../../parts/Meter.tsx';
import { Name } from '../../parts/Name.tsx';
import { ObjectLink } from '../../parts/ObjectLink.tsx';
import { useSelf } from '../../service/self.ts';
import { cleanText, valueText } from '../../text/cleanText.ts';
import { counted } from '../../text/formats.ts';
import { addToBasket } from '../whatIf/basket.ts';
import { AcceptDialog } from './AcceptDialog.tsx';
import { CardPath } from './CardPath.tsx';
import { ConstraintDialog } from './ConstraintDialog.tsx';
import { costText, principals, sharesOf, zoneText } from './planFigures.ts';

interface PlanCardProps {
  readonly card: CardRecord;
  readonly number: number;
  readonly zone: number;
  /** Exposure before it. */
  readonly before: PlanRecord['before'];
}

export function PlanCard({ card, number, zone, before }: PlanCardProps) {
  const shares = sharesOf(card);
  const [only] = card.packages;
  const isSet = card.packages.length > 1;
  const together = `Do these ${card.packages.length} together`;
  return (
    <article className="card repair" aria-labelledby={`card-${number}`}>
      <header>
        <span className="number" aria-hidden="true">
          {number}
        </span>
        <div>
          <h2 id={`card-${number}`}>{isSet ? together : cleanText(only?.title ?? card.title)}</h2>
          <p className="effect">{cleanText(card.effect.text)}</p>
        </div>
        {shares !== undefined && shares.from !== shares.to && (
          <p className="fall">
            {shares.from} <span aria-hidden="true">→</span>
            <span className="unseen"> becomes </span> <strong>{shares.to}</strong>
          </p>
        )}
      </header>
      <Environments before={before} after={card.exposure} />
      <ol className={isSet ? 'packages' : 'packages single'}>
        {card.packages.map((one, at) => (
          <li key={one.key}>
            <Package one={one} at={at} card={card} />
          </li>
        ))}
      </ol>
      {card.paths.map((path) => (
        <CardPath key={path.environment_id} path={path} zone={zone === 1 ? 'T0' : zoneText(zone)} />
      ))}
      <p className="proof">
        Cost {costText(card.cost)}. {card.bound !== null && cleanText(card.bound.text)}
        {card.affected_count > 0 &&
          ` ${principals(card.affected_count)} ${card.affected_count === 1 ? 'loses' : 'lose'} access.`}
        {card.rests_on_sessions && ' This rests on the sessions that were seen.'}
      </p>
      <Closed card={card} />
      <Actions card={card} />
    </article>
  );
}

/** Those in which it moves, where there are several: else the card says it. */
function Environments({
  before,
  after,
}: {
  readonly before: PlanRecord['before'];
  readonly after: PlanRecord['before'];
}) {
  const moved = before.flatMap(({ environment_id, environment_name, exposure }) => {
    const left = after.find((one) => one.environment_id === environment_id)?.exposure ?? exposure;
    return left === exposure ? [] : [{ environment_id, environment_name, exposure, left }];
  });
  if (before.length < 2 || moved.length === 0) return null;
  return (
    <div className="meters">
      {moved.map(({ environment_id, environment_name, exposure, left }) => (
        <Meter key={environment_id} label={cleanText(environment_name)} before={exposure} after={left} />
      ))}
    </div>
  );
}

function Package({
  one,
  at,
  card,
}: {
  readonly one: PackageRecord;
  readonly at: number;
  readonly card: CardRecord;
}) {
  const isSet = card.packages.length > 1;
  const left = one.cost_still_needed ?? 0;
  const [first] = one.changes;
  return (
    <>
      {isSet && (
        <p className="package-title">
          {cleanText(one.title)} <span className="quiet">cost {costText(one.cost)}</span>
        </p>
      )}
      <p>{cleanText(one.fix)}</p>
      {first?.is_inherited && first.inherited_from !== null && (
        <p>
          The entry is inherited from <ObjectLink object={first.inherited_from} />: change it there.
        </p>
      )}
      {isSet && at < card.packages.length - 1 && left > 0 && (
        <p className="quiet">
          {at + 1} of {card.packages.length} done: at least cost {costText(left)} is left before exposure
          falls.
        </p>
      )}
      <details>
        <summary>Verify, risk{one.change_count > 1 && `, ${counted(one.change_count, 'change')}`}</summary>
        <dl className="facts">
          <dt>Verify</dt>
          <dd>{cleanText(one.check)}</dd>
          <dt>Risk</dt>
          <dd>{cleanText(one.risk)}</dd>
          {one.affected_count > 0 && (
            <>
              <dt>Loses access</dt>
              <dd>
                {principals(one.affected_count)}
                {first !== undefined && first.affected_holders.length > 0 && ', through '}
                {first?.affected_holders.map((holder) => (
                  <ObjectLink key={holder.object_id} object={holder} />
                ))}
              </dd>
            </>
          )}
        </dl>
        <Changes one={one} />
      </details>
    </>
  );
}

function Changes({ one }: { readonly one: PackageRecord }) {
  const values = one.changes.flatMap((change) => change.values);
  return (
    <>
      {one.change_count > 1 && (
        <ul>
          {one.changes.map((change) => (
            <li key={JSON.stringify(change.repair)}>
              {cleanText(change.title)} <ObjectLink object={change.object} />
            </li>
          ))}
          {one.change_count > one.changes.length && (
            <li>and {counted(one.change_count - one.changes.length, 'more change')}</li>
          )}
        </ul>
      )}
      {values.length > 0 && (
        <ul>
          {values.map(({ object_id, name, property, now, wanted }) => (
            <li key={`${object_id} ${property}`}>
              <Name text={name} id={object_id} />: {property} is {cleanText(valueText(now)) || 'not set'},
              wanted {cleanText(valueText(wanted)) || 'empty'}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function Closed({ card }: { readonly card: CardRecord }) {
  if (card.closed_count === 0 && card.opened_count === 0) return null;
  return (
    <details>
      <summary>
        {counted(card.closed_count, 'finding')} {card.closed_count === 1 ? 'closes' : 'close'}
        {card.opened_count > 0 && `, ${counted(card.opened_count, 'new one opens', 'new ones open')}`}
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
            {finding.title}: {finding.source && <ObjectLink object={finding.source} />}{' '}
            <span aria-hidden="true">→</span> <ObjectLink object={finding.target} />
          </li>
        ))}
        {card.closed_count > card.closed.length && (
          <li>and {counted(card.closed_count - card.closed.length, 'more finding')}</li>
        )}
      </ul>
    </details>
  );
}

function Actions({ card }: { readonly card: CardRecord }) {
  const self = useSelf();
  const [dialog, setDialog] = useState<'accept' | 'constraint'>();
  const [added, setAdded] = useState(false);
  const object = card.packages[0]?.changes[0]?.object;
  const title = card.packages.map((one) => one.title).join('; ');
  const repairs = card.packages.flatMap(({ references }) => references);
  const isWhole = card.packages.every(({ references, change_count }) => references.length === change_count);
  return (
    <footer className="bar">
      {object !== undefined && (
        <Link className="button" href={pathTo('explore', { object: object.object_id })}>
          Show in the graph
        </Link>
      )}
      {isWhole && (
        <button
          type="button"
          disabled={added}
          onClick={() => {
            addToBasket({ repairs }, { title });
            setAdded(true);
          }}
        >
          {added ? 'In What if' : 'Add to What if'}
        </button>
      )}
      {self?.may('graphdb/Mutate') && (
        <button type="button" onClick={() => setDialog('constraint')}>
          We can't change this…
        </button>
      )}
      {self?.may('risks/ManageRisks') && card.closed_count > 0 && (
        <button type="button" onClick={() => setDialog('accept')}>
          Accept these findings …
        </button>
      )}
      {dialog === 'accept' && (
        <AcceptDialog about={title} of={{ closed: card.closed }} onClose={() => setDialog(undefined)} />
      )}
      {dialog === 'constraint' && <ConstraintDialog card={card} onClose={() => setDialog(undefined)} />}
    </footer>
  );
}
