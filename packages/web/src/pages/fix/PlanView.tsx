/** Repairs in the order in which they help, each with what it does to the exposure. */
import type { PlanRecord, PlanRepairRecord } from '@clew/api';
import { useState } from 'react';
import { Link } from 'wouter';
import { type Address, pathTo } from '../../address.ts';
import { Answer, Empty } from '../../parts/Answer.tsx';
import { ZoneChoice } from '../../parts/Choices.tsx';
import { Meter } from '../../parts/Meter.tsx';
import { Name } from '../../parts/Name.tsx';
import { ObjectLink } from '../../parts/ObjectLink.tsx';
import { saveText } from '../../parts/save.ts';
import { useAnswer } from '../../service/queries.ts';
import { useSelf } from '../../service/self.ts';
import { cleanText, valueText } from '../../text/cleanText.ts';
import { csvText } from '../../text/csv.ts';
import { counted, formatCount, formatShare } from '../../text/formats.ts';
import { addToBasket } from '../whatIf/basket.ts';
import { AcceptDialog } from './AcceptDialog.tsx';

const FIRST_REPAIRS = 5;
const MOST_REPAIRS = 50;

export function PlanView({ address }: { readonly address: Address }) {
  const zone = address.number('zone', 1) || 1;
  const limit = Math.min(address.number('limit', FIRST_REPAIRS), MOST_REPAIRS);
  const query = useAnswer('GetPlan', { query: { asset_group_tag_id: zone, limit } }, { keep: true });
  return (
    <>
      <div className="bar">
        <ZoneChoice address={address} />
        {query.data !== undefined && query.data.data.repairs.length > 0 && <Exports plan={query.data.data} />}
      </div>
      <Answer query={query} what="the plan" lines={6}>
        {({ data }) => <Plan plan={data} limit={limit} address={address} />}
      </Answer>
    </>
  );
}

function Plan({ plan, limit, address }: { plan: PlanRecord; limit: number; address: Address }) {
  if (plan.repairs.length === 0)
    return (
      <Empty title={plan.before.length === 0 ? 'Nothing to plan for' : 'No repair is needed'}>
        <p>
          {plan.before.length === 0
            ? 'The zone has no members in what was collected.'
            : 'No principal outside the zone comes to it by what was collected.'}{' '}
          <Link href={pathTo('fix', { view: 'findings' })}>All findings</Link> has what else can be tidied up.
        </p>
      </Empty>
    );
  const before = new Map(plan.before.map((entry) => [entry.environment_id, entry.exposure]));
  return (
    <>
      <p className="lead">
        {plan.before.map(({ environment_id, environment_name, exposure, exposed_count, principal_count }) => (
          <span key={environment_id}>
            In <Name text={environment_name} id={environment_id} />, {formatCount(exposed_count)} of{' '}
            {formatCount(principal_count)} principals ({formatShare(exposure)}) come to the zone.{' '}
          </span>
        ))}
        {plan.order === 'width' &&
          'So many ways lead there that no few repairs close them all: these take away what most of them run over.'}
      </p>
      <ol className="repairs">
        {plan.repairs.map((repair, index) => (
          <li key={JSON.stringify(repair.repair)}>
            <RepairCard repair={repair} number={index + 1} before={previous(plan, index, before)} />
          </li>
        ))}
      </ol>
      {plan.repairs.length >= limit && limit < MOST_REPAIRS && (
        <button
          type="button"
          onClick={() => address.set({ limit: Math.min(limit * 2, MOST_REPAIRS) }, { replace: true })}
        >
          More repairs
        </button>
      )}
    </>
  );
}

/** Exposures before a repair: after all that stand before it. */
function previous(
  plan: PlanRecord,
  index: number,
  before: ReadonlyMap<string, number>,
): ReadonlyMap<string, number> {
  if (index === 0) return before;
  return new Map(plan.repairs[index - 1].exposure.map((entry) => [entry.environment_id, entry.exposure]));
}

