/**
 * A step of the schema, forward only. Once released it is never changed: a correction is a step of its own.
 */
export interface Migration {
  /** Unique and final: the database records it. Number, then the subject: `003-identity`. */
  readonly name: string;
  /** One or more statements; they and the record of the step are one transaction. */
  readonly sql: string;
}
