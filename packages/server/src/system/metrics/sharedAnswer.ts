/**
 * Gauges of one scrape are collected at the same time: those that need the same data share one query.
 * @returns a function that starts a query, unless one is pending
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
