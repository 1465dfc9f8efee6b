/** What was asked for does not fit the graph; its message is for the user. */
export class PlanError extends Error {
  override readonly name = 'PlanError';
}
