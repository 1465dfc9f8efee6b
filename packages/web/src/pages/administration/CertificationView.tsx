/** Members of zones that a user has to certify. */
import type { Certification } from '@clew/api';
import { useState } from 'react';
import { type Address, pathTo } from '../../address.ts';
import { Empty } from '../../parts/Answer.tsx';
import { FilteredList } from '../../parts/FilteredList.tsx';
import { FormDialog } from '../../parts/FormDialog.tsx';
import { Name } from '../../parts/Name.tsx';
import { ObjectLink } from '../../parts/ObjectLink.tsx';
import { PagedList, pageIn } from '../../parts/PagedList.tsx';
import type { Column } from '../../parts/Table.tsx';
import { call } from '../../service/client.ts';
import { useAnswer } from '../../service/queries.ts';
import { useSelf } from '../../service/self.ts';
import { cleanText } from '../../text/cleanText.ts';
import { counted, formatMoment } from '../../text/formats.ts';
import { Choice } from '../findings/FindingsView.tsx';
import { PartHead } from './PartHead.tsx';

const PAGE = 50;
const STATES = ['Pending', 'Revoked', 'Certified', 'Certified by a selector'];
const REVOKE = 1;
const CERTIFY = 2;

export function CertificationView({ address }: { readonly address: Address }) {
  const self = useSelf();
  const page = pageIn(address, PAGE);
  const tags = useAnswer('GetAssetGroupTags');
  const query = useAnswer(
    'GetAssetGroupTagsCertifications',
    {
      query: {
        ...{ skip: page.skip, limit: PAGE },
        sort_by: 'name',
        ...memberQuery(address),
      },
    },
    { keep: true },
  );
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set());
  const [deciding, setDeciding] = useState<typeof REVOKE | typeof CERTIFY>();
  const mayWrite = self?.may('graphdb/Write') ?? false;
  const members = query.data?.data.members ?? [];
  const isAll = members.length > 0 && members.every(({ id }) => chosen.has(id));
  const zoneName = (id: number) => tags.data?.data.tags.find((tag) => tag.id === id)?.name ?? String(id);
  const columns: Column<Certification>[] = [
    ...(mayWrite ? [selectColumn(chosen, setChosen)] : []),
    {
      title: 'Object',
      cell: ({ object_id, name, primary_kind }) => (
        <ObjectLink object={{ object_id, name, kind: primary_kind }} />
      ),
    },
    { title: 'Zone', cell: ({ asset_group_tag_id }) => <Name text={zoneName(asset_group_tag_id)} /> },
    { title: 'State', cell: ({ certified }) => STATES[certified] ?? '' },
    { title: 'Certified by', cell: ({ certified_by }) => <Name text={certified_by ?? '–'} /> },
    { title: 'Member since', cell: ({ created_at }) => formatMoment(created_at) },
  ];
  return (
    <>
      <PartHead title="Certification" views="certification">
        <p className="quiet">Zone members that a person confirms.</p>
      </PartHead>
      <div className="bar filters">
        <Choice
          address={address}
          name="state"
          title="State"
          values={STATES.map((words, value) => [String(value), words])}
        />
        <Choice
          address={address}
          name="tag"
          title="Zone"
          values={(tags.data?.data.tags ?? [])
            .filter(({ require_certify }) => require_certify)
            .map(({ id, name }) => [String(id), cleanText(name)])}
        />
        {mayWrite && members.length > 0 && (
          <button
            type="button"
            onClick={() => setChosen(isAll ? new Set() : new Set(members.map(({ id }) => id)))}
          >
            {isAll ? 'Clear' : `Select these ${members.length}`}
          </button>
        )}
        {chosen.size > 0 && (
          <>
            <button type="button" className="main" onClick={() => setDeciding(CERTIFY)}>
              Certify {chosen.size}…
            </button>
            <button type="button" onClick={() => setDeciding(REVOKE)}>
              Revoke {chosen.size}…
            </button>
          </>
        )}
      </div>
      <PagedList
        query={query}
        what="the members"
        page={page}
        rowsOf={({ data }) => data.members}
        caption="Certification"
        columns={columns}
        keyOf={({ id, asset_group_tag_id }) => `${id} ${asset_group_tag_id}`}
        empty={<NoMembers address={address} zoneName={zoneName} />}
      />
      {deciding !== undefined && (
        <DecisionDialog
          ids={[...chosen]}
          action={deciding}
          onClose={(isDone) => {
            setDeciding(undefined);
            if (isDone) setChosen(new Set());
          }}
        />
      )}
    </>
  );
}

/** Filters of the list, in the address. */
const memberQuery = (address: Address) => {
  const state = address.get('state');
  const zone = address.number('tag', 0) || undefined;
  return {
    certified: state === undefined ? undefined : `eq:${state}`,
    asset_group_tag_id: zone === undefined ? undefined : `eq:${zone}`,
  };
};

interface NoMembersProps {
  readonly address: Address;
  readonly zoneName: (id: number) => string;
}

function NoMembers({ address, zoneName }: NoMembersProps) {
  const state = address.get('state');
  const zone = address.number('tag', 0) || undefined;
  const filters = [
    ...(state === undefined ? [] : [{ name: 'state', words: `State: ${STATES[Number(state)] ?? state}` }]),
    ...(zone === undefined ? [] : [{ name: 'tag', words: `Zone: ${zoneName(zone)}` }]),
  ];
  if (filters.length > 0)
    return (
      <FilteredList
        operationId="GetAssetGroupTagsCertifications"
        noun={['member', 'members']}
        address={address}
        filters={filters}
        queryOf={memberQuery}
        reset={{ skip: undefined }}
      />
    );
  return (
    <Empty
      title="Nothing to certify"
      example="“Domain Admins, chosen by a selector, pending”, which you certify or revoke with a note"
      action={{ words: 'Open the zones', href: pathTo('admin', { view: 'zones' }) }}
    >
      Turn on “Members have to be certified” for a zone to fill this list.
    </Empty>
  );
}

/** Checkboxes that select members; the selection includes other pages of the list. */
const selectColumn = (
  chosen: ReadonlySet<number>,
  onChoose: (chosen: ReadonlySet<number>) => void,
): Column<Certification> => ({
  title: 'Select',
  cell: ({ id, name }) => (
    <input
      type="checkbox"
      aria-label={`Select ${cleanText(name)}`}
      checked={chosen.has(id)}
      onChange={() => {
        const next = new Set(chosen);
        if (!next.delete(id)) next.add(id);
        onChoose(next);
      }}
    />
  ),
});

interface DecisionDialogProps {
  readonly ids: readonly number[];
  readonly action: typeof REVOKE | typeof CERTIFY;
  readonly onClose: (isDone: boolean) => void;
}

function DecisionDialog({ ids, action, onClose }: DecisionDialogProps) {
  const words = action === CERTIFY ? 'Certify' : 'Revoke';
  return (
    <FormDialog
      title={`${words} ${counted(ids.length, 'member')}`}
      fields={[{ type: 'note', name: 'note', label: 'Note', rows: 3, maxLength: 10_000 }]}
      words={words}
      send={(values) => {
        const note = values.text('note');
        return call('CertifyOrRevokeObjects', {
          body: { member_ids: [...ids], action, ...(note !== '' && { note }) },
        });
      }}
      touched={['GetAssetGroupTagsCertifications', 'GetAssetGroupTagHistory']}
      onDone={() => onClose(true)}
      onClose={() => onClose(false)}
    />
  );
}
