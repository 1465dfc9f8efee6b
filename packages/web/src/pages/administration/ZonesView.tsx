/** Zones and labels: what is protected, by which rules, and who changed them. */
import type { TagMember, TagSelector } from '@clew/api';
import { type FormEvent, useState } from 'react';
import type { Address } from '../../address.ts';
import { Answer, Empty } from '../../parts/Answer.tsx';
import { Dialog, DialogActions } from '../../parts/Dialog.tsx';
import { Name } from '../../parts/Name.tsx';
import { ObjectLink } from '../../parts/ObjectLink.tsx';
import { type Column, Pager, Table } from '../../parts/Table.tsx';
import { call } from '../../service/client.ts';
import { describeError, useAnswer, useChange } from '../../service/queries.ts';
import { useSelf } from '../../service/self.ts';
import { cleanText } from '../../text/cleanText.ts';
import { counted, formatCount, formatMoment } from '../../text/formats.ts';
import { RuleDialog } from './RuleDialog.tsx';

const PAGE = 25;
const ZONE = 1;
const LABEL = 2;
const TIER_ZERO = 1;
const TOUCHED = [
  'GetAssetGroupTags',
  'GetAssetGroupTagSelectors',
  'ListAssetGroupTagMembersById',
  'GetAssetGroupTagHistory',
] as const;

export function ZonesView({ address }: { readonly address: Address }) {
  const self = useSelf();
  const query = useAnswer('GetAssetGroupTags', { query: { counts: true } });
  const chosen = address.number('tag', TIER_ZERO);
  const [adding, setAdding] = useState(false);
  const mayWrite = self?.may('graphdb/Write') ?? false;
  type Tag = NonNullable<typeof query.data>['data']['tags'][number];
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
      title: 'Kind',
      cell: ({ type, position }) =>
        type === ZONE ? `zone ${position ?? ''}` : type === LABEL ? 'label' : 'owned',
    },
    { title: 'Members', numeric: true, cell: ({ counts }) => formatCount(counts?.members ?? 0) },
    { title: 'Rules', numeric: true, cell: ({ counts }) => formatCount(counts?.selectors ?? 0) },
    { title: 'Certification', cell: ({ require_certify }) => (require_certify ? 'asked for' : 'no') },
    { title: 'About', cell: ({ description }) => <Name text={description || '–'} /> },
  ];
  const tag = query.data?.data.tags.find(({ id }) => id === chosen);
  return (
    <>
      {mayWrite && (
        <p className="bar">
          <button type="button" onClick={() => setAdding(true)}>
            Add a zone or label…
          </button>
        </p>
      )}
      <Answer query={query} what="the zones" lines={4}>
        {({ data }) => (
          <Table
            caption="Zones and labels"
            columns={columns}
            rows={data.tags}
            keyOf={({ id }) => id}
            isSelected={({ id }) => id === chosen}
          />
        )}
      </Answer>
      {tag !== undefined && <TagView key={tag.id} tag={tag} address={address} mayWrite={mayWrite} />}
      <History address={address} />
      {adding && <TagDialog onClose={() => setAdding(false)} />}
    </>
  );
}

interface ShownTag {
  readonly id: number;
  readonly type: number;
  readonly name: string;
  readonly description: string;
  readonly position: number | null;
  readonly require_certify: boolean | null;
}

