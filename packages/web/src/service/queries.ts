/** Answers of the service for pages: cached, canceled with their page, and requested again when stale. */
import type { AnswerOf, OperationId } from '@clew/api';
import { ApiError, type CallInput } from '@clew/client';
import {
  keepPreviousData,
  QueryClient,
  type UseQueryResult,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { call } from './client.ts';
import { sessionToken, subscribe } from './session.ts';

/** Answers change with an analysis, which the interface notices; until then they stay valid. */
const FRESH_MS = 60_000;
/** Answers that no page shows any more are released, so that the memory of a tab stays limited. */
const KEPT_MS = 120_000;

export const queryClient = new QueryClient({
  defaultOptions: {
    // The client under it has tried again already.
    queries: { retry: false, staleTime: FRESH_MS, gcTime: KEPT_MS, refetchOnWindowFocus: false },
  },
});

// Answers of one session are not used for the next.
subscribe(() => {
  if (sessionToken() === undefined) queryClient.clear();
});

interface AnswerOptions {
  readonly enabled?: boolean;
  /** Milliseconds between two requests for data that changes by itself. */
  readonly every?: number;
  /** The earlier answer stays until the new one arrives: for pages of lists. */
  readonly keep?: boolean;
}

export function useAnswer<Id extends OperationId>(
  operationId: Id,
  input: CallInput<Id> = {} as CallInput<Id>,
  { enabled, every, keep }: AnswerOptions = {},
): UseQueryResult<AnswerOf<Id>> {
  return useQuery({
    queryKey: [operationId, input],
    queryFn: ({ signal }) =>
      (call as unknown as Caller<Id>)(operationId, input, {
        signal,
      }),
    enabled,
    refetchInterval: every,
    placeholderData: keep ? (keepPreviousData as never) : undefined,
  }) as UseQueryResult<AnswerOf<Id>>;
}

/**
 * Runs a change, and requests affected answers again. @param touched operations whose answers it may change; default:
 * all
 */
export function useChange<Input, Result>(
  change: (input: Input) => Promise<Result>,
  touched?: readonly OperationId[],
) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSettled: () =>
      touched === undefined
        ? queries.invalidateQueries()
        : Promise.all(touched.map((id) => queries.invalidateQueries({ queryKey: [id] }))),
  });
}

/** The text of an error for users, and the id to find it in the log. */
export function describeError(error: unknown): { readonly text: string; readonly requestId?: string } {
  if (error instanceof ApiError) {
    const text = error.messages.join('; ') || `The service answered ${error.status}`;
    return { text: text.charAt(0).toUpperCase() + text.slice(1), requestId: error.requestId };
  }
  if (error instanceof Error && error.name === 'ConnectionError')
    return { text: 'The service cannot be reached. Check the network, and that it is running.' };
  if (error instanceof Error && error.name === 'TimeoutError')
    return { text: 'The service took too long to answer.' };
  return { text: error instanceof Error ? error.message : String(error) };
}

export const isForbidden = (error: unknown): boolean => error instanceof ApiError && error.status === 403;

export const isNotFound = (error: unknown): boolean => error instanceof ApiError && error.status === 404;

type Caller<Id extends OperationId> = (
  operationId: Id,
  input: CallInput<Id>,
  options: { readonly signal: AbortSignal },
) => Promise<AnswerOf<Id>>;
