/** Both ends of a path, and what it may use: always visible, kept in the address. */
import type { Address } from '../../address.ts';
import { EDGE_CATEGORIES, type EdgeCategory, TRAVERSABLE_KINDS } from '../../edges/edgeKinds.ts';
import { SearchBox } from '../../parts/SearchBox.tsx';
import { type ExploreState, isSet, SETS } from './exploreState.ts';
import { useObject } from './objectData.ts';

export function PathForm({ state, address }: { readonly state: ExploreState; readonly address: Address }) {
  const fresh = { hide: undefined, with: undefined, unfold: undefined, selected: undefined };
  return (
    <>
      <End label="From" end={state.from} set="@owned" onEnd={(from) => address.set({ ...fresh, from })} />
      <p className="bar">
        <button
          type="button"
          disabled={isSet(state.from) || isSet(state.to)}
          onClick={() => address.set({ ...fresh, from: state.to, to: state.from })}
        >
          Swap
        </button>
      </p>
      <End label="To" end={state.to} set="@tier-zero" onEnd={(to) => address.set({ ...fresh, to })} />
      <fieldset>
        <legend>Show</legend>
        {(
          [
            ['all', 'all shortest paths'],
            ['alternatives', 'five paths, also longer ones'],
            ['disjoint', 'paths that share no relation'],
            ['easiest', 'five paths of the least attack effort'],
          ] as const
        ).map(([ways, words]) => (
          <label key={ways}>
            <input
              type="radio"
              name="ways"
              checked={state.ways === ways}
              onChange={() => address.set({ ways: ways === 'all' ? undefined : ways })}
            />{' '}
            {words}
          </label>
        ))}
      </fieldset>
      <KindFilter state={state} address={address} />
    </>
  );
}

function End({
  label,
  end,
  set,
  onEnd,
}: {
  readonly label: string;
  readonly end: string | undefined;
  readonly set: '@owned' | '@tier-zero';
  readonly onEnd: (end: string | undefined) => void;
}) {
  const named = useObject(end === undefined || isSet(end) ? undefined : end);
  return (
    <>
      {isSet(end) ? (
        <p>
          {label}: {SETS[end]}{' '}
          <button type="button" className="chip" onClick={() => onEnd(undefined)}>
            another
          </button>
        </p>
      ) : (
        <>
          <SearchBox
            label={label}
            text={end === undefined ? '' : (named.data?.node.label ?? end)}
            onPick={({ objectid }) => onEnd(objectid)}
          />
          <button type="button" className="plain" onClick={() => onEnd(set)}>
            or {SETS[set]}
          </button>
        </>
      )}
    </>
  );
}

function KindFilter({ state, address }: { readonly state: ExploreState; readonly address: Address }) {
  const set = (categories: Iterable<EdgeCategory>) => address.set({ without: [...categories] });
  return (
    <fieldset>
      <legend>Relations that paths may use</legend>
      {state.ways !== 'all' && <p className="quiet">Only all shortest paths can leave kinds out.</p>}
      {[...TRAVERSABLE_KINDS].map(([category, kinds]) => (
        <label key={category} title={kinds.join(', ')}>
          <input
            type="checkbox"
            disabled={state.ways !== 'all'}
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
  );
}
