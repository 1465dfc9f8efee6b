/** The base of every capability: handling of operations, settings, requests to other servers, threads. */

export {
  type Config,
  ConfigError,
  machineMemory,
  type Role,
  readConfig,
  unknownVariables,
} from './config/config.ts';
export { MIN_PASSPHRASE, type Networks } from './config/configValues.ts';
export { createLogger } from './config/log.ts';
export { secretOf } from './config/secretFiles.ts';
export { VERSION } from './config/version.ts';
export { acceptsCoding, codingWeights } from './operation/acceptEncoding.ts';
export { ApiError, apiError, notReady, tooManyRequests } from './operation/apiError.ts';
export { type Actor, type AuditEntry, recordAudit, recordSuccess, sourceOf } from './operation/auditLog.ts';
export type {
  Authentication,
  AuthenticationRequest,
  Authenticator,
  BodyVerifier,
  Credentials,
  PrincipalSource,
  SignIn,
} from './operation/authentication.ts';
export {
  clientAddress,
  isLocal,
  isProxyNetwork,
  isTrustedProxy,
  proxyCount,
  publicUrl,
  type TrustedProxies,
} from './operation/clientAddress.ts';
export { digestOfCode, folderOf } from './operation/digestOfCode.ts';
export { requireSpace } from './operation/diskSpace.ts';
export { errorWrapper, toApiError } from './operation/errorAnswer.ts';
export { createExports, EXPORT_CONNECTIONS, type Exports } from './operation/exports.ts';
export { dispositionOf, fileAnswer } from './operation/fileAnswer.ts';
export { FreshCache } from './operation/freshCache.ts';
export {
  type Answer,
  type AnyAnswer,
  type AnyHandler,
  type AnyInput,
  type Handler,
  type Handlers,
  type HandlerTable,
  type RequestClock,
  type RequestContext,
  type RequestInput,
  tableOf,
} from './operation/handler.ts';
export {
  dataStream,
  type JsonPieces,
  jsonStream,
  pageStream,
  type TextStream,
  textStream,
} from './operation/jsonStream.ts';
export { lastMoment } from './operation/lastMoment.ts';
export {
  type ColumnReferences,
  cutPage,
  escapeLike,
  type Filter,
  filterConditions,
  filterRows,
  type ListQuery,
  NEVER_DELETED,
  parseListQuery,
  type Sort,
  sortOrders,
  sortRows,
  tablePage,
} from './operation/lists/listQuery.ts';
export { type RecordPageRequest, recordPage } from './operation/lists/recordPage.ts';
export { parseTime } from './operation/lists/time.ts';
export { measureJson } from './operation/measureJson.ts';
export {
  ANONYMOUS,
  type ClientPrincipal,
  isViewed,
  missingFor,
  type Principal,
  principalId,
  requireUser,
  requireWholeView,
  type UserPrincipal,
  type Viewer,
} from './operation/principal.ts';
export { SHOWN_DATABASE } from './operation/shownDatabase.ts';
export { storableText } from './operation/storableText.ts';
export {
  type AnswerTyped,
  type QueryMap,
  type QueryValue,
  type TypedAnswer,
  type TypedDuration,
  type TypedInstant,
  type TypedLiteral,
  type TypedNode,
  type TypedPath,
  type TypedQuery,
  TypedQueryError,
  type TypedRelationship,
  TypedValue,
} from './operation/typedValue.ts';
export { uniteHandlers } from './operation/uniteHandlers.ts';
export { guardedFetch, isLoopback } from './outgoing/guardedFetch.ts';
export { answerInTurn, type GenerationQuestion } from './threads/answerInTurn.ts';
export { FairQueue } from './threads/fairQueue.ts';
export {
  type FromGenerationThread,
  failureOf,
  GenerationThread,
  isOutOfMemory,
  orAborted,
  plainError,
  type ToGenerationThread,
} from './threads/generationThread.ts';
export { giveBackMemory } from './threads/giveBackMemory.ts';
export { TaskLoop } from './threads/taskLoop.ts';
export { openTracing } from './tracing/openTracing.ts';
export { parseTraceparent, type TraceContext, traceparentOf } from './tracing/traceContext.ts';
export {
  currentTrace,
  isRecording,
  type Span,
  startChild,
  startSpan,
  traced,
  tracedChild,
} from './tracing/tracing.ts';
