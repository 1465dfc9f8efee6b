import type { MessagePort } from 'node:worker_threads';
import { type FinishedSpan, recordSpans, traced } from '../tracing/tracing.ts';
import type { FromGenerationThread, ToGenerationThread } from './generationThread.ts';
import { giveBackMemory } from './giveBackMemory.ts';

/** Maximum number of spans of one question, besides the span of the question itself. */
const MAX_SPANS = 1_000;

/** One question to a `GenerationThread`, as its thread receives it. */
export type GenerationQuestion = Extract<ToGenerationThread, { type: 'run' }>;

/** Appends work to the queue of the thread. The work must not reject. */
export type InTurn = (work: () => void | Promise<void>) => void;

/**
 * Runs in the thread of a `GenerationThread`, and answers one question at a time, because each needs a complete core.
 *
 * @param answer posts the result or the failure of a question, and does not reject
 * @param end closes the resources of the thread, after the last question
 * @param forget frees the kept data of its generation, and does not reject @returns a function that appends other work of the thread to the
 * same queue
 */
export function answerInTurn(
  port: MessagePort,
  answer: (question: GenerationQuestion) => Promise<void>,
  end: () => Promise<void>,
  forget: () => void | Promise<void> = () => {},
): InTurn {
  let turn: Promise<void> = Promise.resolve();
  const inTurn: InTurn = (work) => {
    turn = turn.then(work);
  };
  port.on('message', (message: ToGenerationThread) => {
    if (message.type === 'end')
      inTurn(async () => {
        await end();
        port.close();
      });
    else if (message.type === 'forget')
      inTurn(async () => {
        await forget();
        port.postMessage({ id: message.id, result: undefined } satisfies FromGenerationThread);
      });
    else inTurn(() => (message.type === 'rest' ? giveBackMemory() : traceAnswer(port, message, answer)));
  });
  return inTurn;
}

/** The parent sends the spans of a thread, which therefore needs no connection to the receiver. */
async function traceAnswer(
  port: MessagePort,
  question: GenerationQuestion,
  answer: (question: GenerationQuestion) => Promise<void>,
): Promise<void> {
  const { trace, task } = question;
  if (trace === undefined) return answer(question);
  const spans: FinishedSpan[] = [];
  recordSpans((span) => {
    if (spans.length < MAX_SPANS || span.parentId === trace.spanId) spans.push(span);
  });
  await traced(task, { parent: trace }, () => answer(question));
  recordSpans(undefined);
  port.postMessage({ spans } satisfies FromGenerationThread);
}
