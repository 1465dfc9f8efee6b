/** Turns pasted names or ids into ends of paths, or a drawing. It lists unknown and ambiguous ones. */
import { type FormEvent, useState } from 'react';
import type { Address } from '../../address.ts';
import { Dialog, DialogActions } from '../../parts/Dialog.tsx';
import { useDraft } from '../../parts/drafts.ts';
import { Name } from '../../parts/Name.tsx';
import { call } from '../../service/client.ts';
import { useChange } from '../../service/queries.ts';
import { cleanText } from '../../text/cleanText.ts';
import { counted } from '../../text/formats.ts';
import { listSet, MAX_LIST } from './endSets.ts';
import {
  drawQuery,
  MAX_PASTED,
  type Matched,
  matched,
  type PastedObject,
  pastedEntries,
} from './pastedNames.ts';

interface PasteNamesProps {
  readonly address: Address;
  /** The end to set; without it, the dialog asks for the use. */
  readonly end?: 'from' | 'to';
  readonly onClose: () => void;
}

const FRESH = { with: undefined, hide: undefined, only: undefined, unfold: undefined, selected: undefined };

export function PasteNames({ address, end, onClose }: PasteNamesProps) {
  const [text, setText] = useDraft('pasted names');
  const [found, setFound] = useState<readonly Matched[]>();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const entries = pastedEntries(text);
  const look = useChange(() => lookUp(entries), []);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    look.mutate(undefined, {
      onSuccess: (all) => {
        setFound(all);
        setChosen(new Set(all.filter(({ objects }) => objects.length === 1).flatMap(idsIn)));
      },
    });
  };
  const ids = [...chosen];
  const isTooLong = listSet(ids).length > MAX_LIST;
  const use = (parameters: Parameters<Address['set']>[0]) => {
    setText('');
    address.set({ ...FRESH, drawing: undefined, object: undefined, ...parameters });
    onClose();
  };
  const actions = [
    ['Paths from them', 'from', () => use({ mode: 'path', from: listSet(ids) })],
    ['Paths to them', 'to', () => use({ mode: 'path', to: listSet(ids) })],
    ['Draw them', 'draw', () => use({ mode: 'query', q: drawQuery(ids), show: 'graph' })],
  ] as const;
  const [main = actions[0], ...more] = actions.filter(([, use]) => end === undefined || use === end);
  return (
    <Dialog title="Paste names" onClose={onClose}>
      <form onSubmit={submit} aria-busy={look.isPending}>
        <label>
          Names or object ids, one a line
          <textarea
            rows={6}
            spellCheck={false}
            value={text}
            onChange={({ target }) => {
              setText(target.value);
              setFound(undefined);
            }}
          />
        </label>
        {entries.length > MAX_PASTED && (
          <p className="failure" role="alert">
            {counted(entries.length, 'name')}: at most {MAX_PASTED} at once. Use a zone, a label, or a saved
            query for more.
          </p>
        )}
        {found !== undefined && <Outcome found={found} chosen={chosen} onChoose={setChosen} />}
        {isTooLong && (
          <p className="failure" role="alert">
            The ids of these objects are too long for an address: use fewer.
          </p>
        )}
        {found === undefined ? (
          <DialogActions
            words="Look up"
            pendingWords="Looking up…"
            isPending={look.isPending}
            isDisabled={entries.length === 0 || entries.length > MAX_PASTED}
            error={look.error}
            onCancel={onClose}
          />
        ) : (
          <DialogActions
            words={end === undefined ? main[0] : `Use ${counted(ids.length, 'object')}`}
            isDisabled={ids.length === 0 || isTooLong}
            onAct={main[2]}
            onCancel={onClose}
          >
            {more.map(([words, use, act]) => (
              <button key={use} type="button" disabled={ids.length === 0 || isTooLong} onClick={act}>
                {words}
              </button>
            ))}
          </DialogActions>
        )}
      </form>
    </Dialog>
  );
}

const idsIn = ({ objects }: Matched): readonly string[] => objects.map(({ id }) => id);

interface OutcomeProps {
  readonly found: readonly Matched[];
  readonly chosen: ReadonlySet<string>;
  readonly onChoose: (chosen: ReadonlySet<string>) => void;
}

/** The user resolves an ambiguous name; nothing is preselected. */
function Outcome({ found, chosen, onChoose }: OutcomeProps) {
  const unknown = found.filter(({ objects }) => objects.length === 0);
  const ambiguous = found.filter(({ objects }) => objects.length > 1);
  const toggle = (id: string) => {
    const next = new Set(chosen);
    if (!next.delete(id)) next.add(id);
    onChoose(next);
  };
  return (
    <div role="status" className="paste-outcome">
      <p>
        {counted(chosen.size, 'object')} of {counted(found.length, 'name')}
      </p>
      {unknown.length > 0 && (
        <>
          <h3>{counted(unknown.length, 'name is', 'names are')} not known</h3>
          <ul className="plain-list">
            {unknown.map(({ entry }) => (
              <li key={entry}>{cleanText(entry)}</li>
            ))}
          </ul>
        </>
      )}
      {ambiguous.map(({ entry, objects }) => (
        <fieldset key={entry} className="choices">
          <legend>
            {cleanText(entry)} names {counted(objects.length, 'object')}
          </legend>
          {objects.map(({ id, name, kind }) => (
            <label key={id}>
              <input type="checkbox" checked={chosen.has(id)} onChange={() => toggle(id)} />{' '}
              <Name text={name} id={id} /> <span className="quiet">{kind}</span>
            </label>
          ))}
        </fieldset>
      ))}
    </div>
  );
}

const MAX_FOUND = 1000;

/** Looks for ids and whole names first, then for the remaining entries as names to log on. */
async function lookUp(entries: readonly string[]): Promise<readonly Matched[]> {
  const keys = [...new Set(entries.flatMap((entry) => [entry, entry.toUpperCase()]))];
  const named = await query('n.objectid IN $keys OR n.name IN $keys', keys);
  const first = matched(entries, named);
  const open = first.filter(({ objects }) => objects.length === 0).map(({ entry }) => entry.toUpperCase());
  if (open.length === 0) return first;
  const accounts = open.flatMap((entry) => [entry, `${entry}$`]);
  return matched(entries, [...named, ...(await query('toUpper(n.samaccountname) IN $keys', accounts))]);
}

async function query(condition: string, keys: readonly string[]): Promise<readonly PastedObject[]> {
  const body = {
    query: `MATCH (n) WHERE ${condition} RETURN n LIMIT ${MAX_FOUND}`,
    parameters: { keys },
    include_properties: true,
    rows: true,
  };
  const { data } = await call('RunCypherQuery', { body }, { wait: 60 });
  return Object.values(data.nodes).map(({ objectId, label, kind, properties }) => {
    const account = properties?.samaccountname;
    return { id: objectId, name: label, kind, ...(typeof account === 'string' && { account }) };
  });
}
