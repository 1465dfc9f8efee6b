/** Counts the rows of a list without each of its filters, while the list is empty. */
import type { AnswerOf, OperationId } from '@clew/api';
import type { CallInput } from '@clew/client';
import { useQueries } from '@tanstack/react-query';
import { call } from '../service/client.ts';

/** Further filters have no count: each count is a request. */
const MAX_COUNTED = 6;

/** Operations that count the rows of a list. */
export type Counting = {
  [Id in OperationId]: AnswerOf<Id> extends { readonly count: number } ? Id : never;
}[OperationId];

/**
 * @param inputs the input of the list without one of its filters, for each filter
 * @returns the counts; `undefined` while not known
 */
export function useCountsWithout<Id extends Counting>(
  operationId: Id,
  inputs: readonly CallInput<Id>[],
): readonly (number | undefined)[] {
  const answers = useQueries({
    queries: inputs.slice(0, MAX_COUNTED).map((input) => ({
      queryKey: [operationId, input],
      queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
        (call as unknown as Caller<Id>)(operationId, input, { signal }),
    })),
  });
  return inputs.map((_, at) => answers[at]?.data?.count);
}

type Caller<Id extends Counting> = (
  operationId: Id,
  input: CallInput<Id>,
  options: { readonly signal: AbortSignal },
) => Promise<{ readonly count: number }>;
