/**
 * All errors of the API, declared once: code (the name in the sources), status, context and message. The caller fills in `{name}` in a
 * message. Texts on which existing clients depend are verbatim (`docs/reference/api.md#errors`); the context is `login` for 401,
 * `middleware` for 429, else `clients`.
 */
import { MAX_ATTACHMENT_TEXT } from './schemas/attachments.ts';

export interface ErrorEntry {
  readonly status: number;
  readonly context: 'clients' | 'login' | 'middleware';
  readonly message: string;
}

function entry<S extends number, C extends ErrorEntry['context'], M extends string>(
  status: S,
  context: C,
  message: M,
) {
  return { status, context, message } as const;
}
const badRequest = <M extends string>(message: M) => entry(400, 'clients', message);
const unauthorized = <M extends string>(message: M) => entry(401, 'login', message);
const forbidden = <M extends string>(message: M) => entry(403, 'clients', message);
const notFound = <M extends string>(message: M) => entry(404, 'clients', message);
const conflict = <M extends string>(message: M) => entry(409, 'clients', message);
const serverError = <M extends string>(message: M) => entry(500, 'clients', message);

/** The pipeline: routing, headers, bodies, limits. */
const pipelineErrors = {
  resourceNotFound: notFound('resource not found'),
  queryFoundNothing: notFound('resource not found: {reason}'),
  methodNotAllowed: entry(405, 'clients', 'method not allowed'),
  malformedRequest: badRequest('the request could not be understood: {reason}'),
  headersTooLarge: entry(431, 'clients', 'the request headers are too large'),
  malformedPreferHeader: badRequest('Prefer header has an invalid value: {reason}'),
  tooManyRequests: entry(429, 'middleware', 'Too many requests. Please try again later.'),
  unsupportedEncoding: entry(
    415,
    'clients',
    'Error trying to read request: failed to create reader for {encoding} encoding: content encoding is not supported',
  ),
  brokenEncoding: badRequest(
    'Error trying to read request: failed to create reader for {encoding} encoding: {reason}',
  ),
  decodedBodyTooLarge: badRequest('the decompressed request body is larger than {limit} bytes'),
  bodyRatioTooHigh: badRequest(
    'the request body grows to more than {limit} times its size when it is decompressed',
  ),
  signedBodyTooLarge: entry(
    413,
    'clients',
    'the body of a signed request can have up to {limit} bytes; compress it, or sign in and send it with a session token',
  ),
  storageFull: entry(
    507,
    'clients',
    'the service has no storage space left; try again when space is available',
  ),
  bodyTooLarge: badRequest('the request body is larger than {limit} bytes'),
  jsonBodyTooLarge: badRequest(
    'could not decode limited payload request into value: the body is larger than {limit} bytes',
  ),
  incompleteBody: badRequest('the request body ended before it was complete'),
  contentTypeNotJson: badRequest('content type must be application/json'),
  malformedJson: badRequest('error unmarshalling JSON payload'),
  emptyBody: badRequest('request body is empty'),
  invalidBody: badRequest('request body is invalid: {reason}'),
  internal: serverError(
    'an internal error has occurred that is preventing the service from servicing this request',
  ),
  timedOut: serverError('request timed out'),
  emptySavedQuery: badRequest('the name and/or query field is empty'),
  duplicateSavedQuery: badRequest('duplicate name for saved query: please choose a different name'),
  invalidScope: badRequest('invalid scope parameter: {scope}'),
  missingScope: badRequest('scope query parameter cannot be empty'),
  savedQueryNotFound: notFound('query not found'),
  savedQueryUnknown: notFound('query does not exist'),
  savedQueryNotOwned: entry(403, 'clients', 'User does not have permission to delete this query'),
  savedQueryForeign: entry(403, 'clients', 'Query does not belong to the user'),
  queryNotWatched: notFound('the query is not watched'),
  tooManyWatches: conflict('Conflict: {count} queries are already watched: stop watching another one first'),
  viewNotFound: notFound('view not found'),
  viewForeign: entry(403, 'clients', 'the view belongs to another user: save your own'),
  duplicateView: conflict('Conflict: you already have a view with this name: choose another name'),
  tooManyViews: conflict('Conflict: you already have {count} views: delete one of them first'),
  reportForeign: entry(403, 'clients', 'the report belongs to another user: create your own'),
  duplicateReport: conflict('Conflict: you already have a report with this name: choose another name'),
  duplicatePlan: conflict('Conflict: you already have a plan with this name: choose another name'),
  duplicateConstraint: conflict('Conflict: the constraint "{title}" says the same'),
  duplicateWebhook: conflict('Conflict: the webhook {name} has this address: choose another name'),
  tooManyReports: conflict('Conflict: you already have {count} reports: delete one of them first'),
  drawingNotFound: notFound('drawing not found'),
  drawingForeign: entry(403, 'clients', 'the drawing belongs to another user: save your own'),
  duplicateDrawing: conflict('Conflict: you already have a drawing with this name: choose another name'),
  tooManyDrawings: conflict('Conflict: you already have {count} drawings: delete one of them first'),
  savedQueryPermissionsNotFound: notFound('no query permissions exist for saved query'),
  publicAndShared: badRequest('Public cannot be true while user_ids is populated'),
  sharedWithSelf: badRequest('Cannot share query to self'),
  sharedWhilePublic: badRequest(
    'Public query cannot be shared to users. You must set your query to private first',
  ),
  unknownSharedUser: badRequest('user {id} does not exist'),
  notSharedToUser: badRequest('User cannot unshare a query from themselves that is not shared to them'),
  malformedSavedQueries: badRequest('failed to unmarshal json file: {reason}'),
  savedQueriesMediaType: entry(415, 'clients', 'Content type must be application/json or application/zip'),
  savedQueriesTooLarge: entry(413, 'clients', 'imported queries can have at most 10 MiB'),
  emptyCypherQuery: badRequest('invalid input'),
  invalidCypherQuery: badRequest('{reason}'),
  cypherTooCostly: badRequest('cypher query is too complex: {reason}'),
  memoryExceeded: serverError(
    'calculating the request results exceeded memory limitations due to the volume of objects involved',
  ),
  layerChangedOnly: serverError(
    'the query changed the layer, but its answer failed; the layer keeps the change, so do not repeat the query',
  ),
  layerMayHaveChanged: serverError(
    'the database did not confirm the change, so the layer may have changed: do not repeat the query, but read the layer first',
  ),
  notImplemented: entry(501, 'clients', 'All good things to those who wait. Not implemented.'),
  notBuilt: entry(
    501,
    'clients',
    'this operation is planned, but not available in this version of the service',
  ),
  pagesNotBuilt: entry(501, 'clients', 'the web interface was not built: "npm run bundle" builds it'),
  notReady: entry(503, 'clients', 'the service is not ready: {reason}'),
} as const;

