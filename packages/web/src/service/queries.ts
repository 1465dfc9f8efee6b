/** Answers of the service for pages: cached, canceled with their page, and requested again when stale. */
import type { AnswerOf, OperationId } from '@clew/api';
import { ApiError, type CallInput } from '@clew/client';
import {
  keepPreviousData,
  QueryClient,
  type UseMutationResult,
  type UseQueryResult,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { call } from './client.ts';
import { sessionToken, subscribe } from './session.ts';

/** Answers change with an analysis, which the interface notices; until then, they stay valid. */
const FRESH_MS = 60_000;
/** Answers that no page uses are released after this time, to limit the memory of a tab. */
const KEPT_MS = 120_000;

export const queryClient = new QueryClient({
  defaultOptions: {
    // The underlying client has already retried.
    queries: { retry: false, staleTime: FRESH_MS, gcTime: KEPT_MS, refetchOnWindowFocus: false },
  },
});

// Answers of one session are not reused in the next.
subscribe(() => {
  if (sessionToken() === undefined) queryClient.clear();
});

interface AnswerOptions {
  readonly enabled?: boolean;
  /** Polling interval in milliseconds, for data that changes without user actions. */
  readonly every?: number;
  /** Whether the earlier answer stays until the new one arrives: for paged lists. */
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

export interface ChangeOptions<Input, Result> {
  /** Operations whose answers may change; default: all. */
  readonly touched?: readonly OperationId[] | undefined;
  /**
   * Both are called after the affected answers are requested again, for each change, even if the component is no longer shown.
   */
  readonly onSuccess?: ((result: Result, input: Input) => void) | undefined;
  readonly onError?: (error: unknown, input: Input) => void;
}

/** A change without input is called without arguments. */
type Parameter<Input> = unknown extends Input ? [] : [input: Input];

/** Callbacks of a single call would be lost when its component is removed. */
type Change<Input, Result> = Omit<
  UseMutationResult<Result, unknown, Input>,
  'mutate' | 'mutateAsync' | 'reset'
> & {
  readonly mutate: (...input: Parameter<Input>) => void;
  readonly mutateAsync: (...input: Parameter<Input>) => Promise<Result>;
};

/** Runs a change, and requests the affected answers again. */
export function useChange<Input, Result>(
  change: (input: Input) => Promise<Result>,
  { touched, onSuccess, onError }: ChangeOptions<Input, Result> = {},
): Change<Input, Result> {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSettled: async (result, error, input) => {
      if (touched === undefined) await queries.invalidateQueries();
      else await Promise.all(touched.map((id) => queries.invalidateQueries({ queryKey: [id] })));
      if (error === null) onSuccess?.(result as Result, input);
      else onError?.(error, input);
    },
  });
}

/** The text of an error for users, and the id for finding it in the log. */
export function describeError(error: unknown): { readonly text: string; readonly requestId?: string } {
  if (error instanceof ApiError) {
    const text = error.messages.join('; ') || `The service returned status ${error.status}`;
    return { text: text.charAt(0).toUpperCase() + text.slice(1), requestId: error.requestId };
  }
  if (error instanceof Error && error.name === 'ConnectionError')
    return { text: 'The service cannot be reached. Check the network, and whether the service is running.' };
  if (error instanceof Error && error.name === 'TimeoutError')
    return { text: 'The service took too long to respond.' };
  return { text: error instanceof Error ? error.message : String(error) };
}

export const isForbidden = (error: unknown): boolean => error instanceof ApiError && error.status === 403;

export const isNotFound = (error: unknown): boolean => error instanceof ApiError && error.status === 404;

type Caller<Id extends OperationId> = (
  operationId: Id,
  input: CallInput<Id>,
  options: { readonly signal: AbortSignal },
) => Promise<AnswerOf<Id>>;
