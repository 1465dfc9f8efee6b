/** Objects that every attack path of most principals runs through: cutting there cuts them all. */

import type { ChokePointsRecord } from '@clew/api';
import { formatShare } from '@clew/model';
import type { Address } from '../../address.ts';
import { AddToWhatIf } from '../../parts/AddToWhatIf.tsx';
import { Answer, Empty } from '../../parts/Answer.tsx';
import { ObjectLink } from '../../parts/ObjectLink.tsx';
import { type Column, Table } from '../../parts/Table.tsx';
import { useAnswer } from '../../service/queries.ts';
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

function ChokePoints({
  points: { exposed_count, objects, relations },
}: {
  readonly points: ChokePointsRecord;
}) {
  if (exposed_count === 0)
    return (
      <Empty title="No user or computer can reach the zone">
        <p>So there is nothing that its paths run through.</p>
      </Empty>
    );
  const part = (count: number) => formatShare(count / exposed_count);
  const relationColumns: Column<(typeof relations)[number]>[] = [
    { title: 'From', cell: ({ source }) => <ObjectLink object={source} /> },
    { title: 'Relationship', cell: ({ kinds }) => kinds.join(', ') },
    { title: 'To', cell: ({ target }) => <ObjectLink object={target} /> },
    { title: 'Principals', numeric: true, cell: ({ principal_count }) => formatCount(principal_count) },
    { title: 'Part', numeric: true, cell: ({ principal_count }) => part(principal_count) },
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
    { title: 'Part', numeric: true, cell: ({ principal_count }) => part(principal_count) },
  ];
  return (
    <>
      <p className="lead">
        {counted(exposed_count, 'user or computer', 'users and computers')} can reach the zone. Every path of
        so many of them runs through:
      </p>
      <h2>Relationships</h2>
      {relations.length === 0 ? (
        <p className="quiet">No relationship is on every path of a principal: each has several paths.</p>
      ) : (
        <Table
          caption="Relationships"
          columns={relationColumns}
          rows={relations}
          keyOf={({ source, target }) => JSON.stringify([source.object_id, target.object_id])}
        />
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
