/**
 * A question that defenders ask, as a query. Lists have at most 1,000 rows, because longer lists are not practical
 * to work through.
 */
export interface BuiltInQuery {
  /** Stable key, for commands and links. */
  readonly key: string;
  readonly category: string;
  /** The question that the query answers. */
  readonly question: string;
  /** The meaning of the rows, and why they matter. */
  readonly description: string;
  /** Advice on how to act on the result. */
  readonly advice: string;
  readonly query: string;
}

export type QuestionOfCategory = Omit<BuiltInQuery, 'category'>;
