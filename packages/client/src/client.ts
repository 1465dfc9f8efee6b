/**
 * A client of the service, typed by its contract. Any operation is called by its `operationId`; the other methods are frequent steps of
 * scripts and tools.
 *
 * @example const clew = new ClewClient({ url: 'http://127.0.0.1:8080', credentials: { tokenId, tokenKey } }); const { jobId } = await
 * clew.uploadFiles(['20240501_BloodHound.zip']); await clew.waitForJob(jobId); const [admins] = await clew.search('DOMAIN
 * ADMINS@CORP.LOCAL');
 */
import {
  type AnswerOf,
  type ComputingRecord,
  errorCatalog,
  type FileUploadJob,
  type LoginAnswer,
  type OperationId,
  type PlanRecord,
  type QueryOf,
  type SearchResult,
  type UnifiedGraph,
} from '@clew/api';
import { parseJson } from '@clew/model';
import type { Answer } from './answer.ts';
import { archiveBody, formBody, jsonBody } from './body.ts';
import {
  type AnyInput,
  type CallArguments,
  contractOf,
  type EntryOf,
  type ListOperationId,
  type OperationCaller,
  targetOf,
} from './calls.ts';
import { AnswerError, ApiError, PlanNotReadyError } from './errors.ts';
import { shapeFault } from './shape.ts';
import { type CallOptions, type Credentials, Transport, type TransportOptions } from './transport.ts';
import {
  type UploadOptions,
  type UploadReport,
  type UploadSource,
  uploadFiles,
  type WaitOptions,
  waitForJob,
} from './uploads.ts';

export type ClewClientOptions = TransportOptions;

export interface PathOptions extends CallOptions {
  /** Follow only these kinds of edges, or all except these. */
  readonly kinds?: { readonly in: readonly string[] } | { readonly notIn: readonly string[] };
  readonly onlyTraversable?: boolean;
}

interface ListAnswer<Id extends ListOperationId> {
  readonly data: readonly EntryOf<Id>[];
  /** Total number of entries, if the service counts them. */
  readonly count?: number;
}

/** Several values may be given as a list. */
export type PlanQuery = Omit<QueryOf<'GetPlan'>, 'environment' | 'within' | 'exclude' | 'cost'> & {
  readonly [Name in 'environment' | 'within' | 'exclude' | 'cost']?: string | readonly string[];
};

export interface PlanWait extends CallOptions {
  readonly onProgress?: (progress: ComputingRecord) => void;
}

const PLAN_WAIT_SECONDS = 600;
/** Interval of progress reports from the service. */
const PLAN_LOOK_SECONDS = 10;

export class ClewClient implements OperationCaller {
  #transport: Transport;

  constructor(options: ClewClientOptions) {
    this.#transport = new Transport(options);
  }

  /** Sends requests that the contract does not describe. */
  get transport(): Transport {
    return this.#transport;
  }

