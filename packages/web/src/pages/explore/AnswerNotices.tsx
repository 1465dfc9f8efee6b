/** Notices over a drawing: errors, warnings, and objects that are being added. */
import type { UseQueryResult } from '@tanstack/react-query';
import type { Graph } from '../../graph/model.ts';
import { Failure } from '../../parts/Answer.tsx';
import { describeError } from '../../service/queries.ts';
import { formatCount } from '../../text/formats.ts';
import type { ExploreState } from './exploreState.ts';
import { isRefusedQuery } from './queryText.ts';
import type { Found } from './useExploreGraph.ts';

interface AnswerNoticesProps {
  readonly state: ExploreState;
  readonly query: UseQueryResult<Found>;
  /** Added objects, which do not move the existing drawing. */
  readonly additions: readonly UseQueryResult<Graph>[];
  readonly layoutError: unknown;
  readonly graph: Graph;
  readonly isTooLarge: boolean;
}

export function AnswerNotices({
  state,
  query,
  additions,
  layoutError,
  graph,
  isTooLarge,
}: AnswerNoticesProps) {
  const isAdding = additions.some(({ isLoading }) => isLoading);
  return (
    <>
      {query.error !== null && !isRefusedQuery(state, query.error) && (
        <Failure error={query.error} what="the graph" retry={() => void query.refetch()} />
      )}
      {additions.map(({ error }, at) =>
        error === null ? null : (
          <p key={`${at + 1}`} className="failure" role="alert">
            Could not add all of it: {describeError(error).text}
          </p>
        ),
      )}
      {layoutError !== undefined && <Failure error={layoutError} what="the drawing" />}
      {[...(query.data?.result?.warnings ?? []), query.data?.note].map(
        (warning) =>
          warning !== undefined && (
            <p key={warning} className="warning">
              {warning}
            </p>
          ),
      )}
      {isTooLarge && (
        <p className="warning" role="status">
          {formatCount(graph.nodes.size)} objects and {formatCount(graph.edges.length)} relationships are too
          many to draw; the table shows all of them.
        </p>
      )}
      {isAdding && (
        <p className="notice" role="status">
          Adding relationships…
        </p>
      )}
    </>
  );
}
