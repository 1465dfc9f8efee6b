/** Zones and labels: the protected objects, their selectors, and the order of zones. */
import { useCallback, useState } from 'react';
import { Link } from 'wouter';
import { type Address, pathTo } from '../../address.ts';
import { Answer } from '../../parts/Answer.tsx';
import { Name } from '../../parts/Name.tsx';
import { type Column, Table } from '../../parts/Table.tsx';
import { call } from '../../service/client.ts';
import { describeError, useAnswer, useChange } from '../../service/queries.ts';
import { useSelf } from '../../service/self.ts';
import { cleanText } from '../../text/cleanText.ts';
import { formatCount } from '../../text/formats.ts';
import { PartHead } from './PartHead.tsx';
import { ZoneDialog } from './ZoneDialog.tsx';
import { ZoneHistory } from './ZoneHistory.tsx';
import { ZoneView } from './ZoneView.tsx';
import { LABEL, TIER_ZERO, TOUCHED, ZONE } from './zoneParts.ts';

export function ZonesView({ address }: { readonly address: Address }) {
  const self = useSelf();
  const query = useAnswer('GetAssetGroupTags', { query: { counts: true } });
  const chosen = address.number('tag', TIER_ZERO);
  const [adding, setAdding] = useState(false);
  const add = useCallback(() => setAdding(true), []);
  const mayWrite = self?.may('graphdb/Write') ?? false;
  const move = useChange(
    ({ id, position }: { readonly id: number; readonly position: number }) =>
      call('UpdateAssetGroupTag', { params: { asset_group_tag_id: id }, body: { position } }),
    { touched: TOUCHED },
  );
  type Tag = NonNullable<typeof query.data>['data']['tags'][number];
  const tags = query.data?.data.tags ?? [];
  const lowest = Math.max(0, ...tags.map(({ position }) => position ?? 0));
  const columns: Column<Tag>[] = [
    {
      title: 'Name',
      cell: ({ id, name }) => (
        <button
          type="button"
          className="plain"
          aria-pressed={id === chosen}
          onClick={() => address.set({ tag: id, skip: undefined })}
        >
          <Name text={name} />
        </button>
      ),
    },
    {
      title: 'Type',
      cell: ({ type, position }) =>
        type === ZONE ? `zone ${position ?? ''}` : type === LABEL ? 'label' : 'owned',
    },
    { title: 'Objects', numeric: true, cell: ({ counts }) => formatCount(counts?.members ?? 0) },
    { title: 'Selectors', numeric: true, cell: ({ counts }) => formatCount(counts?.selectors ?? 0) },
    {
      title: 'Certified',
      cell: ({ id, require_certify }) => (require_certify ? <Certified zone={id} /> : 'not required'),
    },
    { title: 'Description', grows: true, cell: ({ description }) => <Name text={description || '–'} /> },
    ...(mayWrite && lowest > 2
      ? [
          {
            title: 'Order',
            // Tier Zero always comes first.
            cell: ({ id, name, position }: Tag) =>
              position === null || position < 2 ? (
                ''
              ) : (
                <span className="nowrap">
                  <button
                    type="button"
                    aria-label={`Move ${cleanText(name)} up`}
                    disabled={position === 2 || move.isPending}
                    onClick={() => move.mutate({ id, position: position - 1 })}
                  >
                    <span aria-hidden="true">↑</span>
                  </button>{' '}
                  <button
                    type="button"
                    aria-label={`Move ${cleanText(name)} down`}
                    disabled={position === lowest || move.isPending}
                    onClick={() => move.mutate({ id, position: position + 1 })}
                  >
                    <span aria-hidden="true">↓</span>
                  </button>
                </span>
              ),
          },
        ]
      : []),
  ];
  const tag = tags.find(({ id }) => id === chosen);
  return (
    <>
      <PartHead title="Zones and labels" views="zones" words={mayWrite ? 'New zone…' : undefined} onAdd={add}>
        <p className="quiet">
          Clew looks for attack paths to the members of each zone. A label only marks objects.
        </p>
      </PartHead>
      {move.isError && (
        <p className="failure" role="alert">
          {describeError(move.error).text}
        </p>
      )}
      <Answer query={query} what="the zones" lines={4}>
        {({ data }) => (
          <Table
            caption="Zones and labels"
            columns={columns}
            rows={inOrder(data.tags)}
            keyOf={({ id }) => id}
            isSelected={({ id }) => id === chosen}
          />
        )}
      </Answer>
      {tag !== undefined && <ZoneView key={tag.id} tag={tag} address={address} mayWrite={mayWrite} />}
      <ZoneHistory address={address} />
      {adding && <ZoneDialog onClose={() => setAdding(false)} />}
    </>
  );
}

/** Number of members of a zone certified by a user or a selector, with a link to the others. */
function Certified({ zone }: { readonly zone: number }) {
  const of = `eq:${zone}`;
  const all = useCertifications({ asset_group_tag_id: of });
  const pending = useCertifications({ asset_group_tag_id: of, certified: 'eq:0' });
  const revoked = useCertifications({ asset_group_tag_id: of, certified: 'eq:1' });
  if (all === undefined || pending === undefined || revoked === undefined) return null;
  return (
    <Link href={pathTo('admin', { view: 'certification', tag: zone })}>
      {formatCount(all - pending - revoked)} of {formatCount(all)}
    </Link>
  );
}

/** @returns the number of certifications; `undefined` until the answer arrives */
const useCertifications = (filter: {
  readonly asset_group_tag_id: string;
  readonly certified?: string;
}): number | undefined =>
  useAnswer('GetAssetGroupTagsCertifications', { query: { ...filter, limit: 1 } }).data?.count;

/** Zones sorted by position, followed by all others. */
const inOrder = <Tag extends { readonly position: number | null }>(tags: readonly Tag[]): readonly Tag[] =>
  [...tags].sort((a, b) => (a.position ?? Infinity) - (b.position ?? Infinity) || 0);
