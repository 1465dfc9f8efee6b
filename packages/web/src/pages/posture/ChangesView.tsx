/** Changes since a time, and those that affected the exposure. */
import type { DifferenceRecord } from '@clew/api';
import { formatShare, principalsText } from '@clew/model';
import type { Static } from 'typebox';
import type { Address } from '../../address.ts';
import { KindPhrases } from '../../edges/KindPhrases.tsx';
import { Answer, Empty } from '../../parts/Answer.tsx';
import { Name } from '../../parts/Name.tsx';
import { NoData } from '../../parts/NoData.tsx';
import { ObjectLink } from '../../parts/ObjectLink.tsx';
import { saveJson } from '../../parts/save.ts';
import { type Column, Table } from '../../parts/Table.tsx';
import { useAnswer } from '../../service/queries.ts';
import { cleanText, shownValue } from '../../text/cleanText.ts';
import { counted, formatCount, formatMoment, isTime } from '../../text/formats.ts';
import { Change } from './Change.tsx';
import { FindingChanges, Listed, Part, relationText } from './ChangeParts.tsx';
import { Inbox } from './Inbox.tsx';
import { knownExposure } from './knownExposure.ts';
import { MarkRead } from './MarkRead.tsx';
import { noAnalysisText, useBeginning } from './times.ts';
import type { ReadState } from './useRead.ts';

type Difference = Static<typeof DifferenceRecord>;

interface ChangesViewProps {
  readonly address: Address;
  readonly state: ReadState;
}

export function ChangesView({ address, state }: ChangesViewProps) {
  const since = useBeginning(address, state.read);
  const zone = address.number('zone', 1) || 1;
  const query = useAnswer(
    'GetDifference',
    { query: { since, asset_group_tag_id: zone, limit: 100 } },
    { keep: true },
  );
  return (
    <Answer query={query} what="what changed" lines={8}>
      {({ data }) => <Changes difference={data} since={since} state={state} address={address} />}
    </Answer>
  );
}

interface ChangesProps {
  readonly difference: Difference;
  readonly since: string;
  readonly state: ReadState;
  readonly address: Address;
}

function Changes({ difference, since, state, address }: ChangesProps) {
  const { from, to, findings } = difference;
  if (!isTime(to.published_at))
    return (
      <NoData example="“Exposure 99.9% to 61.3%, because SVC_SYNC lost its right on the domain”">
        Changes and their causes appear after the second analysis.
      </NoData>
    );
  if (from.generation === to.generation) {
    const none = noAnalysisText(since, to.published_at);
    return (
      <Inbox
        since={since}
        address={address}
        before={
          <div className="with-period">
            <p className="lead">
              {none !== undefined
                ? `${none} The rows below appeared after it.`
                : `There is one analysis in this period, from ${formatMoment(to.published_at)}. Exposure and totals are compared from the second analysis on; the rows below appeared with it or after it.`}
            </p>
            <MarkRead state={state} />
          </div>
        }
        nothing={
          <Empty title={`Nothing changed since ${formatMoment(to.published_at)}`}>
            <p>
              {none !== undefined
                ? `${none} Changes appear after the next analysis.`
                : 'There is one analysis in this period. Changes appear after the second.'}
            </p>
          </Empty>
        }
      />
    );
  }
  return (
    <>
      <section className="hero" aria-label="What changed">
        <div>
          <p className="kicker">
            From {formatMoment(from.published_at)} to {formatMoment(to.published_at)}
            {!difference.reaches_back && ' (there is no older analysis)'}
          </p>
          <p className="one-number">
            {formatCount(findings.came_count)}{' '}
            <small>{findings.came_count === 1 ? 'new finding' : 'new findings'}</small>
          </p>
          <p className="lead">
            {counted(findings.went_count, 'finding')} resolved. <Causes causes={findings.causes} />
          </p>
          {findings.because.map((text) => (
            <p key={text} className="quiet">
              Reason: {cleanText(text)}.
            </p>
          ))}
        </div>
        <div className="chips">
          <MarkRead state={state} />
          <button type="button" onClick={() => saveJson('clew-changes.json', difference)}>
            Export JSON
          </button>
        </div>
      </section>
      <Inbox since={since} address={address} newCount={findings.came_count} />
      <div className="posture">
        <section className="card wide" aria-labelledby="changed-types">
          <h2 id="changed-types">Opened and resolved</h2>
          <FindingChanges types={findings.types} />
        </section>
        <ExposureChanges difference={difference} />
      </div>
      <section className="card">
        <h2>Changes that affected exposure</h2>
        <WhatMovedIt difference={difference} />
      </section>
      <Totals difference={difference} />
    </>
  );
}

interface DifferenceProps {
  readonly difference: Difference;
}

