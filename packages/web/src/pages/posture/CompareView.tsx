/** Compares two dates: exposure, findings, objects and relationships of each, and a drawing of the difference. */
import type { DifferenceRecord } from '@clew/api';
import { formatShare } from '@clew/model';
import { type ReactNode, useMemo } from 'react';
import type { Address } from '../../address.ts';
import { type Graph, plainEdge, plainNode } from '../../graph/model.ts';
import { Answer, Empty } from '../../parts/Answer.tsx';
import { Name } from '../../parts/Name.tsx';
import { NoData } from '../../parts/NoData.tsx';
import { ObjectLink } from '../../parts/ObjectLink.tsx';
import { PathDrawing } from '../../parts/PathDrawing.tsx';
import { type Column, Table } from '../../parts/Table.tsx';
import { useUploadAction } from '../../parts/uploadAction.ts';
import { useAnswer } from '../../service/queries.ts';
import { cleanText, shownValue } from '../../text/cleanText.ts';
import { counted, dayOf, formatCount, formatMoment, isTime } from '../../text/formats.ts';
import { Change } from './Change.tsx';
import { FindingChanges, Listed, relationText } from './ChangeParts.tsx';
import { knownExposure } from './knownExposure.ts';
import { DEFAULT_DAYS } from './times.ts';

const DAY_MS = 86_400_000;
const dayText = (time: number): string => new Date(time).toISOString().slice(0, 10);

/** `2026-11-01..2026-11-25` in the address; default: the last 30 days. */
function daysOf(address: Address): readonly [from: string, to: string] {
  const [from, to] = (address.get('compare') ?? '').split('..').map(dayOf);
  const last = to ?? dayText(Date.now());
  const first = from ?? dayText(Date.parse(last) - DEFAULT_DAYS * DAY_MS);
  return first <= last ? [first, last] : [last, first];
}

export function CompareView({ address }: { readonly address: Address }) {
  const [from, to] = daysOf(address);
  const zone = address.number('zone', 1) || 1;
  // The state at the end of each day, after all its analyses.
  const query = useAnswer(
    'GetDifference',
    {
      query: {
        since: `${from}T23:59:59.999999Z`,
        until: `${to}T23:59:59.999999Z`,
        asset_group_tag_id: zone,
        limit: MAX_LISTED,
      },
    },
    { keep: true },
  );
  const set = (days: readonly [string, string]) => address.set({ compare: days.join('..') });
  return (
    <>
      <div className="chips compare-days">
        <label className="choice">
          First date
          <input
            type="date"
            max={to}
            value={from}
            onChange={({ target }) => dayOf(target.value) && set([target.value, to])}
          />
        </label>
        <label className="choice">
          Second date
          <input
            type="date"
            min={from}
            value={to}
            onChange={({ target }) => dayOf(target.value) && set([from, target.value])}
          />
        </label>
      </div>
      <Answer query={query} what="the difference" lines={8}>
        {({ data }) => <Compared difference={data} environment={address.get('env')} />}
      </Answer>
    </>
  );
}

const EXAMPLE = '“Exposure 99.9% to 61.3%: 12 findings fewer, 3 relationships more”';

/** @param at time of the only analysis; without data, the time that means "never" */
function NoComparison({ at }: { readonly at: string }) {
  const upload = useUploadAction();
  if (!isTime(at))
    return <NoData example={EXAMPLE}>Two analyses are compared here, with the changes between them.</NoData>;
  return (
    <Empty title="Both dates have the same analysis" example={EXAMPLE} action={upload}>
      {`The analysis of ${formatMoment(at)} is the latest for both. Choose dates with analyses between them.`}
    </Empty>
  );
}

/** Maximum number of listed entries; the service counts all. */
const MAX_LISTED = 100;

interface ComparedProps {
  readonly difference: DifferenceRecord;
  readonly environment: string | undefined;
}

function Compared({ difference, environment }: ComparedProps) {
  const { from, to, objects, relations, settings, findings } = difference;
  if (!isTime(to.published_at) || from.generation === to.generation)
    return <NoComparison at={to.published_at} />;
  return (
    <>
      <p className="kicker">
        Analyses of {formatMoment(from.published_at)} and {formatMoment(to.published_at)}
        {!difference.reaches_back && ' (there is no older analysis)'}
      </p>
      <section className="card" aria-labelledby="compared-exposure">
        <h2 id="compared-exposure">Exposure</h2>
        <Exposures difference={difference} environment={environment} />
        {difference.not_shown.map(({ environment_id, environment_name, reason }) => (
          <p key={environment_id} className="quiet">
            <Name text={environment_name} id={environment_id} />: {cleanText(reason)}
          </p>
        ))}
      </section>
      <Drawing relations={relations} />
      <div className="compared">
        <Side
          title="Only at the first date"
          findings={findings.types
            .map((type) => ({ ...type, came_count: 0 }))
            .filter((type) => type.went_count > 0)}
          findingCount={findings.went_count}
          findingWord="resolved since"
          objects={objects.went.map(({ object_id, name }) => (
            <Name key={object_id} text={name} id={object_id} />
          ))}
          objectCount={objects.went_count}
          relations={relations.went}
          relationCount={relations.went_count}
        />
        <Side
          title="Only at the second date"
          findings={findings.types
            .map((type) => ({ ...type, went_count: 0 }))
            .filter((type) => type.came_count > 0)}
          findingCount={findings.came_count}
          findingWord="opened since"
          objects={objects.came.map((object) => <ObjectLink key={object.object_id} object={object} />)}
          objectCount={objects.came_count}
          relations={relations.came}
          relationCount={relations.came_count}
        />
      </div>
      {(settings.changed_count > 0 || objects.changed_count > 0) && (
        <section className="card" aria-labelledby="compared-values">
          <h2 id="compared-values">At both dates, with other values</h2>
          {settings.changed_count > 0 && <Settings settings={settings} />}
          <Listed
            title="Objects with other names"
            count={objects.changed_count}
            items={objects.changed.map((object) => (
              <span key={object.object_id}>
                <Name text={object.before.name} />, then <ObjectLink object={object} />
              </span>
            ))}
          />
        </section>
      )}
    </>
  );
}

