import { pathTo } from '../../address.ts';
import { EDGE_CATEGORIES } from '../../edges/edgeKinds.ts';
import { Empty } from '../../parts/Answer.tsx';
import { FilteredOut } from '../../parts/FilteredOut.tsx';
import { NoData } from '../../parts/NoData.tsx';
import { ObjectLink } from '../../parts/ObjectLink.tsx';
import { useAnswer } from '../../service/queries.ts';
import { counted } from '../../text/formats.ts';
import { environmentWords } from '../findings/NoFindings.tsx';
import { SavedDrawings } from './DrawingCard.tsx';
import { isSet, OWNED_SET, setWords, TIER_ZERO_SET } from './endSets.ts';
import type { ExploreActions } from './exploreActions.ts';
import type { ExploreState } from './exploreState.ts';
import { GraphTable } from './GraphTable.tsx';
import type { Found } from './useExploreGraph.ts';

export function NothingToDraw({
  state,
  found,
  actions,
  nameOf,
  onFilters,
}: {
  readonly onFilters: OnFilters;
  readonly state: ExploreState;
  readonly found: Found | undefined;
  readonly actions: ExploreActions;
  readonly nameOf: (id: string) => string;
}) {
  if (state.hidden.size > 0 && found !== undefined && found.graph.nodes.size > 0)
    return (
      <div className="scroll middle-of-page">
        <Empty title="All objects are hidden" action={{ words: 'Show hidden', onAct: actions.unhide }}>
          You have hidden all objects of this drawing.
        </Empty>
      </div>
    );
  if (found?.result !== undefined)
    return (found.result.rows ?? []).length > 0 ? (
      <GraphTable
        graph={{ nodes: new Map(), edges: [] }}
        result={found.result}
        seconds={found.seconds}
        actions={actions}
        nameOf={nameOf}
      />
    ) : (
      <div className="scroll">
        <Empty title="The query found nothing" example={EXAMPLE_QUERY}>
          No object or relationship of the latest results matches it.
        </Empty>
      </div>
    );
  if (found?.noPath !== undefined)
    return <NoPathFound {...{ state, nameOf, onFilters }} noPath={found.noPath} />;
  if (state.mode === 'object' && found === undefined) return <StartHere environment={state.environment} />;
  return (
    <div className="scroll middle-of-page">
      <NothingAsked mode={state.mode} />
    </div>
  );
}

const EXAMPLE_QUERY = <code>MATCH (u:User) WHERE u.enabled RETURN u LIMIT 10</code>;

/** Prompts for ends, a query or an object. */
function NothingAsked({ mode }: Pick<ExploreState, 'mode'>) {
  if (mode === 'path')
    return (
      <Empty
        title="Choose both ends of the path"
        example="from a user of the help desk to Domain Admins"
        action={{
          words: 'From owned objects to Tier Zero',
          href: pathTo('explore', { mode: 'path', from: OWNED_SET, to: TIER_ZERO_SET }),
        }}
      >
        All shortest paths between them are drawn, with an explanation.
      </Empty>
    );
  if (mode === 'query')
    return (
      <Empty
        title="Run a query"
        example={EXAMPLE_QUERY}
        action={{
          words: 'Run the example',
          href: pathTo('explore', { mode, q: 'MATCH (u:User) WHERE u.enabled RETURN u LIMIT 10' }),
        }}
      >
        Write a Cypher query, or choose one from the library.
      </Empty>
    );
  return (
    <Empty
      title="Choose an object"
      example="Domain Admins"
      action={{ words: 'Start with well-known objects', href: '/explore' }}
    >
      This object is not in the latest results.
    </Empty>
  );
}

/** Well-known objects that most users search for first. */
const WELL_KNOWN = ['Domain Users', 'Authenticated Users', 'Domain Admins', 'Domain Computers'] as const;

/** The start view: objects to begin with, and saved drawings. */
function StartHere({ environment }: { readonly environment: string | undefined }) {
  return (
    <div className="scroll middle-of-page">
      <NothingCollected />
      <section className="start-here">
        <h2>Choose an object</h2>
        <p className="quiet">
          Search for it above. Objects with rights over it are on the left, and objects that it has rights
          over are on the right.
        </p>
        <div className="two-lists">
          <WellKnown environment={environment} />
          <SavedDrawings />
        </div>
      </section>
    </div>
  );
}