function ExposureChanges({ difference }: DifferenceProps) {
  const environments = useAnswer('GetPostureSummary', { query: {} }).data?.data.environments;
  const { known, unread } = knownExposure(difference.exposure, environments ?? []);
  return (
    <section className="card" aria-labelledby="changed-exposure">
      <h2 id="changed-exposure">Exposure</h2>
      <ul className="pairs">
        {known.map(({ environment_id, environment_name, before, after }) => (
          <li key={environment_id}>
            <Name text={environment_name} id={environment_id} />
            <span>
              {before === null || after === null ? (
                'not known at both times'
              ) : (
                <>
                  {formatShare(before)} → <strong>{formatShare(after)}</strong>{' '}
                  <Change by={after - before} isShare />
                </>
              )}
            </span>
          </li>
        ))}
      </ul>
      {unread.map(({ environment_id, environment_name }) => (
        <p key={environment_id} className="quiet">
          <Name text={environment_name} id={environment_id} />: not collected
        </p>
      ))}
      {difference.not_shown.map(({ environment_id, environment_name, reason }) => (
        <p key={environment_id} className="quiet">
          <Name text={environment_name} id={environment_id} />: {cleanText(reason)}
        </p>
      ))}
    </section>
  );
}

/** Counts of changed objects, relationships and settings. */
function Totals({ difference: { objects, relations, settings } }: DifferenceProps) {
  return (
    <>
      <Part title="Objects" came={objects.came_count} went={objects.went_count}>
        <Listed
          title="New"
          count={objects.came_count}
          items={objects.came.map((object) => <ObjectLink key={object.object_id} object={object} />)}
        />
        <Listed
          title="Removed"
          count={objects.went_count}
          items={objects.went.map(({ object_id, name }) => (
            <Name key={object_id} text={name} id={object_id} />
          ))}
        />
        <Listed
          title="Changed"
          count={objects.changed_count}
          items={objects.changed.map((object) => (
            <span key={object.object_id}>
              <ObjectLink object={object} /> was <Name text={object.before.name} />
            </span>
          ))}
        />
      </Part>
      <Part title="Relationships" came={relations.came_count} went={relations.went_count}>
        <ul className="pairs">
          {relations.kinds.map(({ kind, came_count, went_count }) => (
            <li key={kind}>
              <span>{kind}</span>
              <span>
                {formatCount(came_count)} new, {formatCount(went_count)} removed
              </span>
            </li>
          ))}
        </ul>
        <Listed title="New" count={relations.came_count} items={relations.came.map(relationText)} />
        <Listed title="Removed" count={relations.went_count} items={relations.went.map(relationText)} />
      </Part>
      {settings.changed_count > 0 && (
        <section className="card">
          <h2>{counted(settings.changed_count, 'setting')} changed</h2>
          <ul>
            {settings.changed.map((setting) => (
              <li key={`${setting.object_id} ${setting.property}`}>
                <ObjectLink object={setting} />: <code>{setting.property}</code> was{' '}
                {shownValue(setting.before) || 'not known'}, is {shownValue(setting.after) || 'not known'}
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

/** Whether the data changed, or the rules. */
function Causes({ causes }: { readonly causes: Difference['findings']['causes'] }) {
  const parts = (
    [
      [causes.rules, 'because the rules changed'],
      [causes.zones, 'because zones were edited'],
      [causes.answers, 'because of answers about certification authorities'],
      [causes.several, 'for several reasons at once'],
    ] as const
  )
    .map(([{ came_count, went_count }, words]) => [came_count + went_count, words] as const)
    .filter(([count]) => count > 0)
    .map(([count, words]) => `${formatCount(count)} of these changes happened ${words}`);
  if (causes.acceptance.accepted_count > 0)
    parts.push(`${counted(causes.acceptance.accepted_count, 'finding')} accepted`);
  return <>{parts.length > 0 && `${parts.join('; ')}.`}</>;
}

function WhatMovedIt({ difference }: { readonly difference: Difference }) {
  const { moved_by: moved, came_together: came, went_together: went } = difference;
  if (came === null || went === null)
    return <p className="quiet">The causes cover environments outside your access.</p>;
  return (
    <>
      {moved.length === 0 ? (
        <p className="quiet">No single relationship moved it.</p>
      ) : (
        <MovedBy moved={moved} />
      )}
      <p className="quiet">
        {principalsText(came)} can reach the zone only because of all new relationships together;{' '}
        {principalsText(went)} could reach it again if all removed relationships returned.
      </p>
    </>
  );
}

function MovedBy({ moved }: { readonly moved: Difference['moved_by'] }) {
  const columns: Column<Difference['moved_by'][number]>[] = [
    { title: 'Change', cell: ({ change }) => (change === 'came' ? 'New: worse' : 'Removed: better') },
    { title: 'From', cell: ({ source }) => <ObjectLink object={source} /> },
    { title: 'Relationship', cell: ({ kinds }) => <KindPhrases kinds={kinds} hasNames /> },
    { title: 'To', cell: ({ target }) => <ObjectLink object={target} /> },
    { title: 'Principals', numeric: true, cell: ({ principal_count }) => formatCount(principal_count) },
    {
      title: 'Cause',
      cell: ({ because }) => because.map(relationText).flatMap((one, at) => (at === 0 ? [one] : ['; ', one])),
    },
  ];
  return (
    <Table
      caption="Changes that affected exposure"
      columns={columns}
      rows={moved}
      keyOf={({ change, source, target }) => JSON.stringify([change, source.object_id, target.object_id])}
    />
  );
}
