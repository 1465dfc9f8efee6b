/** Both ends of a path, and its allowed relationships: always visible, stored in the address. */
import { ArrowUpDown } from 'lucide';
import { useState } from 'react';
import type { Address } from '../../address.ts';
import { EDGE_CATEGORIES, type EdgeCategory, TRAVERSABLE_KINDS } from '../../edges/edgeKinds.ts';
import { Icon } from '../../parts/Icon.tsx';
import { Name } from '../../parts/Name.tsx';
import { SearchBox } from '../../parts/SearchBox.tsx';
import { useAnswer } from '../../service/queries.ts';
import { cleanText } from '../../text/cleanText.ts';
import { EndSetChoice } from './EndSetChoice.tsx';
import { isSet, OUTSIDE_SET, queryOf, setWords, zoneSetOf } from './endSets.ts';
import type { ExploreState } from './exploreState.ts';
import { useObject } from './objectData.ts';
import { PasteNames } from './PasteNames.tsx';
import { useZoneName } from './useZoneName.ts';

const WAYS = [
  ['all', 'All shortest paths'],
  ['alternatives', 'Five paths, including longer ones'],
  ['disjoint', 'Disjoint paths'],
  ['easiest', 'Five paths with the lowest attack effort'],
] as const;

/** Choices for paths from any principal outside the zone of the end, of which one is the easiest. */
const WAYS_FROM_OUTSIDE = [
  ['easiest', 'The easiest path'],
  ['all', 'Shortest paths'],
] as const;

export function PathForm({ state, address }: { readonly state: ExploreState; readonly address: Address }) {
  const [pasting, setPasting] = useState<'from' | 'to'>();
  const fresh = { hide: undefined, with: undefined, unfold: undefined, selected: undefined };
  return (
    <div className="path-form">
      <div className="path-ends">
        <End
          label="From"
          end={state.from}
          first={OUTSIDE_SET}
          onEnd={(from) => address.set({ ...fresh, from })}
          onPaste={() => setPasting('from')}
        />
        <End
          label="To"
          end={state.to}
          first={zoneSetOf(state.zone, useZoneName(state.zone))}
          onEnd={(to) => address.set({ ...fresh, to })}
          onPaste={() => setPasting('to')}
        />
        <button
          type="button"
          disabled={isSet(state.from) || isSet(state.to)}
          className="ghost swap"
          title="Swap ends"
          onClick={() => address.set({ ...fresh, from: state.to, to: state.from })}
        >
          <Icon of={ArrowUpDown} size={14} />
          <span className="unseen">Swap ends</span>
        </button>
      </div>
      <label>
        <span className="unseen">Show</span>
        <select
          disabled={state.excluded.length > 0}
          value={state.excluded.length > 0 ? 'all' : state.ways}
          onChange={({ target }) =>
            address.set({ ways: target.value === 'all' ? undefined : target.value, selected: undefined })
          }
        >
          {(state.from === OUTSIDE_SET ? WAYS_FROM_OUTSIDE : WAYS).map(([ways, words]) => (
            <option key={ways} value={ways}>
              {words}
            </option>
          ))}
        </select>
      </label>
      <Excluded state={state} address={address} />
      <KindFilter state={state} address={address} />
      {pasting !== undefined && (
        <PasteNames address={address} end={pasting} onClose={() => setPasting(undefined)} />
      )}
    </div>
  );
}

function End({
  label,
  end,
  first,
  onEnd,
  onPaste,
}: {
  readonly label: string;
  readonly end: string | undefined;
  /** The set that is offered first. */
  readonly first: string;
  readonly onEnd: (end: string | undefined) => void;
  readonly onPaste: () => void;
}) {
  const named = useObject(end === undefined || isSet(end) ? undefined : end);
  const query = queryOf(end);
  const saved = useAnswer(
    'GetSavedQuery',
    { params: { saved_query_id: query ?? 0 } },
    { enabled: query !== undefined },
  );
  return (
    <>
      {end !== undefined && isSet(end) ? (
        <p className={`path-end ${label.toLowerCase()}`}>
          <span className="unseen">{label}: </span>
          <strong>{cleanText(setWords(end, saved.data?.data.name))}</strong>{' '}
          <button type="button" className="plain" onClick={() => onEnd(undefined)}>
            Change
          </button>
        </p>
      ) : (
        <div className={`path-end-box ${label.toLowerCase()}`}>
          <SearchBox
            label={label}
            text={end === undefined ? '' : cleanText(named.data?.node.label ?? end)}
            onPick={({ objectid }) => onEnd(objectid)}
          />
          <EndSetChoice label={`${label} a set`} first={first} onChoose={onEnd} onPaste={onPaste} />
        </div>
      )}
    </>
  );
}

/** Objects that paths avoid: selected in the menu of an object. */
function Excluded({
  state: { excluded },
  address,
}: {
  readonly state: ExploreState;
  readonly address: Address;
}) {
  if (excluded.length === 0) return null;
  return (
    <ul className="chips excluded" aria-label="Excluded from paths">
      {excluded.map((id) => (
        <li key={id}>
          <button
            type="button"
            onClick={() => address.set({ around: excluded.filter((one) => one !== id), selected: undefined })}
          >
            Not <ExcludedName id={id} /> <span aria-hidden="true">✕</span>
            <span className="unseen">: let paths use it again</span>
          </button>
        </li>
      ))}
    </ul>
  );
}

function ExcludedName({ id }: { readonly id: string }) {
  const { data } = useObject(id);
  return <Name text={data?.node.label} id={id} />;
}

/** Excluded kinds of relationships in paths and neighborhoods, each with a button to include it again. */
export function LeftOutKinds({
  state,
  address,
}: {
  readonly state: ExploreState;
  readonly address: Address;
}) {
  if (state.without.size === 0) return null;
  return (
    <ul className="chips excluded" aria-label="Relationships left out">
      {[...state.without].map((category) => (
        <li key={category}>
          <button
            type="button"
            onClick={() => address.set({ without: [...state.without].filter((one) => one !== category) })}
          >
            Without {EDGE_CATEGORIES[category].toLowerCase()} <span aria-hidden="true">✕</span>
            <span className="unseen">: include them again</span>
          </button>
        </li>
      ))}
    </ul>
  );
}

function KindFilter({ state, address }: { readonly state: ExploreState; readonly address: Address }) {
  const set = (categories: Iterable<EdgeCategory>) => address.set({ without: [...categories] });
  return (
    <details className="kind-filter" open={state.without.size > 0 ? true : undefined}>
      <summary>
        Relationships that paths may use
        {state.without.size > 0 && <span className="mark">{state.without.size} left out</span>}
      </summary>
      <fieldset>
        <legend className="unseen">Relationships that paths may use</legend>
        {state.ways !== 'all' && state.excluded.length === 0 && (
          <p className="quiet">Only "All shortest paths" can exclude kinds.</p>
        )}
        {[...TRAVERSABLE_KINDS].map(([category, kinds]) => (
          <label key={category} title={kinds.join(', ')}>
            <input
              type="checkbox"
              disabled={state.ways !== 'all' && state.excluded.length === 0}
              checked={!state.without.has(category)}
              onChange={({ target }) => {
                const next = new Set(state.without);
                if (target.checked) next.delete(category);
                else next.add(category);
                set(next);
              }}
            />{' '}
            {EDGE_CATEGORIES[category]} <span className="quiet">({kinds.length})</span>
          </label>
        ))}
        {state.without.size > 0 && (
          <button type="button" onClick={() => set([])}>
            All kinds
          </button>
        )}
      </fieldset>
    </details>
  );
}
