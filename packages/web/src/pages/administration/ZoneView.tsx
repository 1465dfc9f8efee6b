/** One zone or label: its selectors, its members and why they are in it. */
import type { TagMember, TagSelector } from '@clew/api';
import { useState } from 'react';
import type { Address } from '../../address.ts';
import { Answer, Empty } from '../../parts/Answer.tsx';
import { ConfirmDialog } from '../../parts/ConfirmDialog.tsx';
import { Name } from '../../parts/Name.tsx';
import { ObjectLink } from '../../parts/ObjectLink.tsx';
import { type Column, Pager, Table } from '../../parts/Table.tsx';
import { call } from '../../service/client.ts';
import { describeError, useAnswer, useChange } from '../../service/queries.ts';
import { cleanText } from '../../text/cleanText.ts';
import { formatCount } from '../../text/formats.ts';
import { SelectorDialog } from './SelectorDialog.tsx';
import { seedsText } from './seedsText.ts';
import { ZoneDialog } from './ZoneDialog.tsx';
import { OWNED, type ShownZone, TIER_ZERO, TOUCHED, ZONE } from './zoneParts.ts';

const PAGE = 25;

const mayToggle = ({ allow_disable, disabled_at }: TagSelector): boolean =>
  allow_disable || disabled_at !== null;
/** Built-in selectors, and those of extensions, cannot be changed here. */
const mayChange = ({ is_default, extension_id }: TagSelector): boolean =>
  !is_default && extension_id === undefined;

export function ZoneView({
  tag,
  address,
  mayWrite,
}: {
  readonly tag: ShownZone;
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
  const ruleColumns: Column<TagSelector>[] = [
    { title: 'Selector', cell: ({ name }) => <Name text={name} /> },
    {
      title: 'Source',
      grows: true,
      cell: ({ seeds, hidden_seeds = 0 }) =>
        seeds[0]?.type === 2 ? (
          <code>{cleanText(seeds[0].value).slice(0, 200)}</code>
        ) : (
          seedsText(seeds.length, hidden_seeds)
        ),
    },
    { title: 'Members', numeric: true, cell: ({ counts }) => formatCount(counts?.members ?? 0) },
    {
      title: 'State',
      isWhole: true,
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
            cell: (rule: TagSelector) =>
              !mayToggle(rule) && !mayChange(rule) ? (
                ''
              ) : (
                <div className="chips">
                  {mayToggle(rule) && (
                    <button
                      type="button"
                      disabled={toggle.isPending}
                      onClick={() => toggle.mutate({ id: rule.id, disabled: rule.disabled_at === null })}
                    >
                      {rule.disabled_at === null ? 'Switch off' : 'Switch on'}
                    </button>
                  )}
                  {mayChange(rule) && (
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
  const sources = ['', 'chosen by a selector', 'contained in a member', 'contains a member'];
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
      {failed !== undefined && (
        <p className="failure" role="alert">
          {describeError(failed.error).text}
        </p>
      )}
      <h3>Selectors</h3>
      <Answer query={rules} what="the selectors">
        {({ data }) =>
          data.selectors.length === 0 ? (
            <Empty title="No selector yet">
              <p>A selector names objects, or finds them with a query.</p>
            </Empty>
          ) : (
            <Table caption="Selectors" columns={ruleColumns} rows={data.selectors} keyOf={({ id }) => id} />
          )
        }
      </Answer>
      <h3>Members</h3>
      <Answer query={members} what="the members">
        {({ data, count }) =>
          data.members.length === 0 ? (
            <Empty title="It has no members">
              <p>Selectors take effect with the next analysis.</p>
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
      {editing === 'tag' && <ZoneDialog tag={tag} onClose={() => setEditing(undefined)} />}
      {editing === 'rule' && <SelectorDialog tagId={tag.id} onClose={() => setEditing(undefined)} />}
      {typeof editing === 'object' && (
        <SelectorDialog tagId={tag.id} rule={editing} onClose={() => setEditing(undefined)} />
      )}
      {editing === 'delete' && (
        <ConfirmDialog
          title={`Delete ${cleanText(tag.name)}?`}
          words={tag.type === ZONE ? 'Delete zone' : 'Delete label'}
          act={() => call('DeleteAssetGroupTag', { params })}
          touched={TOUCHED}
          notice={`${tag.name} is deleted`}
          onDone={() => address.set({ tag: undefined })}
          onClose={() => setEditing(undefined)}
        >
          <p>Its selectors are deleted with it. Its findings end with the next analysis.</p>
        </ConfirmDialog>
      )}
    </section>
  );
}
