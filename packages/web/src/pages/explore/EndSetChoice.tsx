/** Chooses a set of objects as an end of paths: a mark, a zone, a kind, or the results of a saved query. */
import { NODE_DEFINITIONS } from '@clew/model';
import { useAnswer } from '../../service/queries.ts';
import { cleanText, shortText } from '../../text/cleanText.ts';
import { labelSet, OWNED_SET, querySet, setWords, TIER_ZERO_SET, zoneLabel } from './endSets.ts';
import { parametersIn } from './queryText.ts';

interface EndSetChoiceProps {
  readonly label: string;
  readonly first: string;
  readonly onChoose: (set: string) => void;
  /** Called to paste a list. */
  readonly onPaste: () => void;
}

const PASTE = 'paste';

const MAX_NAME = 60;
const KINDS = NODE_DEFINITIONS.map(([name, { label }]) => [name, label] as const).sort(([, a], [, b]) =>
  a.localeCompare(b, 'en'),
);
/** Owned and Tier Zero have separate entries. */
const OWN_ENTRY = new Set(['Tag_Owned', 'Tag_Tier_Zero']);

export function EndSetChoice({ label, first, onChoose, onPaste }: EndSetChoiceProps) {
  const tags = useAnswer('GetAssetGroupTags');
  const queries = useAnswer('ListSavedQueries', { query: { scope: 'all', limit: 200 } });
  const zones = (tags.data?.data.tags ?? []).filter(({ name }) => !OWN_ENTRY.has(zoneLabel(name)));
  // A query with parameters cannot run without values.
  const saved = (queries.data?.data ?? []).filter(({ query }) => parametersIn(query).length === 0);
  const marks = [first, ...[OWNED_SET, TIER_ZERO_SET].filter((set) => set !== first)];
  return (
    <select
      className="end-set"
      aria-label={label}
      value=""
      onChange={({ target }) => {
        if (target.value === PASTE) onPaste();
        else if (target.value !== '') onChoose(target.value);
      }}
    >
      <option value="">or a set…</option>
      {marks.map((set) => (
        <option key={set} value={set}>
          {setWords(set)}
        </option>
      ))}
      <option value={PASTE}>pasted names…</option>
      {zones.length > 0 && (
        <optgroup label="Zones and labels">
          {zones.map(({ id, name }) => (
            <option key={id} value={labelSet(zoneLabel(name))}>
              {shortText(cleanText(name), MAX_NAME)}
            </option>
          ))}
        </optgroup>
      )}
      {saved.length > 0 && (
        <optgroup label="Saved queries">
          {saved.map(({ id, name }) => (
            <option key={id} value={querySet(id)}>
              {shortText(cleanText(name), MAX_NAME)}
            </option>
          ))}
        </optgroup>
      )}
      <optgroup label="Types of objects">
        {KINDS.map(([name, words]) => (
          <option key={name} value={labelSet(name)}>
            {words}
          </option>
        ))}
      </optgroup>
    </select>
  );
}