/** Identifiers, query parameters, filters, sorting, paging. */
const parameterErrors = {
  malformedId: badRequest('id is malformed'),
  missingQueryParameter: badRequest('missing required query parameter: {name}'),
  malformedQueryParameter: badRequest('query parameter "{name}" is malformed: {reason}'),
  malformedPathParameter: badRequest('path parameter "{name}" is malformed: {reason}'),
  malformedFilter: badRequest('there are errors in the query parameter filters specified'),
  columnNotFilterable: badRequest('the specified column cannot be filtered: {column}'),
  predicateNotSupported: badRequest(
    'the specified filter predicate is not supported for this column: {column} {predicate}',
  ),
  columnNotSortable: badRequest('column format does not support sorting: {column}'),
  emptySort: badRequest('empty sort_by parameter supplied'),
  unsupportedResultType: badRequest(
    'there are errors in the query parameters: unsupported result type for this query',
  ),
  graphTypeNotSupported: badRequest(
    "there are errors in the query parameters: type 'graph' is not supported for this endpoint",
  ),
  malformedTime: badRequest('invalid RFC-3339 datetime format: {value}'),
  malformedWindow: badRequest('from/to parameter should be formatted as RFC3339 i.e 2021-04-21T07:20:50.52Z'),
  reversedWindow: badRequest('to time cannot be before from time'),
  invalidTimeRange: badRequest('time range provided is invalid'),
  malformedLatest: badRequest('latest parameter has unexpected value'),
  incompatibleInputs: badRequest('the combination of inputs is not allowed'),
} as const;

