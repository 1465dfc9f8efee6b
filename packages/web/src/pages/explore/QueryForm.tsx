/** Cypher queries: typed, built-in, and saved ones. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import type { Address } from '../../address.ts';
import { Waiting } from '../../parts/Answer.tsx';
import { useDraft } from '../../parts/drafts.ts';
import { FileButton } from '../../parts/FileButton.tsx';
import { FilteredOut } from '../../parts/FilteredOut.tsx';
import { FormDialog } from '../../parts/FormDialog.tsx';
import { Name } from '../../parts/Name.tsx';
import { saveFile } from '../../parts/save.ts';
import { call, download, sendFile } from '../../service/client.ts';
import { describeError, useAnswer, useChange } from '../../service/queries.ts';
import { useSelf } from '../../service/self.ts';
import { realText } from '../../text/addressKeys.ts';
import { cleanText } from '../../text/cleanText.ts';
import { formatCount } from '../../text/formats.ts';
import type { ExploreState } from './exploreState.ts';
import {
  faultOffset,
  hasAllValues,
  isRefusedQuery,
  parametersIn,
  refusedWords,
  type Typed,
  typedText,
} from './queryText.ts';
import { SavedQueries } from './SavedQueries.tsx';
import { useQueryHistory } from './useQueryHistory.ts';

const QueryEditor = lazy(() => import('../../parts/QueryEditor.tsx'));

/** Longer queries with their parameter values do not fit into an address. */
const MAX_LENGTH_IN_ADDRESS = 20_000;
/** Maximum shown length of a query in the history. */
const SHOWN_LENGTH = 120;

export function QueryForm({
  state,
  address,
  onCancel,
  isRunning,
  error,
}: {
  readonly state: ExploreState;
  readonly address: Address;
  readonly onCancel: () => void;
  readonly isRunning: boolean;
  /** Why the last query failed; null if it did not. */
  readonly error: unknown;
}) {
  const [text, setText] = useDraft('query', state.query);
  const [saving, setSaving] = useState(false);
  const [typed, setTyped] = useState(state.parameters);
  const [wasTried, setTried] = useState(false);
  const parameters = parametersIn(text);
  const isTooLong = (query: string): boolean =>
    query.length + (typedText(query, typed)?.length ?? 0) > MAX_LENGTH_IN_ADDRESS;
  const self = useSelf();
  const queries = useQueryClient();
  const answered = useRef({ q: state.query, p: address.get('p') });
  useEffect(() => {
    const { q, p } = answered.current;
    answered.current = { q: state.query, p: address.get('p') };
    if (q === answered.current.q && p === answered.current.p) return;
    // Back shows the earlier query with its values; the first query may have a newer draft.
    if (state.query !== undefined) setText(state.query);
    setTyped(state.parameters);
  });
  const { data: names } = useAnswer('GetCypherNames');
  const [history, note] = useQueryHistory();
  const run = (asked = text) => {
    const query = asked.trim();
    if (query === '' || isTooLong(query)) return;
    const isReady = hasAllValues(query, typed);
    setTried(!isReady);
    if (!isReady) return;
    note(query);
    const p = typedText(query, typed);
    if (query === state.query && p === address.get('p'))
      void queries.invalidateQueries({ queryKey: ['explore'] });
    else
      address.set({ q: query, p, with: undefined, hide: undefined, unfold: undefined, selected: undefined });
  };
  const blanks = text.length - text.trimStart().length;
  const offset =
    error === null || text.trim() !== state.query
      ? undefined
      : faultOffset(state.query, describeError(error).text);
  return (
    <>
      <Suspense fallback={<Waiting what="the editor" />}>
        <QueryEditor
          text={text}
          label="Query in Cypher"
          names={names?.data}
          faultAt={offset === undefined ? undefined : offset + blanks}
          onChange={setText}
          onRun={run}
        />
      </Suspense>
      {isRefusedQuery(state, error) && <Refused message={describeError(error).text} />}
      {parameters.length > 0 && (
        <QueryParameters
          names={parameters}
          typed={typed}
          isMissing={(wasTried || text.trim() === state.query) && !hasAllValues(text, typed)}
          onType={setTyped}
        />
      )}
      <div className="chips">
        <button type="button" className="main" onClick={() => run()}>
          Run <kbd>Shift Enter</kbd>
        </button>
        {isRunning && (
          <button type="button" onClick={onCancel}>
            Cancel
          </button>
        )}
        {self?.may('saved_queries/Write') && text.trim() !== '' && (
          <button type="button" onClick={() => setSaving(true)}>
            Save…
          </button>
        )}
      </div>
      {isTooLong(text) && (
        <p role="alert">
          A query has at most {formatCount(MAX_LENGTH_IN_ADDRESS)} characters here, including the values of
          its parameters.
        </p>
      )}
      <History
        queries={history}
        onPick={(query) => {
          setText(query);
          run(query);
        }}
      />
      <Library
        onPick={(query) => {
          setText(query);
          run(query);
        }}
      />
      {saving && <SaveDialog text={text} onClose={() => setSaving(false)} />}
    </>
  );
}

/** It stays until the next run, because the rest of the page is empty. */
function Refused({ message }: { readonly message: string }) {
  const { text, hint } = refusedWords(message);
  return (
    <div className="failure" role="alert">
      <strong>{cleanText(text)}</strong>
      {hint !== undefined && <p>{hint}</p>}
    </div>
  );
}

