/**
 * Gauges of one scrape are collected at the same time: those that need the same answer share one question.
 * @returns a function that asks, unless an answer is under way
 */
export function sharedAnswer<Answer>(ask: () => Promise<Answer>): () => Promise<Answer> {
  let asked: Promise<Answer> | undefined;
  return () => {
    asked ??= ask().finally(() => {
      asked = undefined;
    });
    return asked;
  };
}
