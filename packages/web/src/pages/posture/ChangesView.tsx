/** What changed since a time, and what of it moved the exposure. */
import type { DifferenceRecord } from '@clew/api';
import type { ReactNode } from 'react';
import type { Static } from 'typebox';
import type { Address } from '../../address.ts';
import { Answer, Empty } from '../../parts/Answer.tsx';
import { Meter } from '../../parts/Meter.tsx';
import { Name } from '../../parts/Name.tsx';
import { ObjectLink } from '../../parts/ObjectLink.tsx';
import { saveText } from '../../parts/save.ts';
import { type Column, Table } from '../../parts/Table.tsx';
import { useAnswer } from '../../service/queries.ts';
import { cleanText, valueText } from '../../text/cleanText.ts';
import { counted, formatCount, formatMoment } from '../../text/formats.ts';
import { useBeginning } from './times.ts';

type Difference = Static<typeof DifferenceRecord>;

export function ChangesView({ address }: { readonly address: Address }) {
  const since = useBeginning(address);
  const zone = address.number('zone', 1) || 1;
  const query = useAnswer(
    'GetDifference',
    { query: { since, asset_group_tag_id: zone, limit: 100 } },
    { keep: true },
  );
  return (
    <Answer query={query} what="what changed" lines={8}>
      {({ data }) => <Changes difference={data} />}
    </Answer>
  );
}

function Changes({ difference }: { readonly difference: Difference }) {
  const { from, to, objects, relations, findings, settings, exposure } = difference;
  if (from.generation === to.generation)
    return (
      <Empty title="There is one analysis in this time">
        <p>What changed shows when there is a second one.</p>
      </Empty>
    );
  return (
    <>
      <p className="bar">
        <span>
          From {formatMoment(from.published_at)} to {formatMoment(to.published_at)}
          {!difference.reaches_back && ' (nothing older is known)'}
        </span>
        <button
          type="button"
          onClick={() =>
            saveText('clew-changes.json', `${JSON.stringify(difference, null, 2)}\n`, 'application/json')
          }
        >
          Export JSON
        </button>
      </p>
      <section className="card">
        <h2>Exposure</h2>
        <div className="meters">
          {exposure.map(({ environment_id, environment_name, before, after }) =>
            before === null || after === null ? (
              <p key={environment_id}>
                <Name text={environment_name} id={environment_id} />: not known at both times
              </p>
            ) : (
              <Meter key={environment_id} label={cleanText(environment_name)} before={before} after={after} />
            ),
          )}
        </div>
        {difference.moved_by.length === 0 ? (
          <p className="quiet">No single relation moved it.</p>
        ) : (
          <MovedBy moved={difference.moved_by} />
        )}
        <p className="quiet">
          {counted(difference.came_together, 'user or computer', 'users and computers')} can reach the zone
          only because of all that came together;{' '}
          {counted(difference.went_together, 'user or computer', 'users and computers')} could reach it again
          if all was back that went.
        </p>
      </section>
      <Part title="Findings" came={findings.came_count} went={findings.went_count}>
        <ul>
          {findings.types.map(({ finding, title, came_count, went_count }) => (
            <li key={finding}>
              {title}: {formatCount(came_count)} came, {formatCount(went_count)} went
            </li>
          ))}
        </ul>
      </Part>
      <Part title="Objects" came={objects.came_count} went={objects.went_count}>
        <Listed
          title="Came"
          items={objects.came.map((object) => <ObjectLink key={object.object_id} object={object} />)}
        />
        <Listed
          title="Went"
          items={objects.went.map(({ object_id, name }) => (
            <Name key={object_id} text={name} id={object_id} />
          ))}
        />
        <Listed
          title="Changed"
          items={objects.changed.map((object) => (
            <span key={object.object_id}>
              <ObjectLink object={object} /> was <Name text={object.before.name} />
            </span>
          ))}
        />
      </Part>
      <Part title="Relations" came={relations.came_count} went={relations.went_count}>
        <ul>
          {relations.kinds.map(({ kind, came_count, went_count }) => (
            <li key={kind}>
              {kind}: {formatCount(came_count)} came, {formatCount(went_count)} went
            </li>
          ))}
        </ul>
        <Listed title="Came" items={relations.came.map(relationText)} />
        <Listed title="Went" items={relations.went.map(relationText)} />
      </Part>
      {settings.changed_count > 0 && (
        <section className="card">
          <h2>{counted(settings.changed_count, 'setting')} changed</h2>
          <ul>
            {settings.changed.map((setting) => (
              <li key={`${setting.object_id} ${setting.property}`}>
                <ObjectLink object={setting} />: {setting.property} was{' '}
                {cleanText(valueText(setting.before)) || 'not known'}, is{' '}
                {cleanText(valueText(setting.after)) || 'not known'}
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

const relationText = ({ source, kind, target, is_derived }: Difference['relations']['came'][number]) => (
  <span key={JSON.stringify([source.object_id, kind, target.object_id])}>
    <Name text={source.name} id={source.object_id} /> –{kind}→{' '}
    <Name text={target.name} id={target.object_id} />
    {is_derived && <span className="quiet"> (follows from others)</span>}
  </span>
);

function MovedBy({ moved }: { readonly moved: Difference['moved_by'] }) {
  const columns: Column<Difference['moved_by'][number]>[] = [
    { title: 'Change', cell: ({ change }) => (change === 'came' ? 'came: worse' : 'went: better') },
    { title: 'From', cell: ({ source }) => <ObjectLink object={source} /> },
    { title: 'Relation', cell: ({ kinds }) => kinds.join(', ') },
    { title: 'To', cell: ({ target }) => <ObjectLink object={target} /> },
    { title: 'Principals', numeric: true, cell: ({ principal_count }) => formatCount(principal_count) },
    {
      title: 'Because of',
      cell: ({ because }) => because.map(relationText).flatMap((one, at) => (at === 0 ? [one] : ['; ', one])),
    },
  ];
  return (
    <Table
      caption="What moved the exposure"
      columns={columns}
      rows={moved}
      keyOf={({ change, source, target }) => JSON.stringify([change, source.object_id, target.object_id])}
    />
  );
}

function Part({
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
        {title}: {formatCount(came)} came, {formatCount(went)} went
      </h2>
      {came + went > 0 && children}
    </section>
  );
}

function Listed({ title, items }: { readonly title: string; readonly items: readonly ReactNode[] }) {
  if (items.length === 0) return null;
  return (
    <details>
      <summary>
        {title} <span className="quiet">{items.length} shown</span>
      </summary>
      <ul>
        {items.map((item, at) => (
          <li key={`${at + 1}`}>{item}</li>
        ))}
      </ul>
    </details>
  );
}
