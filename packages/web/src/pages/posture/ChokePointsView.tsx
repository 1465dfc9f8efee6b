/** Objects on every attack path of most principals: a cut there cuts all these paths. */

import type { ChokePointsRecord } from '@clew/api';
import { formatShare, reachSentence } from '@clew/model';
import { useState } from 'react';
import type { Address } from '../../address.ts';
import { KindPhrases } from '../../edges/KindPhrases.tsx';
import { AddToWhatIf } from '../../parts/AddToWhatIf.tsx';
import { Answer, Empty } from '../../parts/Answer.tsx';
import { NoData } from '../../parts/NoData.tsx';
import { ObjectLink } from '../../parts/ObjectLink.tsx';
import { type Column, Table } from '../../parts/Table.tsx';
import { useAnswer } from '../../service/queries.ts';
import { cleanText } from '../../text/cleanText.ts';
import { counted, formatCount } from '../../text/formats.ts';

export function ChokePointsView({ address }: { readonly address: Address }) {
  const zone = address.number('zone', 1) || 1;
  const query = useAnswer(
    'GetChokePoints',
    { query: { asset_group_tag_id: zone, limit: 50 } },
    { keep: true },
  );
  return (
    <Answer query={query} what="the choke points" lines={8}>
      {({ data }) => <ChokePoints points={data} />}
    </Answer>
  );
}

function NoPaths() {
  const environments = useAnswer('GetAvailableDomains').data?.data;
  if (environments === undefined) return null;
  if (!environments.some(({ collected }) => collected))
    return (
      <NoData example="“DOMAIN USERS: 414 of 1,226 users and computers pass through it”">
        Objects and relationships on most attack paths are listed here.
      </NoData>
    );
  return (
    <Empty
      title="No user or computer can reach the zone"
      action={{ words: 'Check data coverage', href: '/data' }}
    >
      So its paths have no choke points.
    </Empty>
  );
}

function ChokePoints({
  points: { exposed_count, objects, relations, not_shown },
}: {
  readonly points: ChokePointsRecord;
}) {
  const [all, setAll] = useState(false);
  const notShown = not_shown.map(({ environment_name }) => cleanText(environment_name));
  const reach = reachSentence(exposed_count, notShown);
  if (exposed_count === 0 && notShown.length > 0) return <p className="lead">{reach}</p>;
  if (exposed_count === 0) return <NoPaths />;
  // Choke points of a single user have little effect, so they come last, and only on request.
  const many = relations.filter(({ principal_count }) => principal_count > 1);
  const part = (count: number) => formatShare(count / exposed_count);
  const relationColumns: Column<(typeof relations)[number]>[] = [
    { title: 'From', cell: ({ source }) => <ObjectLink object={source} /> },
    { title: 'Relationship', cell: ({ kinds }) => <KindPhrases kinds={kinds} hasNames /> },
    { title: 'To', cell: ({ target }) => <ObjectLink object={target} /> },
    { title: 'Principals', numeric: true, cell: ({ principal_count }) => formatCount(principal_count) },
    { title: 'Share', numeric: true, cell: ({ principal_count }) => part(principal_count) },
    {
      title: 'Try',
      cell: ({ source, kinds, target }) => (
        <AddToWhatIf
          request={{
            remove: kinds.map((kind) => ({ source_id: source.object_id, kind, target_id: target.object_id })),
          }}
          title={`Remove ${kinds.join(', ')} on ${target.name} from ${source.name}`}
        />
      ),
    },
  ];
  const objectColumns: Column<(typeof objects)[number]>[] = [
    { title: 'Object', cell: ({ object }) => <ObjectLink object={object} /> },
    { title: 'Principals', numeric: true, cell: ({ principal_count }) => formatCount(principal_count) },
    { title: 'Share', numeric: true, cell: ({ principal_count }) => part(principal_count) },
  ];
  return (
    <>
      <p className="lead">
        {reach} Each row is on every attack path of the counted principals: without it, they have no path.
      </p>
      <h2>Relationships</h2>
      {relations.length === 0 ? (
        <p className="quiet">
          No relationship is on every path of a principal: each principal has several paths.
        </p>
      ) : !all && many.length === 0 ? (
        <p className="quiet">
          No single relationship cuts off several users or computers. Fix first has sets of changes that do.
        </p>
      ) : (
        <Table
          caption="Relationships"
          columns={relationColumns}
          rows={all ? relations : many}
          keyOf={({ source, target }) => JSON.stringify([source.object_id, target.object_id])}
        />
      )}
      {many.length < relations.length && (
        <p className="quiet">
          {counted(relations.length - many.length, 'more relationship')} of one user or computer alone.{' '}
          <button type="button" className="plain" aria-expanded={all} onClick={() => setAll(!all)}>
            {all ? 'Hide them' : 'Show them'}
          </button>
        </p>
      )}
      <h2>Objects</h2>
      {objects.length === 0 ? (
        <p className="quiet">No object is on every path of any other principal.</p>
      ) : (
        <Table
          caption="Objects"
          columns={objectColumns}
          rows={objects}
          keyOf={({ object }) => object.object_id}
        />
      )}
    </>
  );
}
