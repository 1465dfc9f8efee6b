/** One check: its query with its current results, and the texts of its findings. */
import type { Check } from '@clew/api';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { Waiting } from '../../parts/Answer.tsx';
import { AuthorText } from '../../parts/AuthorText.tsx';
import { useDraft } from '../../parts/drafts.ts';
import { Faults } from '../../parts/Faults.tsx';
import { Name } from '../../parts/Name.tsx';
import { notify } from '../../parts/notices.ts';
import { ObjectLink } from '../../parts/ObjectLink.tsx';
import { Severity } from '../../parts/Severity.tsx';
import { type Column, Table } from '../../parts/Table.tsx';
import { useDialogChange } from '../../parts/useDialogChange.ts';
import { call } from '../../service/client.ts';
import { useAnswer } from '../../service/queries.ts';
import { cleanText, shortText, shownValue } from '../../text/cleanText.ts';
import { counted, formatCount } from '../../text/formats.ts';
import { type CheckDraft, documentOf, draftOf, NEW_CHECK, SEVERITIES, testDocument } from './checkDraft.ts';

const QueryEditor = lazy(() => import('../../parts/QueryEditor.tsx'));

/** Milliseconds after the last typed letter until the query runs automatically. */
const SETTLE_MS = 900;
const MAX_SHOWN = 50;
/** Severities derived from the share of users and computers. */
const SHARE_WORDS: Readonly<Record<string, string>> = { exposure: 'By exposure', impact: 'By impact' };

interface CheckEditorProps {
  /** Absent for a new check. */
  readonly check: Check | undefined;
  readonly isReadOnly: boolean;
  readonly onSaved: (name: string) => void;
  readonly onClose: () => void;
}

