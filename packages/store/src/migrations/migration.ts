/** A forward-only step of the schema. After its release it never changes: a correction is a new step. */
export interface Migration {
  /** Unique and final: the database records it. Number, then the subject: `003-identity`. */
  readonly name: string;
  /** One or more statements; they run in one transaction with the record of the step. */
  readonly sql: string;
}