/** Graph queries: search, entities, paths. */
const graphErrors = {
  nodeNotFound: notFound('node not found'),
  pathNotFound: notFound('path not found'),
  missingObjectId: badRequest('query parameter object_id is required'),
  entityNotFound: notFound('not found'),
  zoneNotFound: notFound('zone {id} does not exist'),
  unknownRelatedType: notFound('no matching related entity list type for {type}'),
  missingSearchText: badRequest('Invalid search parameter'),
  unknownSearchType: badRequest('Invalid type parameter'),
  missingGraphSearchText: badRequest('Expected search parameter to be set.'),
  severalGraphSearchTexts: badRequest('Expected only one search value.'),
  severalGraphSearchTypes: badRequest('Expected only one search type.'),
  invalidSearchPaging: badRequest('Invalid query parameter: {name}'),
  missingPathEnd: badRequest('Missing query parameter: {name}'),
  malformedRelationshipKinds: badRequest(
    "invalid query parameter 'relationship_kinds': acceptable values should match the format: in|nin:Kind1,Kind2",
  ),
  unknownRelationshipKinds: badRequest(
    "invalid query parameter 'relationship_kinds': unknown kind {unknown}; acceptable relationship kinds are: {kinds}",
  ),
  noEdgesToTraverse: badRequest('invalid parameter combination; no valid edges to traverse'),
  edgeNotFound: badRequest('Could not find edge matching criteria: {reason}'),
  invalidEdgeKind: badRequest('Invalid edge requested: {kind}'),
  graphQueryTimedOut: serverError('transaction timed out, reduce query complexity or try again later'),
} as const;