function TagView({
  tag,
  address,
  mayWrite,
}: {
  readonly tag: ShownTag;
  readonly address: Address;
  readonly mayWrite: boolean;
}) {
  const params = { asset_group_tag_id: tag.id };
  const rules = useAnswer('GetAssetGroupTagSelectors', { params, query: { counts: true, limit: 200 } });
  const skip = address.number('skip', 0);
  const members = useAnswer(
    'ListAssetGroupTagMembersById',
    { params, query: { skip, limit: PAGE, sort_by: 'name' } },
    { keep: true },
  );
  const [editing, setEditing] = useState<'tag' | 'delete' | 'rule' | TagSelector>();
  const toggle = useChange(
    ({ id, disabled }: { id: number; disabled: boolean }) =>
      call('UpdateAssetGroupTagSelector', {
        params: { ...params, asset_group_tag_selector_id: id },
        body: { disabled },
      }),
    TOUCHED,
  );
  const remove = useChange(
    (id: number) =>
      call('DeleteAssetGroupTagSelector', { params: { ...params, asset_group_tag_selector_id: id } }),
    TOUCHED,
  );
  const deleteTag = useChange(() => call('DeleteAssetGroupTag', { params }), TOUCHED);
  const ruleColumns: Column<TagSelector>[] = [
    { title: 'Rule', cell: ({ name }) => <Name text={name} /> },
    {
      title: 'Source',
      cell: ({ seeds }) =>
        seeds[0]?.type === 2 ? (
          <code>{cleanText(seeds[0].value).slice(0, 200)}</code>
        ) : (
          counted(seeds.length, 'object')
        ),
    },
    { title: 'Members', numeric: true, cell: ({ counts }) => formatCount(counts?.members ?? 0) },
    {
      title: 'State',
      cell: ({ disabled_at, query_error, query_warnings, query_milliseconds, query_started_at }) => (
        <>
          {disabled_at === null ? 'on' : <span className="bad">off</span>}
          {query_error && <p className="bad">The query no longer works: {cleanText(query_error)}</p>}
          {query_warnings?.map((warning) => (
            <p key={warning}>The query selects nothing: {cleanText(warning)}</p>
          ))}
          {query_started_at && <p>The analysis is running its query</p>}
          {query_milliseconds !== undefined && (
            <p>The query took {(query_milliseconds / 1000).toFixed(1)} s in the last analysis</p>
          )}
        </>
      ),
    },
    { title: 'Changed by', cell: ({ updated_by }) => <Name text={updated_by} /> },
    ...(mayWrite
      ? [
          {
            title: 'Actions',
            cell: (rule: TagSelector) => (
              <div className="chips">
                {(rule.allow_disable || rule.disabled_at !== null) && (
                  <button
                    type="button"
                    disabled={toggle.isPending}
                    onClick={() => toggle.mutate({ id: rule.id, disabled: rule.disabled_at === null })}
                  >
                    {rule.disabled_at === null ? 'Switch off' : 'Switch on'}
                  </button>
                )}
                {!rule.is_default && rule.extension_id === undefined && (
                  <>
                    <button type="button" onClick={() => setEditing(rule)}>
                      Change…
                    </button>
                    <button type="button" onClick={() => remove.mutate(rule.id)}>
                      Delete
                    </button>
                  </>
                )}
              </div>
            ),
          },
        ]
      : []),
  ];
  const sources = ['', 'chosen by a rule', 'contained in a member', 'contains a member'];
  const memberColumns: Column<TagMember>[] = [
    {
      title: 'Object',
      cell: ({ object_id, name, primary_kind }) => (
        <ObjectLink object={{ object_id, name, kind: primary_kind }} />
      ),
    },
    { title: 'Why', cell: ({ source }) => sources[source] ?? '' },
    { title: 'Object id', cell: ({ object_id }) => <Name text={object_id} /> },
  ];
  const failed = [toggle, remove].find(({ isError }) => isError);
  return (
    <section className="card" aria-labelledby="tag">
      <h2 id="tag">
        <Name text={tag.name} />
      </h2>
      {mayWrite && (
        <div className="chips">
          <button type="button" onClick={() => setEditing('rule')}>
            Add a rule…
          </button>
          <button type="button" onClick={() => setEditing('tag')}>
            Change…
          </button>
          {tag.id !== TIER_ZERO && tag.type !== 3 && (
            <button type="button" className="danger" onClick={() => setEditing('delete')}>
              Delete…
            </button>
          )}
        </div>
      )}
      {failed !== undefined && (
        <p className="failure" role="alert">
          {describeError(failed.error).text}
        </p>
      )}
      <h3>Rules</h3>
      <Answer query={rules} what="the rules">
        {({ data }) =>
          data.selectors.length === 0 ? (
            <Empty title="There is no rule yet" />
          ) : (
            <Table caption="Rules" columns={ruleColumns} rows={data.selectors} keyOf={({ id }) => id} />
          )
        }
      </Answer>
      <h3>Members</h3>
      <Answer query={members} what="the members">
        {({ data, count }) =>
          data.members.length === 0 ? (
            <Empty title="It has no members">
              <p>Rules take effect with the next analysis.</p>
            </Empty>
          ) : (
            <>
              <Table caption="Members" columns={memberColumns} rows={data.members} keyOf={({ id }) => id} />
              <Pager
                {...{ skip, count, limit: PAGE, shown: data.members.length }}
                onSkip={(to) => address.set({ skip: to || undefined })}
              />
            </>
          )
        }
      </Answer>
      {editing === 'tag' && <TagDialog tag={tag} onClose={() => setEditing(undefined)} />}
      {editing === 'rule' && <RuleDialog tagId={tag.id} onClose={() => setEditing(undefined)} />}
      {typeof editing === 'object' && (
        <RuleDialog tagId={tag.id} rule={editing} onClose={() => setEditing(undefined)} />
      )}
      {editing === 'delete' && (
        <Dialog title={`Delete ${cleanText(tag.name)}?`} onClose={() => setEditing(undefined)}>
          <p>It goes with its rules; findings of the zone go with the next analysis.</p>
          <DialogActions
            words="Delete it"
            isDanger
            isPending={deleteTag.isPending}
            error={deleteTag.error}
            onAct={() => deleteTag.mutate(undefined, { onSuccess: () => address.set({ tag: undefined }) })}
            onCancel={() => setEditing(undefined)}
          />
        </Dialog>
      )}
    </section>
  );
}

