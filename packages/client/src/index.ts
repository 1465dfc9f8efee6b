/** The SDK: signed requests, typed by the contract, with support for retries and rate limits. */
export { Answer } from './answer.ts';
export { bytesBody } from './body.ts';
export type { CallArguments, CallInput, EntryOf, ListOperationId } from './calls.ts';
export {
  ClewClient,
  type ClewClientOptions,
  type PathOptions,
  type PlanQuery,
  type PlanWait,
} from './client.ts';
export { AnswerError, ApiError, ConnectionError, PlanNotReadyError, TimeoutError } from './errors.ts';
export { type RetryPolicy, readRetryAfter } from './retry.ts';
export type { TokenCredentials } from './signing.ts';
export type {
  CallOptions,
  Credentials,
  SessionCredentials,
  Transport,
  TransportOptions,
  TransportRequest,
} from './transport.ts';
export type {
  RejectedFile,
  UploadOptions,
  UploadProgress,
  UploadReport,
  UploadSource,
  WaitOptions,
} from './uploads.ts';
