/** A question that defenders ask, as a query. Lists end at 1,000 rows: what is longer is a project, not a list. */
export interface BuiltInQuery {
  /** Stable; for commands and links. */
  readonly key: string;
  readonly category: string;
  /** What it answers. */
  readonly question: string;
  /** What the rows are, and why they matter. */
  readonly description: string;
  /** What to do with the result. */
  readonly advice: string;
  readonly query: string;
}

export type QuestionOfCategory = Omit<BuiltInQuery, 'category'>;
