/** Sessions ask the service to sign users in, and to answer their queries. */
import type { Credentials, TypedAnswer } from '@clew/common';
import type { PackMap } from './structure.ts';

export interface BoltQuery {
  readonly text: string;
  readonly parameters: PackMap;
  /** Time limit that the client gives. */
  readonly milliseconds?: number;
}

export interface OpenAnswer {
  readonly answer: TypedAnswer;
  /** Its rows are no longer needed. */
  readonly release: () => void;
}

/** A user who has signed in. */
export interface BoltUser {
  /** @throws BoltFailure, errors of the service */
  run(query: BoltQuery, signal: AbortSignal): Promise<OpenAnswer>;
}

/** @throws BoltFailure for credentials that are not valid */
export type OpenUser = (credentials: Omit<Credentials, 'clientAddress'>) => Promise<BoltUser>;
