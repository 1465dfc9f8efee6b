/** Custom checks of the organization. Each check is a query whose objects are findings. */
import type { Check } from '@clew/api';
import { useState } from 'react';
import { Link } from 'wouter';
import { useAddress } from '../../address.ts';
import { Answer, Empty } from '../../parts/Answer.tsx';
import { ConfirmDialog } from '../../parts/ConfirmDialog.tsx';
import { Dialog } from '../../parts/Dialog.tsx';
import { FileButton } from '../../parts/FileButton.tsx';
import { useKey } from '../../parts/keys.ts';
import { Name } from '../../parts/Name.tsx';
import { notify } from '../../parts/notices.ts';
import { Severity } from '../../parts/Severity.tsx';
import { saveJson } from '../../parts/save.ts';
import { type Column, Table } from '../../parts/Table.tsx';
import { call } from '../../service/client.ts';
import { describeError, useAnswer, useChange } from '../../service/queries.ts';
import { useSelf } from '../../service/self.ts';
import { cleanText } from '../../text/cleanText.ts';
import { counted, formatAge, formatCount, formatMoment } from '../../text/formats.ts';
import { findingsPath } from '../findings/findingsPath.ts';
import { CheckEditor } from './CheckEditor.tsx';
import { readCheckFiles } from './checkDraft.ts';

const NEW = 'new';

export default function ChecksPage() {
  const address = useAddress();
  const query = useAnswer('ListChecks');
  const mayWrite = useSelf()?.may('graphdb/Write') === true;
  const open = address.get('check');
  useKey('n', mayWrite ? () => address.set({ check: NEW }) : undefined);
  return (
    <div className="page">
      <Answer query={query} what="the checks" lines={6}>
        {({ data }) => {
          const failing = data.filter(({ enabled, error }) => enabled && error !== null).length;
          return (
            <>
              <div className="with-period">
                <h1>
                  {data.length === 0 ? 'Custom checks' : counted(data.length, 'custom check')}
                  {failing > 0 && <span className="badge worse">{formatCount(failing)} failing</span>}
                </h1>
                {mayWrite && (
                  <div className="chips">
                    <button type="button" className="main" onClick={() => address.set({ check: NEW })}>
                      New check <kbd>n</kbd>
                    </button>
                    <Import />
                  </div>
                )}
              </div>
              {data.length === 0 && open === undefined && (
                <Empty
                  title="No custom checks"
                  example={<code>MATCH (u:User) WHERE u.admincount AND u.email IS NOT NULL RETURN u</code>}
                  action={
                    mayWrite
                      ? { words: 'Write the first check', onAct: () => address.set({ check: NEW }) }
                      : undefined
                  }
                >
                  A check is a query for objects that should not exist in your organization: accounts without
                  an owner, administrators with a mailbox. Its results are findings like all others.
                </Empty>
              )}
              {data.length > 0 && <List checks={data} open={open} mayWrite={mayWrite} />}
              {open !== undefined && <Opened checks={data} open={open} mayWrite={mayWrite} />}
            </>
          );
        }}
      </Answer>
    </div>
  );
}

interface OpenedProps {
  readonly checks: readonly Check[];
  readonly open: string;
  readonly mayWrite: boolean;
}

function Opened({ checks, open, mayWrite }: OpenedProps) {
  const address = useAddress();
  const close = () => address.set({ check: undefined });
  const check = checks.find(({ name }) => name === open);
  if (open !== NEW && check === undefined)
    return (
      <Empty title="This check no longer exists" action={{ words: 'Show all checks', onAct: close }}>
        Someone deleted it, or removed the extension that contained it.
      </Empty>
    );
  return (
    <CheckEditor
      key={open}
      check={check}
      isReadOnly={!mayWrite || (check !== undefined && check.extension_id !== null)}
      onSaved={(name) => address.set({ check: name })}
      onClose={close}
    />
  );
}

interface ListProps {
  readonly checks: readonly Check[];
  readonly open: string | undefined;
  readonly mayWrite: boolean;
}