/** Without data, no search has a result. */
function NothingCollected() {
  const environments = useAnswer('GetAvailableDomains').data?.data;
  if (environments === undefined || environments.length > 0) return null;
  return (
    <NoData example="“DOMAIN ADMINS: 1,226 of 1,240 users and computers can reach it”">
      After the first upload, you can search for objects and see everything that can act on them.
    </NoData>
  );
}

/** Maximum number of equally named groups to search for the group of an environment. */
const MAX_SAME = 50;

function WellKnown({ environment }: { readonly environment: string | undefined }) {
  const environments = useAnswer('GetAvailableDomains', {}, { enabled: environment !== undefined }).data
    ?.data;
  const domain = environments?.find(({ id }) => id === environment)?.name;
  const [users, authenticated, admins, computers] = WELL_KNOWN.map((name) => ({
    q: name,
    type: 'Group',
    limit: environment === undefined ? 1 : MAX_SAME,
  }));
  const found = [
    useAnswer('Search', { query: users }),
    useAnswer('Search', { query: authenticated }),
    useAnswer('Search', { query: admins }),
    useAnswer('Search', { query: computers }),
  ].flatMap(({ data }) => {
    const all = data?.data ?? [];
    if (environment === undefined) return all;
    return all.filter(({ name }) => domain !== undefined && name.endsWith(`@${domain}`)).slice(0, 1);
  });
  if (found.length === 0) return null;
  return (
    <section aria-label="Objects to start with">
      <h3>Begin with</h3>
      <ul className="plain-list">
        {found.map(({ objectid, name, type }) => (
          <li key={objectid}>
            <ObjectLink object={{ object_id: objectid, name, kind: type }} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function NoPathFound({
  state,
  noPath,
  nameOf,
  onFilters,
}: {
  readonly state: ExploreState;
  readonly nameOf: (id: string) => string;
  readonly onFilters: OnFilters;
  readonly noPath: NonNullable<Found['noPath']>;
}) {
  const why = (
    <>
      {state.from !== undefined && isSet(state.from) && (
        <p>The path starts at {setWords(state.from)}. The start may not exist, or cannot reach the end.</p>
      )}
      {!isSet(state.from) && !isSet(state.to) && (
        <p>
          From the start {counted(noPath.reached, 'object')} can be reached, and{' '}
          {counted(noPath.reaching, 'object')} can reach the end; none is in both.
        </p>
      )}
      {noPath.nearest.length > 0 && (
        <>
          <p>The shortest link between them, without control, leads over</p>
          <ul className="plain-list">
            {noPath.nearest.map((object) => (
              <li key={object.object_id}>
                <ObjectLink object={object} />
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
  const environments = useAnswer('GetAvailableDomains').data?.data ?? [];
  const filters = pathFilters(state, nameOf, (env) => environmentWords(env, environments)).map((filter) => ({
    ...{ name: filter.name, words: filter.words },
    onDrop: () => onFilters(filter.without),
  }));
  return (
    <div className="scroll middle-of-page">
      {filters.length === 0 ? (
        <Empty title="No path">{why}</Empty>
      ) : (
        <FilteredOut
          noun={['path', 'paths']}
          filters={filters}
          onClear={() => onFilters({ without: undefined, around: undefined, env: undefined })}
        >
          {why}
        </FilteredOut>
      )}
    </div>
  );
}

type FilterChanges = Readonly<Record<string, readonly string[] | undefined>>;
type OnFilters = (changes: FilterChanges) => void;

/** The filters of the paths of the address, each with the change that drops it. */
function pathFilters(
  { without, excluded, ways, from, to, environment }: ExploreState,
  nameOf: (id: string) => string,
  environmentText: (id: string) => string,
): readonly { readonly name: string; readonly words: string; readonly without: FilterChanges }[] {
  return [
    // Only all shortest paths, and paths around objects, exclude kinds.
    ...(ways === 'all' || excluded.length > 0 ? [...without] : []).map((category) => ({
      ...{ name: category, words: `No ${EDGE_CATEGORIES[category]}` },
      without: { without: [...without].filter((one) => one !== category) },
    })),
    ...excluded.map((id) => ({
      ...{ name: id, words: `Not through ${nameOf(id)}` },
      without: { around: excluded.filter((one) => one !== id) },
    })),
    ...(environment !== undefined && (isSet(from) || isSet(to))
      ? [{ name: 'env', words: environmentText(environment), without: { env: undefined } }]
      : []),
  ];
}
