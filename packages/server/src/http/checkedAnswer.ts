/** Holds answers to their contracts, for tests. */
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { AnyAnswer } from '@clew/common';
import type { Operation } from './pipeline.ts';

/** Reads streamed JSON completely for checking in tests. @throws Error for an answer that breaks its contract */
export async function checkedAnswer({ contract, reader }: Operation, answer: AnyAnswer): Promise<AnyAnswer> {
  const streamed =
    'stream' in answer && answer.mediaType === 'application/json' ? await text(answer.stream) : undefined;
  if ('text' in answer || ('stream' in answer && streamed === undefined)) return answer;
  const json = 'json' in answer ? answer.json : streamed === undefined ? undefined : JSON.parse(streamed);
  const fault = reader.faultOfAnswer(answer.status, json);
  if (fault !== undefined) throw new Error(`answer of ${contract.operationId} breaks its contract: ${fault}`);
  return streamed === undefined ? answer : { ...answer, stream: Readable.from([streamed]) };
}