function List({ checks, open, mayWrite }: ListProps) {
  const address = useAddress();
  const [removed, setRemoved] = useState<Check>();
  const columns: Column<Check>[] = [
    { title: 'On', cell: (check) => <Switch check={check} mayWrite={mayWrite} /> },
    {
      title: 'Check',
      grows: true,
      cell: ({ name, title, extension_id }) => (
        <>
          <button type="button" className="plain" onClick={() => address.set({ check: name })}>
            <Name text={title} />
          </button>
          {extension_id !== null && <span className="mark">from an extension</span>}
        </>
      ),
    },
    {
      title: 'Severity',
      cell: ({ definition: { severity } }) =>
        severity === 'exposure' || severity === 'impact' ? (
          `by ${severity}`
        ) : (
          <Severity severity={severity} />
        ),
    },
    {
      title: 'Open',
      numeric: true,
      cell: ({ name, finding_count }) =>
        finding_count === 0 ? (
          '0'
        ) : (
          <Link href={findingsPath({ type: name })}>{formatCount(finding_count)}</Link>
        ),
    },
    { title: 'Last run', cell: (check) => <LastRun check={check} /> },
    {
      title: 'Owner',
      cell: ({ definition: { owner }, updated_by }) => <Name text={owner === '' ? updated_by : owner} />,
    },
    {
      title: 'Actions',
      cell: (check) => (
        <span className="chips">
          <button
            type="button"
            className="plain"
            onClick={() => saveJson(`${check.name}.json`, check.definition)}
          >
            Export
          </button>
          {mayWrite && check.extension_id === null && (
            <button type="button" className="plain" onClick={() => setRemoved(check)}>
              Delete…
            </button>
          )}
        </span>
      ),
    },
  ];
  return (
    <>
      <div className="check-list">
        <Table
          caption="Custom checks"
          columns={columns}
          rows={checks}
          keyOf={({ name }) => name}
          isSelected={({ name }) => name === open}
        />
      </div>
      {removed !== undefined && (
        <ConfirmDialog
          title="Delete the check?"
          words="Delete check"
          act={() => call('DeleteCheck', { params: { check_name: removed.name } })}
          touched={['ListChecks']}
          notice={`${removed.title} is deleted`}
          onDone={() => {
            if (removed.name === open) address.set({ check: undefined });
          }}
          onClose={() => setRemoved(undefined)}
        >
          <p>
            <Name text={removed.title} /> has {counted(removed.finding_count, 'open finding')}. The next
            analysis closes them as deprecated, not as remediated.
          </p>
        </ConfirmDialog>
      )}
    </>
  );
}

function Switch({ check: { name, title, enabled }, mayWrite }: { check: Check; mayWrite: boolean }) {
  const change = useChange(
    (on: boolean) => call('SwitchCheck', { params: { check_name: name }, body: { enabled: on } }),
    {
      touched: ['ListChecks'],
      onSuccess: (_, on) =>
        notify(`${title} is ${on ? 'on' : 'off'}. Its findings follow with the next analysis.`),
      onError: (error) => notify(describeError(error).text),
    },
  );
  if (!mayWrite) return enabled ? 'on' : 'off';
  return (
    <input
      type="checkbox"
      aria-label={`Run ${cleanText(title)}`}
      checked={change.isPending ? change.variables : enabled}
      disabled={change.isPending}
      onChange={({ target }) => change.mutate(target.checked)}
    />
  );
}

/** A failed run keeps the results of the last successful one, with their date. */
function LastRun({ check: { enabled, ran_at, found_at, error, warnings } }: { readonly check: Check }) {
  if (ran_at === null) return <span className="quiet">{enabled ? 'with the next analysis' : 'never'}</span>;
  if (error === null)
    return (
      <span title={formatMoment(ran_at)}>
        {formatAge(ran_at)}
        {warnings.length > 0 && <small className="quiet">{cleanText(warnings.join('; '))}</small>}
      </span>
    );
  return (
    <span className="worse">
      Failing: {cleanText(error)}.{' '}
      <small>
        {found_at === null
          ? 'It never worked.'
          : `The findings are from ${formatMoment(found_at)}, its last successful run.`}
      </small>
    </span>
  );
}

/** Imports files of `clew check export`. Each file is either stored or listed with its errors. */
function Import() {
  const [faults, setFaults] = useState<readonly string[]>([]);
  const load = useChange(
    async (files: readonly File[]) => {
      const failed: string[] = [];
      let stored = 0;
      for (const { file, name, document, fault } of await readCheckFiles(files)) {
        if (fault !== undefined) failed.push(`${file}: ${fault}`);
        else
          await call('PutCheck', { params: { check_name: name! }, body: document! }).then(
            () => stored++,
            (error: unknown) => failed.push(`${file}: ${describeError(error).text}`),
          );
      }
      return { stored, failed };
    },
    {
      touched: ['ListChecks'],
      onSuccess: ({ stored, failed }) => {
        if (stored > 0) notify(`${counted(stored, 'check')} imported`);
        setFaults(failed);
      },
    },
  );
  return (
    <>
      <FileButton
        isMultiple
        isDisabled={load.isPending}
        text={load.isPending ? 'Importing…' : 'Import…'}
        label="Files with checks"
        accept=".json"
        onFiles={(files) => load.mutate(files)}
      />
      {faults.length > 0 && (
        <Dialog title="Not imported" onClose={() => setFaults([])}>
          <ul>
            {faults.map((fault) => (
              <li key={fault}>{cleanText(fault)}</li>
            ))}
          </ul>
        </Dialog>
      )}
    </>
  );
}