export function CheckEditor({ check, isReadOnly, onSaved, onClose }: CheckEditorProps) {
  const stored = check?.definition;
  const begun = stored === undefined ? NEW_CHECK : draftOf(stored);
  const [text, setText] = useDraft(`check ${check?.name ?? ''}`, JSON.stringify(begun));
  const draft: CheckDraft = { ...begun, ...(JSON.parse(text) as Partial<CheckDraft>) };
  const test = useTest(draft, stored, !isReadOnly);
  const set = (changes: Partial<CheckDraft>) => setText(JSON.stringify({ ...draft, ...changes }));
  const save = useDialogChange(
    () => call('PutCheck', { params: { check_name: draft.name.trim() }, body: documentOf(draft, stored) }),
    {
      touched: ['ListChecks'],
      onSuccess: ({ data }) => {
        notify(`${data.title} is saved. Its findings appear with the next analysis.`);
        setText(JSON.stringify(check === undefined ? NEW_CHECK : draftOf(data.definition)));
      },
      onDone: ({ data }) => onSaved(data.name),
    },
  );
  const isTested = test.isCurrent && test.data !== undefined;
  const submit = () => {
    if (isReadOnly || !isTested || save.isPending) return;
    save.mutate();
  };
  const box = useRef<HTMLElement>(null);
  useEffect(() => {
    // Newer browsers return a promise, which an effect must not return as its cleanup function.
    box.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  return (
    <section
      ref={box}
      className="card check"
      aria-labelledby="check-title"
      onKeyDown={(event) => {
        if (event.key.toLowerCase() !== 's' || !(event.ctrlKey || event.metaKey)) return;
        event.preventDefault();
        submit();
      }}
    >
      <header className="section-head">
        <h2 id="check-title">{check === undefined ? 'New check' : <Name text={check.title} />}</h2>
        <span className="end">
          <button type="button" className="plain" onClick={onClose}>
            Close
          </button>
        </span>
      </header>
      {check?.error != null && check.enabled && (
        <p className="warning" role="status">
          The last run failed: {cleanText(check.error)}. Its findings are from the last successful run.
        </p>
      )}
      <div className="check-parts">
        <QueryPart
          cypher={draft.cypher}
          isReadOnly={isReadOnly}
          onChange={(cypher) => set({ cypher })}
          onRun={test.run}
        />
        {!isReadOnly && <Result test={test} draft={draft} />}
      </div>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <TextFields draft={draft} isNew={check === undefined} isReadOnly={isReadOnly} onChange={set} />
        {save.isError && <Faults error={save.error} />}
        {!isReadOnly && (
          <footer className="bar">
            <button type="submit" className="main" disabled={!isTested || save.isPending}>
              {save.isPending ? 'Saving…' : 'Save'} <kbd>Ctrl S</kbd>
            </button>
            {!isTested && <span className="quiet">Run the query once before you save it.</span>}
          </footer>
        )}
      </form>
    </section>
  );
}

interface QueryPartProps {
  readonly cypher: string;
  readonly isReadOnly: boolean;
  readonly onChange: (cypher: string) => void;
  readonly onRun: () => void;
}

function QueryPart({ cypher, isReadOnly, onChange, onRun }: QueryPartProps) {
  const names = useAnswer('GetCypherNames').data?.data;
  return (
    <div>
      <h3>Query</h3>
      {isReadOnly ? (
        <pre>{cypher}</pre>
      ) : (
        <>
          <Suspense fallback={<Waiting what="the editor" />}>
            <QueryEditor
              text={cypher}
              label="Cypher query of the check"
              names={names}
              onChange={onChange}
              onRun={onRun}
            />
          </Suspense>
          <p className="quiet">
            The first column is the object; other columns are evidence. The query runs as you type, or with{' '}
            <kbd>Shift Enter</kbd>.
          </p>
        </>
      )}
    </div>
  );
}

interface TextFieldsProps {
  readonly draft: CheckDraft;
  readonly isNew: boolean;
  readonly isReadOnly: boolean;
  readonly onChange: (changes: Partial<CheckDraft>) => void;
}

/** The texts of the check's findings, and their severity and repair. */
function TextFields({ draft, isNew, isReadOnly, onChange }: TextFieldsProps) {
  return (
    <fieldset className="check-fields" disabled={isReadOnly}>
      <legend className="unseen">Texts of its findings</legend>
      <label>
        Title
        <input
          required
          maxLength={80}
          value={draft.title}
          placeholder="Members of Tier Zero with a mailbox"
          onChange={({ target }) => onChange({ title: target.value })}
          onBlur={() => {
            if (draft.name === '' && draft.title.trim() !== '') onChange({ name: nameFrom(draft.title) });
          }}
        />
      </label>
      <label>
        Name
        <input
          required
          maxLength={256}
          pattern="Check_[A-Za-z0-9_]+"
          title="Check_, followed by letters, digits and underscores"
          readOnly={!isNew}
          value={draft.name}
          placeholder="Check_AdministratorsWithMail"
          onChange={({ target }) => onChange({ name: target.value })}
        />
      </label>
      <label>
        Severity
        <select
          value={draft.severity}
          onChange={({ target }) => onChange({ severity: target.value as CheckDraft['severity'] })}
        >
          {SEVERITIES.map((one) => (
            <option key={one} value={one}>
              {SHARE_WORDS[one] ?? one.charAt(0).toUpperCase() + one.slice(1)}
            </option>
          ))}
        </select>
      </label>
      <label>
        Category
        <input
          value={draft.category}
          maxLength={80}
          placeholder="Custom Checks"
          onChange={({ target }) => onChange({ category: target.value })}
        />
      </label>
      <label>
        Owner
        <input
          value={draft.owner}
          maxLength={200}
          onChange={({ target }) => onChange({ owner: target.value })}
        />
      </label>
      <label>
        ATT&amp;CK techniques
        <input
          value={draft.techniques}
          placeholder="T1078.002, T1098"
          onChange={({ target }) => onChange({ techniques: target.value })}
        />
      </label>
      <MarkdownField label="Why it matters" value={draft.why} onChange={(why) => onChange({ why })} />
      <MarkdownField
        label="Remediation"
        value={draft.remediation}
        onChange={(remediation) => onChange({ remediation })}
      />
      <label>
        To repair a finding, remove these relationships
        <input
          value={draft.repairKinds}
          placeholder="MemberOf, GenericAll"
          onChange={({ target }) => onChange({ repairKinds: target.value })}
        />
      </label>
      {draft.repairKinds.trim() !== '' && (
        <label>
          Direction
          <select
            value={draft.repairDirection}
            onChange={({ target }) => onChange({ repairDirection: target.value === 'out' ? 'out' : 'in' })}
          >
            <option value="in">incoming</option>
            <option value="out">outgoing</option>
          </select>
        </label>
      )}
    </fieldset>
  );
}

/** `Members with mail` becomes `Check_MembersWithMail`. */
const nameFrom = (title: string): string =>
  `Check_${title
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')}`;

/** A field for Markdown with a preview below it. */
function MarkdownField({
  label,
  value,
  onChange,
}: {
  readonly label: string;
  readonly value: string;
  readonly onChange: (text: string) => void;
}) {
  return (
    <div className="wide-field">
      <label>
        {label}
        <textarea rows={3} value={value} onChange={({ target }) => onChange(target.value)} />
      </label>
      {/[*`[#]|^\s*[-\d]/m.test(value) && (
        <details>
          <summary>Preview of the text</summary>
          <AuthorText text={cleanLines(value)} />
        </details>
      )}
    </div>
  );
}

const cleanLines = (text: string): string => text.split('\n').map(cleanText).join('\n');

type TestAnswer = Awaited<ReturnType<typeof runTest>>;

interface Test {
  readonly data: TestAnswer | undefined;
  readonly error: unknown;
  readonly isRunning: boolean;
  /** Whether the shown results belong to the current query. */
  readonly isCurrent: boolean;
  readonly run: () => void;
}

const runTest = async (draft: CheckDraft, stored: Check['definition'] | undefined, signal: AbortSignal) =>
  (await call('TestCheck', { body: testDocument(draft, stored) }, { signal })).data;

/** Runs the query once it has not changed for a moment; a new run replaces a running one. */
function useTest(draft: CheckDraft, stored: Check['definition'] | undefined, isEnabled: boolean): Test {
  const { cypher, repairKinds, repairDirection } = draft;
  const asked = JSON.stringify([cypher.trim(), repairKinds, repairDirection]);
  const [settled, setSettled] = useState(asked);
  useEffect(() => {
    const clock = setTimeout(() => setSettled(asked), SETTLE_MS);
    return () => clearTimeout(clock);
  }, [asked]);
  const query = useQuery<TestAnswer>({
    queryKey: ['TestCheck', settled],
    enabled: isEnabled && cypher.trim() !== '' && settled === asked,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => runTest(draft, stored, signal),
  });
  const isCurrent = settled === asked && !query.isPlaceholderData && !query.isFetching;
  return {
    data: query.data,
    error: query.error,
    isRunning: query.isFetching,
    isCurrent,
    run: () => {
      if (settled === asked) void query.refetch();
      else setSettled(asked);
    },
  };
}

function Result({ test, draft }: { readonly test: Test; readonly draft: CheckDraft }) {
  const { data, error, isRunning } = test;
  return (
    <section aria-labelledby="check-result">
      <h3 id="check-result">
        Result{' '}
        <small className="quiet" role="status">
          {draft.cypher.trim() === ''
            ? 'The current results of the query appear here.'
            : isRunning
              ? 'Running…'
              : error === null && data !== undefined && test.isCurrent
                ? `${counted(data.found_count, 'object')} in ${(data.milliseconds / 1000).toFixed(1)} s`
                : ''}
        </small>
      </h3>
      {error !== null && !isRunning ? (
        <Faults error={error} />
      ) : (
        data !== undefined && <Found data={data} draft={draft} isOld={!test.isCurrent} />
      )}
    </section>
  );
}

function Found({ data, draft, isOld }: { data: TestAnswer; draft: CheckDraft; isOld: boolean }) {
  const [first] = data.found;
  const columns: Column<TestAnswer['found'][number]>[] = [
    { title: 'Object', cell: (object) => <ObjectLink object={object} /> },
    ...data.evidence_columns.map((title, at) => ({
      title: cleanText(title),
      cell: ({ evidence }: TestAnswer['found'][number]) => (
        <>
          <bdi>{shortText(shownValue(evidence[0]?.[at]), 120)}</bdi>
          {evidence.length > 1 && (
            <small className="quiet"> and {counted(evidence.length - 1, 'more row')}</small>
          )}
        </>
      ),
    })),
  ];
  return (
    <div className={isOld ? 'renewing' : ''}>
      {data.warnings.map((warning) => (
        <p key={warning} className="warning">
          {cleanText(warning)}
        </p>
      ))}
      {first === undefined ? (
        <p className="quiet">No objects found now.</p>
      ) : (
        <>
          <p className="check-preview">
            {SHARE_WORDS[draft.severity] ?? <Severity severity={draft.severity} />}{' '}
            <strong>{draft.title.trim() === '' ? 'Title' : draft.title}</strong>:{' '}
            <Name text={first.name} id={first.object_id} />
          </p>
          <Table
            caption="Current results"
            columns={columns}
            rows={data.found.slice(0, MAX_SHOWN)}
            keyOf={({ object_id }) => object_id}
          />
          {data.found_count > MAX_SHOWN && (
            <p className="quiet">
              {MAX_SHOWN} of {formatCount(data.found_count)} are shown.
            </p>
          )}
        </>
      )}
    </div>
  );
}
