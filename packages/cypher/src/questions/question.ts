/** A question that defenders ask, as a query. Lists end at 1,000 rows: a longer one is a project, not a list. */
export interface BuiltInQuery {
  /** Stable; for commands and links. */
  readonly key: string;
  readonly category: string;
  /** The question that it answers. */
  readonly question: string;
  /** The meaning of the rows, and why they matter. */
  readonly description: string;
  /** Advice on how to act on the result. */
  readonly advice: string;
  readonly query: string;
}

export type QuestionOfCategory = Omit<BuiltInQuery, 'category'>;