/** Authentication and permissions. A failed signature never reveals which of its parts was wrong, so all parts share `unauthorized`. */
const identityErrors = {
  notAuthenticated: unauthorized('not authenticated'),
  unauthorized: unauthorized('Unauthorized'),
  tokenAuthorizationFailed: unauthorized('Token Authorization failed.'),
  malformedAuthorization: unauthorized('Expected only two components for the Authorization header.'),
  unknownAuthorizationScheme: unauthorized('Unexpected authorization scheme: {scheme}.'),
  apiKeysDisabled: unauthorized('use of API keys has been disabled'),
  invalidCredentials: unauthorized('authentication is invalid'),
  notAuthorized: forbidden('not authorized'),
  notAuthorizedForUser: forbidden('not authorized for {userId}'),
  planNotOwned: forbidden(
    'only the user who saved the plan, and users who can change the graph, can change or delete it',
  ),
  planEvidenceForeign: forbidden(
    'only its uploader, the owner of the plan, and users who can change the graph, can remove evidence',
  ),
  environmentForbidden: forbidden('User does not have permission to access this domain'),
  userDisabled: forbidden('user disabled'),
  forbidden: forbidden('Forbidden'),
  unsupportedLoginMethod: badRequest('Login method {method} is not supported.'),
  invalidOneTimePassword: badRequest('one time password is invalid'),
  tokenCreationForOthers: forbidden('missing permission to create tokens for other users'),
  expiryInPast: badRequest('expires_at must be in the future'),
  tokenCreationDisabled: forbidden('API key creation is disabled'),
  tokenFilterByOtherUser: forbidden("filtering tokens by another user's user_id requires admin privileges"),
  tokenFilterPredicate: forbidden('non-admin users may only apply the eq operator when filtering by user_id'),
  noAssociatedUser: badRequest('No associated user found with request'),
  uniqueConstraint: conflict('unique constraint was violated'),
  userNameTaken: conflict('principal name must be unique'),
  userEmailTaken: conflict('email must be unique'),
  oneRoleOnly: badRequest('a user can only have one role'),
  unknownRole: badRequest('role id is invalid'),
  weakSecret: badRequest('{reason}'),
  userHasNoSecret: notFound('the user has no secret'),
  singleSignOnUser: badRequest('Invalid operation, user is SSO'),
  singleSignOnSecret: conflict('user has SAML auth enabled'),
  wrongCurrentSecret: forbidden('Invalid current password'),
  unverifiedSecret: badRequest('unable to verify current password'),
  mfaActive: badRequest('multi-factor authentication already active'),
  mfaNotEnrolled: badRequest('multi-factor authentication enrollment is required before activation'),
  mfaOfOthers: forbidden('must be an admin to disable MFA for another user'),
  providerNameTaken: conflict('sso provider name must be unique'),
  invalidProvider: badRequest('{reason}'),
  ownProviderDeleted: conflict('user may not delete their own SSO auth provider'),
  publicAddressNeeded: conflict(
    'single sign-on needs the public address of the service: set CLEW_PUBLIC_URL, or use it on the machine itself',
  ),
  malformedSamlProviderId: badRequest('SAML Provider ID must be a number: {value}'),
  environmentsContradict: badRequest('cannot specify environments when all_environments is true'),
  environmentsNotLimitable: badRequest(
    'administrators and power users may not have an ETAC list applied to them',
  ),
  environmentUnknown: badRequest('domain or tenant not found: {environment}'),
  ownUserDisabled: badRequest('user attempted to disable themselves'),
  ownRoleChanged: badRequest('user attempted to change own role'),
  ownProviderChanged: badRequest('user attempted to change own SSO Provider'),
  ownUserDeleted: badRequest('User cannot delete themselves'),
  providerManagesRole: badRequest(
    'user attempted to change a role for a SSO Provider with role provision enabled',
  ),
  lastAdministrator: conflict('the last enabled administrator must stay an administrator'),
  viewAsReadOnly: forbidden('changes are off while you see the service as another user'),
  viewAsAssistant: forbidden(
    'assistants are refused while you see the service as another user: they act only for the user who allowed them',
  ),
  viewAsEnded: forbidden('this view as another user has ended; start it again, or go on as yourself'),
  viewAsLayer: forbidden('layers are private to their user, also while you see the service as this user'),
  viewAsDisabled: conflict('the user is disabled, and sees nothing'),
  viewAsWider: forbidden('the user may do or see something that you may not'),
  tooManyLoginAttempts: entry(
    429,
    'middleware',
    'Too many failed sign-ins for this user. Please try again later.',
  ),
} as const;

/** Assistants. */
const assistantErrors = {
  unknownMcpSession: notFound(
    'there is no such session: the service has no sessions, so omit Mcp-Session-Id',
  ),
  invalidAuthorization: badRequest('the request of the assistant is not accepted: {reason}'),
  foreignOrigin: forbidden('pages of this origin cannot call the service: set CLEW_CORS_ORIGINS'),
} as const;

/** Upload jobs and their files. */
const collectorErrors = {
  noCollectionFlag: badRequest('at least one data collection flag must be provided'),
  severalCollectionScopes: badRequest(
    'may only scope collection by exactly one of OU, Domain, or All Trusted Domains',
  ),
  structureOfOus: badRequest('the structure of Active Directory cannot be collected by organizational unit'),
  noRecordFor: badRequest('no record found for {id}'),
  invalidRule: badRequest('rrule is invalid: {reason}'),
  jobNotReady: badRequest('job must be in ready status to start'),
  collectorJobNotCancelable: badRequest('job must be ready, running or being ingested to be canceled'),
  invalidEndStatus: badRequest('invalid status: invalid job end state (COMPLETE|FAILED): {status}'),
  tooManyReadings: conflict(
    'Conflict: readings of {count} directories are kept: those of directories without data go after a day',
  ),
  clientIdNeeded: badRequest('client_id is required'),
  noCollectors: notFound(
    'no collector of this kind can be downloaded here: an administrator has to add releases to the directory "collectors" in the data directory',
  ),
  unknownRelease: notFound('release {release} does not exist; available releases: {releases}'),
} as const;