interface QueryParametersProps {
  readonly names: readonly string[];
  readonly typed: Typed;
  /** Whether the query was run without a value for a parameter. */
  readonly isMissing: boolean;
  readonly onType: (typed: Typed) => void;
}

function QueryParameters({ names, typed, isMissing, onType }: QueryParametersProps) {
  return (
    <fieldset>
      <legend>Parameters</legend>
      {names.map((name) => (
        <label key={name}>
          ${name}
          <input
            value={typed.get(name) ?? ''}
            onChange={({ target }) => onType(new Map(typed).set(name, target.value))}
          />
        </label>
      ))}
      <p className="quiet">
        Numbers, true, false, null, and lists are read as JSON; all other values are text.
      </p>
      {isMissing && <p role="alert">Give each parameter a value.</p>}
    </fieldset>
  );
}

/** The query history. */
function History({
  queries,
  onPick,
}: {
  readonly queries: readonly string[];
  readonly onPick: (query: string) => void;
}) {
  if (queries.length === 0) return null;
  return (
    <details>
      <summary>
        Run before <span className="quiet">{queries.length}</span>
      </summary>
      <ul className="plain-list">
        {queries.map((query) => (
          <li key={query} title={cleanText(query)}>
            <button type="button" className="plain" onClick={() => onPick(query)}>
              <Name text={query.replaceAll(/\s+/g, ' ').slice(0, SHOWN_LENGTH)} />
            </button>
          </li>
        ))}
      </ul>
    </details>
  );
}

function SaveDialog({ text, onClose }: { readonly text: string; readonly onClose: () => void }) {
  return (
    <FormDialog
      title="Save the query"
      fields={[
        { type: 'text', name: 'name', label: 'Name', required: true, maxLength: 500 },
        { type: 'long', name: 'description', label: 'Description', rows: 2, maxLength: 10_000 },
      ]}
      words="Save"
      send={(values) =>
        call('CreateSavedQuery', {
          // Keys of a masked page are useless elsewhere.
          body: {
            name: values.text('name'),
            description: values.text('description'),
            query: realText(text),
          },
        })
      }
      touched={['ListSavedQueries']}
      onClose={onClose}
    />
  );
}

function Library({ onPick }: { readonly onPick: (query: string) => void }) {
  const [words, setWords] = useState('');
  const self = useSelf();
  const builtIn = useAnswer('ListBuiltInQueries');
  const saved = useAnswer('ListSavedQueries', { query: { scope: 'all' } });
  const isWanted = (...texts: readonly string[]): boolean =>
    texts.some((text) => text.toLowerCase().includes(words.trim().toLowerCase()));
  const groups = Map.groupBy(
    (builtIn.data?.data ?? []).filter(({ question, description, query }) =>
      isWanted(question, description, query),
    ),
    ({ category }) => category,
  );
  const all = [
    ...(builtIn.data?.data ?? []).map(({ question, description, query }) => [question, description, query]),
    ...(saved.data?.data ?? []).map(({ name, query, description }) => [name, query, description]),
  ];
  const isFilteredOut = all.length > 0 && !saved.isPending && !all.some((texts) => isWanted(...texts));
  const mayWrite = self?.may('saved_queries/Write') ?? false;
  return (
    <section aria-label="Query library">
      <h2>Query library</h2>
      <label>
        <span className="unseen">Search the library</span>
        <input
          type="search"
          placeholder="Search the library"
          value={words}
          onChange={({ target }) => setWords(target.value)}
        />
      </label>
      {isFilteredOut && (
        <FilteredOut
          noun={['query', 'queries']}
          filters={[
            {
              ...{ name: 'search', words: `Search: ${words.trim()}`, count: all.length },
              onDrop: () => setWords(''),
            },
          ]}
          onClear={() => setWords('')}
        />
      )}
      <SavedQueries isWanted={isWanted} onPick={onPick} />
      {[...groups].map(([category, questions]) => (
        <details key={category} open={words !== ''}>
          <summary>
            {category} <span className="quiet">{questions.length}</span>
          </summary>
          <ul className="plain-list">
            {questions.map(({ key, question, description, advice, query }) => (
              <li key={key}>
                <button
                  type="button"
                  className="plain"
                  title={`${description} ${advice}`}
                  onClick={() => onPick(query)}
                >
                  {question}
                </button>
              </li>
            ))}
          </ul>
        </details>
      ))}
      <Transfer mayWrite={mayWrite} />
    </section>
  );
}

/** Imports and exports saved queries. */
function Transfer({ mayWrite }: { readonly mayWrite: boolean }) {
  const load = useChange(
    (file: File) =>
      sendFile(
        '/api/v2/saved-queries/import',
        file,
        file.name.toLowerCase().endsWith('.zip') ? 'application/zip' : 'application/json',
      ),
    { touched: ['ListSavedQueries'] },
  );
  const save = useMutation({
    mutationFn: async () =>
      saveFile(
        'clew-queries.zip',
        await download('/api/v2/saved-queries/export?scope=all', 'application/zip'),
      ),
  });
  return (
    <div className="chips">
      <button type="button" onClick={() => save.mutate()}>
        Export saved
      </button>
      {mayWrite && (
        <FileButton
          text="Import…"
          label="File with queries"
          accept=".json,.zip"
          onFiles={([file]) => load.mutate(file)}
        />
      )}
      {(save.isError || load.isError) && <p role="alert">{describeError(save.error ?? load.error).text}</p>}
      {load.isSuccess && <p role="status">Imported.</p>}
    </div>
  );
}
