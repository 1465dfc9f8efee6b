/** The text of Explore without a drawing: what to choose, or why no path exists. */
import { Empty } from '../../parts/Answer.tsx';
import { ObjectLink } from '../../parts/ObjectLink.tsx';
import { counted } from '../../text/formats.ts';
import { isSet, setWords } from './endSets.ts';
import type { ExploreActions } from './exploreActions.ts';
import type { ExploreState } from './exploreState.ts';
import { GraphTable } from './GraphTable.tsx';
import type { Found } from './useExploreGraph.ts';

export function NothingToDraw({
  state,
  found,
  actions,
  nameOf,
  onAllKinds,
}: {
  readonly onAllKinds: () => void;
  readonly state: ExploreState;
  readonly found: Found | undefined;
  readonly actions: ExploreActions;
  readonly nameOf: (id: string) => string;
}) {
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
        <Empty title="The query found nothing" />
      </div>
    );
  if (found?.noPath !== undefined)
    return <NoPathFound state={state} noPath={found.noPath} onAllKinds={onAllKinds} />;
  return (
    <div className="scroll">
      <Empty
        title={
          state.mode === 'path'
            ? 'Choose both ends of the path'
            : state.mode === 'query'
              ? 'Run a query'
              : 'Choose an object'
        }
      >
        <p>
          {state.mode === 'path'
            ? 'All shortest paths from one to the other are drawn from left to right.'
            : state.mode === 'query'
              ? 'Write one, or take one of those that are there.'
              : found !== undefined
                ? 'The object is not in the newest results.'
                : 'Its relationships are drawn, with its details next to them.'}
        </p>
      </Empty>
    </div>
  );
}

function NoPathFound({
  state,
  noPath,
  onAllKinds,
}: {
  readonly state: ExploreState;
  readonly onAllKinds: () => void;
  readonly noPath: NonNullable<Found['noPath']>;
}) {
  return (
    <div className="scroll">
      <Empty title="No path">
        {state.without.size > 0 && (
          <p>
            The filter leaves out kinds of relationships. With them there may be a path.{' '}
            <button type="button" onClick={onAllKinds}>
              Use all kinds
            </button>
          </p>
        )}
        {state.from !== undefined && isSet(state.from) && (
          <p>
            The path starts at {setWords(state.from)}. There may be no such object, or none can reach the end.
          </p>
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
      </Empty>
    </div>
  );
}