const uploadErrors = {
  jobNotRunningForEnd: badRequest('job must be in running status to end'),
  jobNotRunningForFiles: badRequest('job must be in running status to attach files'),
  jobNotCancelable: badRequest('job must be running or being ingested to be canceled'),
  jobNotRetryable: badRequest(
    'only a job whose ingest failed, and whose files are still kept, can be retried',
  ),
  uploadContentType: badRequest('Content type must be application/json or application/zip'),
  uploadNotJson: badRequest('Error saving ingest file: file is not valid json'),
  uploadNotZip: badRequest('Error saving ingest file: file is not a zip archive'),
  uploadNoMeta: badRequest('no valid meta tag found'),
  uploadNoData: badRequest('no data tag found'),
  uploadNoMetaOrData: badRequest('no valid meta tag or data tag found'),
  uploadInvalidData: badRequest('invalid data tag found'),
  quotaReached: entry(
    507,
    'clients',
    'uploads of {bytes} bytes wait for ingest, and the limit is {limit}; try again when some are done',
  ),
  uploadSchema: badRequest('Error saving ingest file. File failed schema validation.'),
} as const;

/** Findings, their acceptance, and zones. */
const findingErrors = {
  findingArchived: conflict('the finding is {status}: archived findings can no longer change'),
  zoneConflict: conflict('{reason}'),
  invalidZone: badRequest('{reason}'),
  ownerUnknown: badRequest('there is no user {id} who can own findings'),
  ownerCannotSee: conflict('Conflict: {name} has no access to the environment of {count} of these findings'),
  tooManyFindings: conflict(
    'Conflict: more than {count} findings match: narrow the filters, and change the findings in several steps',
  ),
  otherFindings: conflict(
    'Conflict: the matching findings have changed in the meantime: {count} match now. Nothing was changed',
  ),
  changeUndone: conflict('Conflict: {name} has already undone the change'),
  continuedChangeUndone: conflict(
    'Conflict: {name} has undone the change that this request continues, so no more findings were changed: send a new request to change them',
  ),
  attachmentNotBase64: badRequest('"content" must be the bytes of a file in base64'),
  attachmentTooLarge: badRequest(`the file is larger than ${MAX_ATTACHMENT_TEXT}`),
  attachmentType: badRequest(
    'the file is not a PDF, PNG, JPEG or ZIP file (or office document), and not plain text; HTML, SVG and other markup is not accepted',
  ),
  unknownAttachment: badRequest(
    'no file {id} of yours was uploaded, or it was deleted because nothing used it for a day',
  ),
  unknownTemplate: badRequest('there is no template {id}'),
  attachmentsUnused: conflict(
    'Conflict: {count} files that you uploaded are not used: use or delete some, or wait until they are deleted after a day',
  ),
  attachmentsFull: conflict(
    'Conflict: the attached files take up all space (200 MiB for the files of a user, 1 GiB for all)',
  ),
  attachmentUsed: conflict('Conflict: an acceptance, a template or a plan has the file'),
  duplicateTemplate: conflict('Conflict: there is already a template "{name}"'),
  tooManyTemplates: conflict('Conflict: there are already {count} templates, the maximum: delete one first'),
  notKitEvidence: badRequest('the file is not a transcript or backup of a change kit of this release'),
  otherPlanEvidence: badRequest('the file is about no change of this plan'),
  planEvidenceAdded: conflict('Conflict: the plan has this file already'),
  tooMuchPlanEvidence: conflict('Conflict: the plan has {count} files, the maximum: remove one first'),
  tooMuchOwnPlanEvidence: conflict(
    'Conflict: you have added {count} files to this plan of another user, the maximum: remove one first',
  ),
  tooManyPlanClaims: conflict(
    'Conflict: the files say something about changes of the plan more than {count} times with this one: remove one first',
  ),
  otherChangeContinued: badRequest('"continues" is not the last change of this approval'),
  changesEverything: badRequest(
    'the change applies to every finding: use a filter, or send `expected`, the `state` of GetMatchingFindings',
  ),
  acceptanceInPast: badRequest('accept_until must be in the future'),
  acceptanceDecided: conflict('Conflict: the acceptance does not wait for a decision: it is {state}'),
  acceptanceBegun: conflict(
    'Conflict: an approval has accepted a part of the findings: approve the acceptance again to accept the others',
  ),
  tooManyWaiting: conflict(
    'Conflict: {count} acceptances of yours with {findings} findings wait for a second approver; withdraw some',
  ),
  notTheApprover: forbidden(
    'another user than the one who asked approves or refuses an acceptance, and only that one withdraws it',
  ),
} as const;