function TagDialog({ tag, onClose }: { readonly tag?: ShownTag; readonly onClose: () => void }) {
  const save = useChange(async (fields: FormData) => {
    const name = String(fields.get('name')).trim();
    const description = String(fields.get('description') ?? '');
    const position = Number(fields.get('position')) || undefined;
    if (tag === undefined) {
      const type = Number(fields.get('type'));
      await call('CreateAssetGroupTag', {
        body: {
          name,
          type,
          description,
          ...(type === ZONE && { position, require_certify: fields.has('certify') }),
        },
      });
    } else
      await call('UpdateAssetGroupTag', {
        params: { asset_group_tag_id: tag.id },
        body: {
          ...(name !== tag.name && { name }),
          description,
          ...(tag.type === ZONE && { require_certify: fields.has('certify') }),
          ...(tag.type === ZONE && position !== (tag.position ?? undefined) && { position }),
        },
      });
  }, TOUCHED);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    save.mutate(new FormData(event.currentTarget), { onSuccess: onClose });
  };
  return (
    <Dialog
      title={tag === undefined ? 'Add a zone or label' : `Change ${cleanText(tag.name)}`}
      onClose={onClose}
    >
      <form onSubmit={submit}>
        {tag === undefined && (
          <label>
            Kind
            <select name="type">
              <option value={ZONE}>zone: attack paths into it are found</option>
              <option value={LABEL}>label: a mark</option>
            </select>
          </label>
        )}
        <label>
          Name
          <input name="name" required maxLength={250} defaultValue={tag?.name} />
        </label>
        <label>
          Description
          <textarea name="description" rows={2} defaultValue={tag?.description} />
        </label>
        {tag?.type !== LABEL && (
          <>
            <label>
              Place among the zones: 1 is the most privileged
              <input name="position" type="number" min={1} defaultValue={tag?.position ?? ''} />
            </label>
            <label>
              <input type="checkbox" name="certify" defaultChecked={tag?.require_certify ?? false} /> members
              have to be certified
            </label>
          </>
        )}
        <DialogActions words="Save" isPending={save.isPending} error={save.error} onCancel={onClose} />
      </form>
    </Dialog>
  );
}

function History({ address }: { readonly address: Address }) {
  const skip = address.number('history', 0);
  const query = useAnswer(
    'GetAssetGroupTagHistory',
    { query: { skip, limit: PAGE, sort_by: '-created_at' } },
    { keep: true },
  );
  type Entry = NonNullable<typeof query.data>['data']['records'][number];
  const columns: Column<Entry>[] = [
    { title: 'Time', cell: ({ created_at }) => formatMoment(created_at) },
    { title: 'Who', cell: ({ actor, email }) => <Name text={email ?? actor} /> },
    { title: 'What', cell: ({ action }) => action },
    { title: 'About', cell: ({ target }) => <Name text={target} /> },
    { title: 'Note', cell: ({ note }) => cleanText(note ?? '') },
  ];
  return (
    <details className="card">
      <summary>History of changes</summary>
      <Answer query={query} what="the history">
        {({ data, count }) => (
          <>
            <Table caption="History" columns={columns} rows={data.records} keyOf={({ id }) => id} />
            <Pager
              {...{ skip, count, limit: PAGE, shown: data.records.length }}
              onSkip={(to) => address.set({ history: to || undefined })}
            />
          </>
        )}
      </Answer>
    </details>
  );
}
