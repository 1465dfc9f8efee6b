/** An error in a change of zones. Each reason has its own status; the message is safe to show. */

export type ZoneFault =
  /** The zone, selector or member does not exist. */
  | 'unknown'
  | 'duplicate name'
  | 'invalid name'
  | 'invalid position'
  | 'invalid selector'
  /** A built-in zone or selector that does not allow this change. */
  | 'protected'
  | 'too many';

export class ZoneError extends Error {
  override readonly name = 'ZoneError';
  readonly fault: ZoneFault;

  constructor(fault: ZoneFault, message: string) {
    super(message);
    this.fault = fault;
  }
}

/** Converts a violation of a unique index to a readable error. */
export async function orDuplicate<Result>(work: Promise<Result>, message: string): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    // Unique violation: PostgreSQL manual, appendix A.
    if ((error as { code?: string }).code === '23505') throw new ZoneError('duplicate name', message);
    throw error;
  }
}
