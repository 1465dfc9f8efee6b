/** Saved plans: their finished changes, and the current effect of the remaining ones. */
import type { SavedPlan } from '@clew/api';
import { shareOf } from '@clew/model';
import { useState } from 'react';
import type { Address } from '../../address.ts';
import { Answer, Empty } from '../../parts/Answer.tsx';
import { ConfirmDialog } from '../../parts/ConfirmDialog.tsx';
import { copyExactly } from '../../parts/copy.ts';
import { Name } from '../../parts/Name.tsx';
import { PagedList, pageIn } from '../../parts/PagedList.tsx';
import { saveText } from '../../parts/save.ts';
import type { Column } from '../../parts/Table.tsx';
import { call } from '../../service/client.ts';
import { useAnswer } from '../../service/queries.ts';
import { useSelf } from '../../service/self.ts';
import { cleanText } from '../../text/cleanText.ts';
import { csvText } from '../../text/csv.ts';
import { counted, formatMoment } from '../../text/formats.ts';
import { simulatedFall, TIER_ZERO } from '../fix/planFigures.ts';
import { Simulated } from './Simulated.tsx';

const PAGE = 25;

export function SavedPlans({ address }: { readonly address: Address }) {
  const page = pageIn(address, PAGE);
  const query = useAnswer('ListPlans', { query: { skip: page.skip, limit: PAGE } }, { keep: true });
  const open = address.number('plan', 0);
  type Plan = NonNullable<typeof query.data>['data'][number];
  const columns: Column<Plan>[] = [
    {
      title: 'Name',
      cell: ({ id, name }) => (
        <button type="button" className="plain" onClick={() => address.set({ plan: id })}>
          <Name text={name} />
        </button>
      ),
    },
    { title: 'Made by', cell: ({ created_by }) => <Name text={created_by} /> },
    { title: 'On', cell: ({ created_at }) => formatMoment(created_at) },
    {
      title: 'Exposure then',
      numeric: true,
      cell: ({ expected, request }) => thenText(expected, request.asset_group_tag_id),
    },
    {
      title: 'Would close',
      numeric: true,
      cell: ({ expected }) => counted(expected.closed_count, 'finding'),
    },
  ];
  return (
    <>
      <PagedList
        query={query}
        what="the plans"
        page={page}
        rowsOf={({ data }) => data}
        caption="Saved plans"
        columns={columns}
        keyOf={({ id }) => id}
        isSelected={({ id }) => id === open}
        empty={
          <Empty
            title="No plan was saved yet"
            example="“Winter: 3 changes, would close 12 findings”"
            action={{ words: 'Try changes', href: '/what-if' }}
          >
            Select changes, then save them under a name.
          </Empty>
        }
      />
      {open > 0 && <Plan id={open} onClose={() => address.set({ plan: undefined })} />}
    </>
  );
}

/** @returns the exposure before and after the plan, when it was saved */
function thenText(expected: Expected, zone = TIER_ZERO): string {
  const { before, after } = simulatedFall(expected, zone);
  return before.all === 0
    ? 'not shown'
    : `${shareOf(before.exposed, before.all)} → ${shareOf(after.exposed, after.all)}`;
}

type Expected = SavedPlan['expected'];

function Plan({ id, onClose }: { readonly id: number; readonly onClose: () => void }) {
  const self = useSelf();
  const query = useAnswer('GetSavedPlan', { params: { plan_id: id } });
  const [asking, setAsking] = useState(false);
  return (
    <Answer query={query} what="the plan" lines={6}>
      {({ data }) => (
        <section className="card">
          <h2>
            <Name text={data.name} />
          </h2>
          <p>{cleanText(data.description)}</p>
          <h3>
            {data.steps.filter(({ is_done }) => is_done).length} of {counted(data.steps.length, 'step')} done
          </h3>
          <ul className="plain-list">
            {data.steps.map(({ text, is_done }, at) => (
              <li key={`${at + 1}`}>
                <span className={is_done ? 'ok' : ''}>{is_done ? '✓ done' : '○ open'}</span> {cleanText(text)}
              </li>
            ))}
          </ul>
          <h3>Effect of the remaining changes, now</h3>
          <p className="quiet">
            When it was saved: {thenText(data.expected, data.request.asset_group_tag_id)}.
          </p>
          <Simulated
            record={data.simulation}
            request={{ ...data.left, asset_group_tag_id: data.request.asset_group_tag_id }}
          />
          <footer className="bar">
            <button
              type="button"
              onClick={() =>
                saveText(
                  'clew-work-list.csv',
                  csvText(
                    ['step', 'state'],
                    data.steps.map(({ text, is_done }) => [text, is_done ? 'done' : 'open']),
                  ),
                  'text/csv',
                )
              }
            >
              Export as a work list
            </button>
            <button
              type="button"
              onClick={() =>
                void copyExactly(
                  location.href,
                  'Link copied. It works for everyone who can see what the plan changes.',
                )
              }
            >
              Copy link
            </button>
            <button type="button" onClick={onClose}>
              Close
            </button>
            {self?.may('saved_queries/Write') && (
              <button type="button" className="danger" onClick={() => setAsking(true)}>
                Delete…
              </button>
            )}
          </footer>
          {asking && (
            <ConfirmDialog
              title="Delete the plan?"
              words="Delete plan"
              act={() => call('DeletePlan', { params: { plan_id: id } })}
              touched={['ListPlans']}
              onDone={onClose}
              onClose={() => setAsking(false)}
            >
              <p>Its marks of finished changes are deleted, too.</p>
            </ConfirmDialog>
          )}
        </section>
      )}
    </Answer>
  );
}