  /**
   * Calls one operation.
   * @returns the JSON of the answer; `undefined` if it has no body
   * @throws ApiError, ConnectionError, TimeoutError
   */
  async call<Id extends OperationId>(operationId: Id, ...rest: CallArguments<Id>): Promise<AnswerOf<Id>> {
    const [input, options] = rest as [AnyInput?, CallOptions?];
    return (await this.#send(operationId, input, options)) as AnswerOf<Id>;
  }

  /**
   * All entries of a list; pages are requested on demand.
   * @param input as in `call`; `skip` is the start, `limit` the size of a page
   */
  async *entries<Id extends ListOperationId>(
    operationId: Id,
    ...rest: CallArguments<Id>
  ): AsyncGenerator<EntryOf<Id>, void, undefined> {
    for await (const page of this.pages(operationId, ...rest)) yield* page;
  }

  /** All pages of a list, requested on demand; ends with the first empty one. */
  async *pages<Id extends ListOperationId>(
    operationId: Id,
    ...rest: CallArguments<Id>
  ): AsyncGenerator<readonly EntryOf<Id>[], void, undefined> {
    const [input = {}, options] = rest as [AnyInput?, CallOptions?];
    const paged = contractOf(operationId).query?.properties.skip !== undefined;
    let skip = Number(input.query?.skip ?? 0);
    for (;;) {
      const query = paged ? { ...input.query, skip } : input.query;
      const { data, count } = (await this.#send(operationId, { ...input, query }, options)) as ListAnswer<Id>;
      if (data.length === 0) return;
      yield data;
      skip += data.length;
      if (!paged || (count !== undefined && skip >= count)) return;
    }
  }

  /**
   * Signs in with a password and then uses the session.
   * @param options `newSecret` replaces the password, even if it has expired
   */
  async login(
    username: string,
    secret: string,
    options: CallOptions & { readonly otp?: string; readonly newSecret?: string } = {},
  ): Promise<LoginAnswer> {
    const { otp, newSecret, ...callOptions } = options;
    const body = {
      ...{ login_method: 'secret', username, secret },
      ...(otp !== undefined && { otp }),
      ...(newSecret !== undefined && { new_secret: newSecret }),
    };
    const { data } = await this.call('Login', { body }, callOptions);
    this.useCredentials({ session: data.session_token });
    return data;
  }

  /** Uses other credentials for all further requests. */
  useCredentials(credentials: Credentials): void {
    this.#transport = this.#transport.withCredentials(credentials);
  }

  /**
   * Asks as another user from now on, read only (`BeginViewAs`; for administrators).
   * @returns ends it: this client then asks for itself again
   */
  async viewAs(
    userId: string,
    { minutes, ...options }: CallOptions & { readonly minutes?: number } = {},
  ): Promise<() => Promise<void>> {
    const body = { user_id: userId, ...(minutes !== undefined && { minutes }) };
    const { data } = await this.call('BeginViewAs', { body }, options);
    this.#transport = this.#transport.withViewAs(data.id);
    return async () => {
      this.#transport = this.#transport.withViewAs(undefined);
      await this.call('EndViewAs', { params: { view_as_id: data.id } });
    };
  }

  /** Searches objects by name or object id; exact matches come first. */
  async search(
    text: string,
    options: CallOptions & { readonly kind?: string; readonly skip?: number; readonly limit?: number } = {},
  ): Promise<readonly SearchResult[]> {
    const { kind, skip, limit, ...callOptions } = options;
    const { data } = await this.call('Search', { query: { q: text, type: kind, skip, limit } }, callOptions);
    return data;
  }

  /**
   * All shortest paths between two objects, as one graph.
   * @returns `undefined` if no path exists
   * @throws ApiError 404 if one of the objects does not exist
   */
  async shortestPath(
    startObjectId: string,
    endObjectId: string,
    options: PathOptions = {},
  ): Promise<UnifiedGraph | undefined> {
    const { kinds, onlyTraversable, ...callOptions } = options;
    const query = {
      start_node: startObjectId,
      end_node: endObjectId,
      relationship_kinds: kinds && ('in' in kinds ? `in:${kinds.in.join()}` : `nin:${kinds.notIn.join()}`),
      only_traversable: onlyTraversable,
    };
    try {
      return (await this.call('GetShortestPath', { query }, callOptions)).data;
    } catch (error) {
      if (isNoPath(error)) return undefined;
      throw error;
    }
  }

  /**
   * The plan of a zone, for the latest analysis and with everything that cannot be changed. While the service computes the plan, it reports
   * the progress, and this method waits; when the time limit expires, it returns the previous plan, which contains the progress of the new
   * one.
   * @param options `wait`: time limit in seconds, default 600; `onProgress` receives the progress
   * @throws PlanNotReadyError if no plan is ready after that time
   */
  async plan(query: PlanQuery = {}, options: PlanWait = {}): Promise<PlanRecord> {
    const { wait = PLAN_WAIT_SECONDS, onProgress, ...callOptions } = options;
    const until = Date.now() + wait * 1000;
    for (;;) {
      const seconds = Math.ceil(Math.min(PLAN_LOOK_SECONDS, (until - Date.now()) / 1000));
      const given = { ...callOptions, wait: Math.max(1, seconds) };
      const { data } = await this.call('GetPlan', { query: query as QueryOf<'GetPlan'> }, given);
      const isOver = Date.now() >= until;
      if ('cards' in data) {
        if (data.computing === null || data.computing.fault !== null || isOver) return data;
        onProgress?.(data.computing);
        continue;
      }
      onProgress?.(data);
      // Before the first analysis, no plan is being computed.
      if (isOver || data.generation === 0) throw new PlanNotReadyError(data);
    }
  }

  /** Uploads collection files of any size as one job and ends the job; `waitForJob` returns its result. */
  uploadFiles(sources: readonly UploadSource[], options: UploadOptions = {}): Promise<UploadReport> {
    return uploadFiles(this, sources, options);
  }

  /** Waits until a job has any final status. */
  waitForJob(jobId: number, options: WaitOptions = {}): Promise<FileUploadJob> {
    return waitForJob(this, jobId, options);
  }

  async #send(operationId: OperationId, input: AnyInput = {}, options: CallOptions = {}): Promise<unknown> {
    const contract = contractOf(operationId);
    const json = input.body !== undefined && {
      body: jsonBody(input.body),
      headers: { 'content-type': 'application/json' },
    };
    const content =
      input.archive !== undefined
        ? { body: archiveBody(input.archive), headers: { 'content-type': 'application/zip' } }
        : input.form === undefined
          ? json
          : await formBody(input.form);
    return this.#transport.send(
      { ...options, method: contract.method, target: targetOf(contract, input), ...content },
      async (answer) => {
        const schema = options.needs ?? contract.responses[answer.status];
        return parseAnswer(await answer.text(), answer, schema);
      },
    );
  }
}

/** The service answers 404 for a missing path and for missing objects; the message distinguishes the cases. */
function isNoPath(error: unknown): boolean {
  const { status, message } = errorCatalog.pathNotFound;
  return error instanceof ApiError && error.status === status && error.message === message;
}

/**
 * A proxy or another server may answer instead of the service.
 * @param schema schema of the answer; `null` for an empty answer, `undefined` if the contract does not define the status
 * @throws AnswerError
 */
function parseAnswer(text: string, { status }: Answer, schema: object | null | undefined): unknown {
  if (schema === undefined)
    throw new AnswerError(status, `status ${status}, which this operation never returns`);
  if (text === '') {
    if (schema === null) return undefined;
    throw new AnswerError(status, 'the answer is empty');
  }
  let value: unknown;
  try {
    value = parseJson(text);
  } catch {
    const isPage = /^\s*</.test(text);
    throw new AnswerError(
      status,
      isPage
        ? 'this is a web page: the address is wrong, or a login page is in front of the service'
        : 'the answer is not JSON',
    );
  }
  const fault = schema === null ? undefined : shapeFault(schema, value);
  if (fault !== undefined) throw new AnswerError(status, `the answer does not match the API: ${fault}`);
  return value;
}