function Exposures({ difference: { exposure }, environment }: ComparedProps) {
  type Row = DifferenceRecord['exposure'][number];
  const share = (value: number | null) => (value === null ? 'not known' : formatShare(value));
  const columns: Column<Row>[] = [
    {
      title: 'Environment',
      cell: ({ environment_name, environment_id }) => <Name text={environment_name} id={environment_id} />,
    },
    { title: 'First date', numeric: true, cell: ({ before }) => share(before) },
    { title: 'Second date', numeric: true, cell: ({ after }) => share(after) },
    {
      title: 'Change',
      numeric: true,
      cell: ({ before, after }) =>
        before === null || after === null ? '' : <Change by={after - before} isShare />,
    },
  ];
  const environments = useAnswer('GetPostureSummary', { query: {} }).data?.data.environments;
  const rows = knownExposure(exposure, environments ?? []).known.filter(
    ({ environment_id }) => environment === undefined || environment_id === environment,
  );
  if (rows.length === 0) return <p className="quiet">Unknown at both dates.</p>;
  return (
    <Table
      caption="Exposure at both dates"
      columns={columns}
      rows={rows}
      keyOf={({ environment_id }) => environment_id}
    />
  );
}

/** Maximum number of drawn relationships per side; the lists contain more. */
const MAX_DRAWN = 20;

function Drawing({ relations }: { readonly relations: DifferenceRecord['relations'] }) {
  const [came, went] = [relations.came.slice(0, MAX_DRAWN), relations.went.slice(0, MAX_DRAWN)];
  const graph = useMemo((): Graph => {
    const all = [...relations.came.slice(0, MAX_DRAWN), ...relations.went.slice(0, MAX_DRAWN)];
    const removed = new Set(relations.went);
    return {
      nodes: new Map(
        all
          .flatMap(({ source, target }) => [source, target])
          .map((object) => [object.object_id, plainNode(object)]),
      ),
      edges: all.map((relation) => ({
        ...plainEdge(relation.source.object_id, relation.kind, relation.target.object_id),
        ...(removed.has(relation) && { isGone: true }),
      })),
    };
  }, [relations]);
  const [first] = [...came, ...went];
  if (first === undefined) return null;
  const shown = came.length + went.length;
  const all = relations.came_count + relations.went_count;
  return (
    <section className="card" aria-labelledby="compared-graph">
      <h2 id="compared-graph">Changed relationships</h2>
      <p className="quiet">
        Solid lines exist only at the second date, dashed lines only at the first.
        {shown < all &&
          ` ${formatCount(shown)} of ${formatCount(all)} are drawn, collected relationships first.`}
      </p>
      <PathDrawing
        graph={graph}
        from={first.source.object_id}
        label={`Drawing of ${counted(came.length, 'new relationship')} and ${counted(went.length, 'removed one', 'removed ones')}`}
      />
    </section>
  );
}

/** Maximum number of initially listed finding types. */
const MAX_TYPES = 12;

interface SideProps {
  readonly title: string;
  readonly findings: DifferenceRecord['findings']['types'];
  readonly findingCount: number;
  readonly findingWord: string;
  readonly objects: readonly ReactNode[];
  readonly objectCount: number;
  readonly relations: DifferenceRecord['relations']['came'];
  readonly relationCount: number;
}

function Side(props: SideProps) {
  const { title, findings, findingCount, findingWord, objects, objectCount, relations, relationCount } =
    props;
  return (
    <section className="card" aria-label={title}>
      <h2>{title}</h2>
      <h3>
        {counted(findingCount, 'finding')} {findingWord}
      </h3>
      {findings.length > 0 && <FindingChanges types={findings.slice(0, MAX_TYPES)} />}
      {findings.length > MAX_TYPES && (
        <details>
          <summary>{counted(findings.length - MAX_TYPES, 'more type')}</summary>
          <FindingChanges types={findings.slice(MAX_TYPES)} />
        </details>
      )}
      <h3>{counted(objectCount, 'object')}</h3>
      <Listed title="Objects" count={objectCount} items={objects} />
      <h3>{counted(relationCount, 'relationship')}</h3>
      <Listed title="Relationships" count={relationCount} items={relations.map(relationText)} />
    </section>
  );
}

function Settings({ settings }: { readonly settings: DifferenceRecord['settings'] }) {
  type Row = DifferenceRecord['settings']['changed'][number];
  const columns: Column<Row>[] = [
    { title: 'Object', cell: (row) => <ObjectLink object={row} /> },
    { title: 'Setting', cell: ({ property }) => <code>{property}</code> },
    { title: 'First date', cell: ({ before }) => shownValue(before) || 'not known' },
    { title: 'Second date', cell: ({ after }) => shownValue(after) || 'not known' },
  ];
  return (
    <Table
      caption={`${counted(settings.changed_count, 'setting')} with other values`}
      columns={columns}
      rows={settings.changed}
      keyOf={({ object_id, property }) => `${object_id} ${property}`}
    />
  );
}