/** Source kinds, custom node kinds, deletion of data. */
const sourceErrors = {
  nothingToDelete: badRequest('the request selects nothing to delete'),
  deletionsCombined: badRequest(
    'deleteCollectedGraphData cannot be combined with deleteSourceKinds or deleteRelationships',
  ),
  unknownSourceKind: badRequest('requested source kind id {id} not found'),
  unknownRelationshipKind: badRequest('requested relationship kind {kind} is not a valid kind'),
  deletionWaits: conflict('a deletion of data waits and cannot be withdrawn'),
  duplicateKindName: conflict('Conflict: duplicate kind name'),
  reservedKindName: badRequest('kind name {kind} must not begin with Tag_, which is reserved'),
  ownedKindName: conflict('Conflict: kind name is owned by a schema extension'),
  invalidDefinition: badRequest('the definition of the extension is not installed; errors found: {count}'),
  invalidBundle: badRequest('nothing of the bundle is installed; errors found: {count}'),
  invalidCheck: badRequest('the check is not stored; errors found: {count}'),
  unusableCheck: badRequest('the query of the check cannot be used: {reason}'),
  tooManyChecks: conflict('Conflict: there are already {count} checks, the maximum'),
  checkOfExtension: conflict(
    'Conflict: the check belongs to an extension: you can turn it off, and it is removed with the extension',
  ),
  builtInExtension: conflict('Conflict: the extension is built in and cannot be deleted'),
  noLongerSupported: entry(410, 'clients', 'this endpoint has been deprecated and is no longer supported'),
} as const;

/** The configuration. */
const configErrors = {
  unknownConfigParameter: badRequest('Configuration parameter {key} is not valid.'),
  fixedConfigParameter: badRequest(
    'Configuration parameter {key} is set by {by} and cannot be changed here.',
  ),
  invalidConfigValue: badRequest('value property contains an invalid field: {limits}'),
} as const;

export const errorCatalog = {
  ...pipelineErrors,
  ...parameterErrors,
  ...graphErrors,
  ...identityErrors,
  ...assistantErrors,
  ...collectorErrors,
  ...uploadErrors,
  ...findingErrors,
  ...sourceErrors,
  ...configErrors,
} as const satisfies Readonly<Record<string, ErrorEntry>>;

export type ErrorCode = keyof typeof errorCatalog;

type Placeholder<M extends string> = M extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Placeholder<Rest>
  : never;

/** The placeholders of the message of an error: `{ column: string }`, or `never` if it is fixed. */
export type ErrorValues<C extends ErrorCode> = {
  readonly [Name in Placeholder<(typeof errorCatalog)[C]['message']>]: string | number;
};

/** @returns the message of an error with its placeholders filled in */
export function errorMessage(
  code: ErrorCode,
  values: Readonly<Record<string, string | number>> = {},
): string {
  return errorCatalog[code].message.replace(/\{(\w+)\}/g, (place, name: string) =>
    name in values ? String(values[name]) : place,
  );
}