function RepairCard({
  repair,
  number,
  before,
}: {
  readonly repair: PlanRepairRecord;
  readonly number: number;
  readonly before: ReadonlyMap<string, number>;
}) {
  const self = useSelf();
  const [accepting, setAccepting] = useState(false);
  const [added, setAdded] = useState(false);
  const closed = repair.closed_count;
  return (
    <article className="card repair" aria-labelledby={`repair-${number}`}>
      <header>
        <span className="number" aria-hidden="true">
          {number}
        </span>
        <div>
          <h2 id={`repair-${number}`}>{cleanText(repair.title)}</h2>
          <p>
            <ObjectLink object={repair.object} />
            {repair.principal && (
              <>
                {' '}
                for <ObjectLink object={repair.principal} />
              </>
            )}
          </p>
        </div>
      </header>
      <div className="meters">
        {repair.exposure.map(({ environment_id, environment_name, exposure }) => (
          <Meter
            key={environment_id}
            label={cleanText(environment_name)}
            before={before.get(environment_id) ?? exposure}
            after={exposure}
          />
        ))}
      </div>
      <dl className="facts">
        <dt>Change</dt>
        <dd>{cleanText(repair.change)}</dd>
        {repair.is_inherited && repair.inherited_from !== null && (
          <>
            <dt>Where</dt>
            <dd>
              The entry is inherited from <ObjectLink object={repair.inherited_from} />: change it there.
            </dd>
          </>
        )}
        <dt>Then check</dt>
        <dd>{cleanText(repair.check)}</dd>
        <dt>Risk</dt>
        <dd>{cleanText(repair.risk)}</dd>
      </dl>
      {repair.values.length > 0 && (
        <details>
          <summary>{counted(repair.change_count, 'value')} to change</summary>
          <ul>
            {repair.values.map(({ object_id, name, property, now, wanted }) => (
              <li key={`${object_id} ${property}`}>
                <Name text={name} id={object_id} />: {property} is {cleanText(valueText(now)) || 'not set'},
                wanted {cleanText(valueText(wanted)) || 'empty'}
              </li>
            ))}
          </ul>
        </details>
      )}
      {repair.affected_holders.length > 0 && (
        <details>
          <summary>
            {repair.affected_count === null
              ? 'Principals that lose something'
              : `${counted(repair.affected_count, 'principal loses', 'principals lose')} something`}
          </summary>
          <ul>
            {repair.affected_holders.map((holder) => (
              <li key={holder.object_id}>
                <ObjectLink object={holder} />
              </li>
            ))}
          </ul>
        </details>
      )}
      <details>
        <summary>
          {counted(closed, 'finding')} closed
          {repair.opened_count > 0 && `, ${counted(repair.opened_count, 'new one')}`}
        </summary>
        <ul>
          {repair.closed.map((finding) => (
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
          {closed > repair.closed.length && (
            <li>and {counted(closed - repair.closed.length, 'more finding')}</li>
          )}
        </ul>
      </details>
      <footer className="bar">
        <Link className="button" href={pathTo('explore', { object: repair.object.object_id })}>
          Show in the graph
        </Link>
        <button
          type="button"
          disabled={added}
          onClick={() => {
            addToBasket({ repairs: [repair.repair] }, { title: repair.title });
            setAdded(true);
          }}
        >
          {added ? 'In What if' : 'Add to What if'}
        </button>
        {self?.may('risks/ManageRisks') && closed > 0 && (
          <button type="button" onClick={() => setAccepting(true)}>
            Accept these findings …
          </button>
        )}
      </footer>
      {accepting && (
        <AcceptDialog
          about={repair.title}
          of={{ closed: repair.closed }}
          onClose={() => setAccepting(false)}
        />
      )}
    </article>
  );
}

function Exports({ plan }: { readonly plan: PlanRecord }) {
  return (
    <span className="exports">
      <button
        type="button"
        onClick={() => saveText('clew-plan.json', `${JSON.stringify(plan, null, 2)}\n`, 'application/json')}
      >
        Export JSON
      </button>
      <button type="button" onClick={() => saveText('clew-plan.csv', planCsv(plan), 'text/csv')}>
        Export CSV
      </button>
      <button type="button" onClick={() => print()}>
        Print
      </button>
    </span>
  );
}

const planCsv = (plan: PlanRecord): string =>
  csvText(
    [
      'number',
      'title',
      'object',
      'object_id',
      'change',
      'check',
      'risk',
      'findings_closed',
      'exposure_after',
    ],
    plan.repairs.map((repair, index) => [
      index + 1,
      repair.title,
      repair.object.name,
      repair.object.object_id,
      repair.change,
      repair.check,
      repair.risk,
      repair.closed_count,
      repair.exposure
        .map(({ environment_name, exposure }) => `${environment_name} ${formatShare(exposure)}`)
        .join('; '),
    ]),
  );
