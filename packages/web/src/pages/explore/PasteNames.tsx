/** Converts pasted names or ids to ends of paths or a drawing. Lists unknown and ambiguous names. */
import { useRef, useState } from 'react';
import type { Address } from '../../address.ts';
import { useFieldDraft } from '../../parts/drafts.ts';
import { FormDialog } from '../../parts/FormDialog.tsx';
import type { FormValues } from '../../parts/formValues.ts';
import { Name } from '../../parts/Name.tsx';
import { call } from '../../service/client.ts';
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
  /** The end to set; without it, the dialog offers both uses. */
  readonly end?: 'from' | 'to';
  readonly onClose: () => void;
}

const FRESH = { with: undefined, hide: undefined, only: undefined, unfold: undefined, selected: undefined };

export function PasteNames({ address, end, onClose }: PasteNamesProps) {
  const draft = useFieldDraft('pasted names');
  const [found, setFound] = useState<readonly Matched[]>();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const looked = useRef('');
  const present = useRef('');
  const ids = [...chosen];
  const isTooLong = listSet(ids).length > MAX_LIST;
  const isUseless = ids.length === 0 || isTooLong;
  const use = (parameters: Parameters<Address['set']>[0]) => {
    draft.sent();
    address.set({ ...FRESH, drawing: undefined, object: undefined, ...parameters });
    onClose();
  };
  const actions = [
    ['Paths from them', 'from', () => use({ mode: 'path', from: listSet(ids) })],
    ['Paths to them', 'to', () => use({ mode: 'path', to: listSet(ids) })],
    ['Draw them', 'draw', () => use({ mode: 'query', q: drawQuery(ids), show: 'graph' })],
  ] as const;
  const [main = actions[0], ...more] = actions.filter(([, use]) => end === undefined || use === end);
  const outcome = found && <Outcome found={found} chosen={chosen} onChoose={setChosen} />;
  return (
    <FormDialog
      title="Paste names"
      fields={[
        {
          ...{ type: 'long', name: 'names', label: 'Names or object IDs, one per line' },
          ...{ rows: 6, isCode: true, draft },
        },
        {
          ...{ type: 'content', name: 'too many', when: (values) => entriesOf(values).length > MAX_PASTED },
          content: (values) => (
            <p className="failure" role="alert">
              {counted(entriesOf(values).length, 'name')}: at most {MAX_PASTED} at once. Use a zone, a label,
              or a saved query for more.
            </p>
          ),
        },
        { type: 'content', name: 'outcome', content: outcome },
        {
          ...{ type: 'content', name: 'too long', when: () => isTooLong },
          content: (
            <p className="failure" role="alert">
              The IDs of these objects are too long for an address: use fewer objects.
            </p>
          ),
        },
      ]}
      words={
        found === undefined ? 'Look up' : end === undefined ? main[0] : `Use ${counted(ids.length, 'object')}`
      }
      pendingWords="Looking up…"
      isDisabled={(values) => {
        const { length } = entriesOf(values);
        return found === undefined ? length === 0 || length > MAX_PASTED : isUseless;
      }}
      onInput={(values) => {
        present.current = values.exact('names');
        // Choosing among the results does not change the names.
        if (present.current !== looked.current) setFound(undefined);
      }}
      send={async (values) => {
        looked.current = values.exact('names');
        present.current = looked.current;
        return found === undefined ? lookUp(entriesOf(values)) : undefined;
      }}
      touched={[]}
      onDone={(all) => {
        if (all === undefined) return main[2]();
        // The names changed during the request, so its objects are outdated.
        if (present.current !== looked.current) return;
        setFound(all);
        setChosen(new Set(all.filter(({ objects }) => objects.length === 1).flatMap(idsIn)));
      }}
      onClose={onClose}
    >
      {found !== undefined &&
        more.map(([words, use, act]) => (
          <button key={use} type="button" disabled={isUseless} onClick={act}>
            {words}
          </button>
        ))}
    </FormDialog>
  );
}

const entriesOf = (values: FormValues): readonly string[] => pastedEntries(values.exact('names'));

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

/** Looks up ids and full names first, then the remaining entries as logon names. */
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
