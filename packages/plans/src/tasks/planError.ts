/** The request does not match the graph; the message is for the user. */
export class PlanError extends Error {
  override readonly name = 'PlanError';
}
