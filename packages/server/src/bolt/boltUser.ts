/** The interface through which sessions sign users in and run their queries. */
import type { Credentials, TypedAnswer } from '@clew/common';
import type { PackMap } from './structure.ts';

export interface BoltQuery {
  readonly text: string;
  readonly parameters: PackMap;
  /** Name of the layer that it reads, and may change. */
  readonly layer?: string | undefined;
  /** Time limit set by the client. */
  readonly milliseconds?: number;
}

export interface OpenAnswer {
  readonly answer: TypedAnswer;
  /** Called when the rows are no longer needed. */
  readonly release: () => void;
  /** Counts bytes that are being sent. @returns a function for their end @throws BoltFailure if too many are open */
  readonly hold: (bytes: number) => () => void;
}

/** A user who has signed in. */
export interface BoltUser {
  /** @throws BoltFailure, errors of the service */
  run(query: BoltQuery, signal: AbortSignal): Promise<OpenAnswer>;
  /** The user has signed out, or the connection has ended. */
  leave(): void;
}

/** @throws BoltFailure for credentials that are not valid, ApiError for a user who may not run queries */
export type OpenUser = (credentials: Omit<Credentials, 'clientAddress'>) => Promise<BoltUser>;
