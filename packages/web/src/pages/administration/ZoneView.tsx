/** One zone or label: its selectors, its members, and the reasons for their membership. */
import type { TagMember, TagSelector } from '@clew/api';
import { useState } from 'react';
import type { Address } from '../../address.ts';
import { Empty } from '../../parts/Answer.tsx';
import { ConfirmDialog } from '../../parts/ConfirmDialog.tsx';
import { Name } from '../../parts/Name.tsx';
import { ObjectLink } from '../../parts/ObjectLink.tsx';
import { PagedList, pageIn } from '../../parts/PagedList.tsx';
import type { Column } from '../../parts/Table.tsx';
import { useUploadAction } from '../../parts/uploadAction.ts';
import { call } from '../../service/client.ts';
import { useAnswer } from '../../service/queries.ts';
import { cleanText } from '../../text/cleanText.ts';
import { SelectorDialog } from './SelectorDialog.tsx';
import { Selectors } from './Selectors.tsx';
import { ZoneDialog } from './ZoneDialog.tsx';
import { OWNED, type ShownZone, TIER_ZERO, TOUCHED, ZONE } from './zoneParts.ts';

const PAGE = 25;

interface ZoneViewProps {
  readonly tag: ShownZone;
  readonly address: Address;
  readonly mayWrite: boolean;
}

export function ZoneView({ tag, address, mayWrite }: ZoneViewProps) {
  const [editing, setEditing] = useState<'tag' | 'delete' | 'rule' | TagSelector>();
  const close = () => setEditing(undefined);
  const addSelector = () => setEditing('rule');
  return (
    <section className="card" aria-labelledby="tag">
      <h2 id="tag">
        <Name text={tag.name} />
      </h2>
      {mayWrite && (
        <div className="chips">
          <button type="button" onClick={addSelector}>
            New selector…
          </button>
          <button type="button" onClick={() => setEditing('tag')}>
            Change…
          </button>
          {tag.id !== TIER_ZERO && tag.type !== OWNED && (
            <button type="button" className="danger" onClick={() => setEditing('delete')}>
              Delete…
            </button>
          )}
        </div>
      )}
      <h3>Selectors</h3>
      <Selectors tag={tag.id} mayWrite={mayWrite} onAdd={addSelector} onChange={setEditing} />
      <h3>Members</h3>
      <Members tag={tag.id} address={address} />
      {editing === 'tag' && <ZoneDialog tag={tag} onClose={close} />}
      {editing === 'rule' && <SelectorDialog tagId={tag.id} onClose={close} />}
      {typeof editing === 'object' && <SelectorDialog tagId={tag.id} rule={editing} onClose={close} />}
      {editing === 'delete' && (
        <ConfirmDialog
          title={`Delete ${cleanText(tag.name)}?`}
          words={tag.type === ZONE ? 'Delete zone' : 'Delete label'}
          act={() => call('DeleteAssetGroupTag', { params: { asset_group_tag_id: tag.id } })}
          touched={TOUCHED}
          notice={`${tag.name} is deleted`}
          onDone={() => address.set({ tag: undefined })}
          onClose={close}
        >
          <p>Its selectors are deleted, too. Its findings close with the next analysis.</p>
        </ConfirmDialog>
      )}
    </section>
  );
}

/** Words for the number that encodes the reason for a membership. */
const REASONS = ['', 'chosen by a selector', 'contained in a member', 'contains a member'];

const MEMBER_COLUMNS: readonly Column<TagMember>[] = [
  {
    title: 'Object',
    cell: ({ object_id, name, primary_kind }) => (
      <ObjectLink object={{ object_id, name, kind: primary_kind }} />
    ),
  },
  { title: 'Why', cell: ({ source }) => REASONS[source] ?? '' },
  { title: 'Object id', cell: ({ object_id }) => <Name text={object_id} /> },
];

function Members({ tag, address }: { readonly tag: number; readonly address: Address }) {
  const upload = useUploadAction();
  const page = pageIn(address, PAGE);
  const query = useAnswer(
    'ListAssetGroupTagMembersById',
    { params: { asset_group_tag_id: tag }, query: { skip: page.skip, limit: PAGE, sort_by: 'name' } },
    { keep: true },
  );
  return (
    <PagedList
      query={query}
      what="the members"
      page={page}
      rowsOf={({ data }) => data.members}
      caption="Members"
      columns={MEMBER_COLUMNS}
      keyOf={({ id }) => id}
      empty={
        <Empty title="It has no members" example="“Domain Admins, chosen by a selector”" action={upload}>
          Selectors find objects in collected data. They take effect with the next analysis.
        </Empty>
      }
    />
  );
}
