/**
 * The state of a connection, and its answers. Messages are answered in order:
 *
 *     negotiation ── HELLO ──> authentication ── LOGON ──> ready ── RUN ──> results are open ── PULL, DISCARD ──> ready
 *          └── HELLO of versions before 5.1 ────────────────^ │ └── BEGIN ──> transaction ── COMMIT, ROLLBACK ──> ready
 *                                                             └── failure ──> failed (all but RESET are ignored)
 *     RESET, at any time after signing in: ends the running work, ignores the messages before it ──> ready
 *
 * A message that its state does not allow, and a failure before the end of signing in, end the connection. A transaction only
 * groups queries: each keeps what it changed in a layer, and none changes anything else.
 */
import { randomUUID } from 'node:crypto';
import { SHOWN_DATABASE, type TypedAnswer } from '@clew/common';
import { afterChange, BoltFailure, boltFailure, invalidRequest } from './boltFailure.ts';
import type { BoltUser, OpenAnswer, OpenUser } from './boltUser.ts';
import { type Dialect, packed } from './dialect.ts';
import type { Version } from './handshake.ts';
import { answerBytes, isReset, type Request, readRequest } from './messages.ts';
import { PackError } from './packReader.ts';
import { routingTable } from './routingTable.ts';
import type { PackMap, PackValue } from './structure.ts';

/** Number of rows per batch; the messages of a batch are written together. */
const BATCH_ROWS = 200;
const BATCH_BYTES = 64 * 1024;
/** Bytes of a batch that count as open rows while they are sent: only those of large rows do. */
const HELD_BYTES = 1024 * 1024;
/** Open results of one transaction. */
const MAX_RESULTS = 16;
const NO_LIMIT = Number.MAX_SAFE_INTEGER;

export interface SessionOptions {
  readonly version: Version;
  /** Product and version, which clients check. */
  readonly agent: string;
  /** Address of the service in the client's connection. */
  readonly address: string;
  readonly openUser: OpenUser;
  /** Writes an answer. @returns when the client has read enough of it */
  send(bytes: Buffer): Promise<void>;
  /** Ends the connection after pending writes. */
  end(): void;
  /** Called when the user signs in or out. */
  onSigned(isSigned: boolean): void;
  /** Called when no message is waiting. */
  onIdle(): void;
  /** Receives internal errors of the service. */
  report(error: unknown): void;
}

interface Transaction {
  /** Time limit of its queries. */
  readonly milliseconds: number | undefined;
  readonly layer: string | undefined;
  /** Whether one of its queries has changed a layer. */
  hasChanged: boolean;
}

const KEPT = {
  code: 'Neo.ClientError.Transaction.TransactionRollbackFailed',
  message: 'a layer keeps what each query changed, so the transaction cannot be rolled back: end the layer',
} as const;

type State = 'negotiation' | 'authentication' | 'ready' | 'failed';

export class Session {
  readonly #options: SessionOptions;
  #dialect: Dialect;
  #state: State = 'negotiation';
  /** Whether the connection has ended. Nothing resets it, since work that still runs changes the state later. */
  #isOver = false;
  #user: BoltUser | undefined;
  /** The layer of queries that name no other. */
  #layer: string | undefined;
  readonly #results = new Map<number, OpenAnswer>();
  #newest = 0;
  #transaction: Transaction | undefined;
  readonly #queue: Buffer[] = [];
  #queuedBytes = 0;
  #isWorking = false;
  /** Number of RESET messages that are not answered yet. */
  #resets = 0;
  #work = new AbortController();

  constructor(options: SessionOptions) {
    this.#options = options;
    const isNew = options.version.major >= 5;
    this.#dialect = { elementIds: isNew, utc: isNew };
  }

  get waiting(): { readonly messages: number; readonly bytes: number } {
    return { messages: this.#queue.length, bytes: this.#queuedBytes };
  }

  /** Whether it holds rows, or a message waits for its answer. */
  get isBusy(): boolean {
    return this.#isWorking || this.#results.size > 0;
  }

  /** Whether it has open rows or a transaction. */
  get isOpen(): boolean {
    return this.#results.size > 0 || this.#transaction !== undefined;
  }

  /** Whether a message is being answered. */
  get isWorking(): boolean {
    return this.#isWorking;
  }

  /** Whether a query of the transaction, or of an open result, has changed a layer. */
  get #hasChanged(): boolean {
    return (
      this.#transaction?.hasChanged === true ||
      [...this.#results.values()].some(({ answer }) => answer.changes !== undefined)
    );
  }

  receive(message: Buffer): void {
    if (this.#isOver) return;
    if (isReset(message)) {
      this.#resets++;
      this.#work.abort(new BoltFailure('Neo.TransientError.Transaction.Terminated', 'it was reset'));
    }
    this.#queue.push(message);
    this.#queuedBytes += message.length;
    if (!this.#isWorking) void this.#answerAll();
  }

  /** Stops its work after the connection has ended. */
  abandon(): void {
    this.#isOver = true;
    this.#work.abort(new BoltFailure('Neo.TransientError.Transaction.Terminated', 'the client has left'));
    this.#queue.length = 0;
    this.#queuedBytes = 0;
    this.#user?.leave();
    this.#close();
  }

  async #answerAll(): Promise<void> {
    this.#isWorking = true;
    try {
      for (let message = this.#queue.shift(); message !== undefined; message = this.#queue.shift()) {
        this.#queuedBytes -= message.length;
        await this.#answer(message);
      }
    } catch (error) {
      // Writing the failure failed too.
      this.#options.report(error);
      this.#end();
    }
    this.#isWorking = false;
    if (!this.#isOver) this.#options.onIdle();
  }

  async #answer(message: Buffer): Promise<void> {
    if (this.#isOver) return;
    if (this.#resets > 0 && this.#user !== undefined && !isReset(message)) return this.#send('IGNORED');
    let request: Request;
    try {
      request = readRequest(message, this.#options.version);
    } catch (error) {
      if (!(error instanceof PackError)) throw error;
      return this.#endWith(new BoltFailure('Neo.ClientError.Request.InvalidFormat', error.message));
    }
    const isIgnored = this.#state === 'failed' && !['RESET', 'GOODBYE'].includes(request.type);
    if (isIgnored) return this.#send('IGNORED');
    if (!this.#allows(request))
      return this.#endWith(invalidRequest(`${request.type} is not allowed in the state of this connection`));
    try {
      await this.#handle(request);
    } catch (error) {
      await this.#fail(error);
    }
  }

  async #fail(error: unknown): Promise<void> {
    if (this.#isOver) return;
    if (this.#user === undefined) return this.#endWith(boltFailure(error, this.#options.report));
    if (this.#resets > 0) return this.#send('IGNORED');
    const cause = boltFailure(error, this.#options.report);
    const failure = this.#hasChanged ? afterChange(cause) : cause;
    this.#close();
    this.#state = 'failed';
    await this.#send('FAILURE', { code: failure.code, message: failure.message });
  }

  #allows({ type }: Request): boolean {
    const isReady = this.#state === 'ready';
    const isFree = isReady && !this.isOpen;
    switch (type) {
      case 'GOODBYE':
        return true;
      case 'HELLO':
        return this.#state === 'negotiation';
      case 'LOGON':
        return this.#state === 'authentication';
      case 'RESET':
        return isReady || this.#state === 'failed';
      case 'RUN':
        return isFree || (isReady && this.#transaction !== undefined);
      case 'PULL':
      case 'DISCARD':
        return isReady && this.#results.size > 0;
      case 'COMMIT':
      case 'ROLLBACK':
        return isReady && this.#transaction !== undefined;
      case 'TELEMETRY':
        return isReady;
      default:
        return isFree;
    }
  }

  async #handle(request: Request): Promise<void> {
    switch (request.type) {
      case 'HELLO':
        return this.#hello(request.extra);
      case 'LOGON':
        await this.#signIn(request.extra);
        return this.#send('SUCCESS', {});
      case 'LOGOFF':
        this.#user?.leave();
        this.#user = undefined;
        this.#state = 'authentication';
        this.#options.onSigned(false);
        return this.#send('SUCCESS', {});
      case 'RUN':
        return this.#run(request);
      case 'PULL':
        return this.#pull(request);
      case 'DISCARD':
        return this.#discard(request);
      case 'BEGIN':
        refuseOthers(request.extra);
        this.#transaction = {
          ...{
            milliseconds: timeLimitIn(request.extra),
            layer: layerIn(request.extra.db),
            hasChanged: false,
          },
        };
        return this.#send('SUCCESS', {});
      case 'ROLLBACK':
        if (this.#transaction?.hasChanged === true) throw new BoltFailure(KEPT.code, KEPT.message);
        this.#close();
        return this.#send('SUCCESS', {});
      case 'COMMIT':
        this.#close();
        return this.#send('SUCCESS', {});
      case 'RESET':
        return this.#reset();
      case 'ROUTE':
        return this.#send('SUCCESS', {
          rt: routingTable(request.routing, request.extra, this.#options.address),
        });
      case 'TELEMETRY':
        return this.#send('SUCCESS', {});
      case 'GOODBYE':
        return this.#end();
    }
  }

  async #hello(extra: PackMap): Promise<void> {
    const { version, agent } = this.#options;
    const patches = version.major < 5 && Array.isArray(extra.patch_bolt) ? extra.patch_bolt : [];
    const isUtc = patches.includes('utc');
    if (isUtc) this.#dialect = { ...this.#dialect, utc: true };
    if (version.major > 5 || (version.major === 5 && version.minor > 0)) this.#state = 'authentication';
    else await this.#signIn(extra);
    await this.#send('SUCCESS', {
      server: agent,
      connection_id: `bolt-${randomUUID()}`,
      ...(version.major >= 5 && { hints: {} }),
      ...(isUtc && { patch_bolt: ['utc'] }),
    });
  }

  async #signIn({ scheme, principal, credentials }: PackMap): Promise<void> {
    const text = (value: PackValue | undefined): string => (typeof value === 'string' ? value : '');
    const { openUser, onSigned } = this.#options;
    const user = await openUser({
      scheme: text(scheme),
      name: text(principal),
      password: text(credentials),
    });
    if (this.#isOver) return user.leave();
    this.#user = user;
    this.#layer = layerIn(principal);
    this.#state = 'ready';
    onSigned(true);
  }

  async #run({ text, parameters, extra }: Extract<Request, { type: 'RUN' }>): Promise<void> {
    refuseOthers(extra);
    if (this.#results.size >= MAX_RESULTS)
      throw invalidRequest(`a transaction has at most ${MAX_RESULTS} open results: read or discard one`);
    const began = performance.now();
    const milliseconds = timeLimitIn(extra) ?? this.#transaction?.milliseconds;
    const layer = layerIn(extra.db) ?? this.#transaction?.layer ?? this.#layer;
    const open = await (this.#user as BoltUser).run(
      { text, parameters, layer, ...(milliseconds !== undefined && { milliseconds }) },
      this.#work.signal,
    );
    if (this.#work.signal.aborted) open.release();
    this.#work.signal.throwIfAborted();
    if (this.#transaction !== undefined) this.#transaction.hasChanged ||= open.answer.changes !== undefined;
    this.#newest++;
    this.#results.set(this.#newest, open);
    await this.#send('SUCCESS', {
      fields: open.answer.columns,
      t_first: Math.round(performance.now() - began),
      ...(this.#transaction && { qid: this.#newest }),
    });
  }

  #resultOf({ result = this.#newest }: { readonly result?: number }): [id: number, open: OpenAnswer] {
    const open = this.#results.get(result);
    if (open === undefined) throw invalidRequest('no result with this number is open');
    return [result, open];
  }

  async #pull(request: Extract<Request, { type: 'PULL' | 'DISCARD' }>): Promise<void> {
    const began = performance.now();
    const [id, { answer, hold }] = this.#resultOf(request);
    let wanted = request.max ?? NO_LIMIT;
    while (wanted > 0 && answer.left > 0) {
      const rows = await answer.take(Math.min(wanted, BATCH_ROWS), this.#work.signal);
      wanted -= rows.length;
      await this.#sendRows(rows, hold);
      this.#work.signal.throwIfAborted();
    }
    await this.#sendEnd(id, answer, began);
  }

  async #sendRows(rows: Awaited<ReturnType<TypedAnswer['take']>>, hold: OpenAnswer['hold']): Promise<void> {
    let batch: Buffer[] = [];
    let bytes = 0;
    for (const row of rows) {
      const record = answerBytes(
        'RECORD',
        row.map((value) => packed(value, this.#dialect)),
      );
      batch.push(record);
      bytes += record.length;
      if (bytes < BATCH_BYTES) continue;
      await this.#sendBatch(batch, bytes, hold);
      batch = [];
      bytes = 0;
    }
    if (bytes > 0) await this.#sendBatch(batch, bytes, hold);
  }

  /** A row can be far larger here than in its answer, which names objects by number: a slow client holds its bytes. */
  async #sendBatch(batch: readonly Buffer[], bytes: number, hold: OpenAnswer['hold']): Promise<void> {
    const release = bytes < HELD_BYTES ? undefined : hold(bytes);
    try {
      await this.#options.send(Buffer.concat(batch));
    } finally {
      release?.();
    }
  }

  async #discard(request: Extract<Request, { type: 'PULL' | 'DISCARD' }>): Promise<void> {
    const began = performance.now();
    const [id, { answer }] = this.#resultOf(request);
    answer.skip(request.max ?? NO_LIMIT);
    await this.#sendEnd(id, answer, began);
  }

  async #sendEnd(id: number, answer: TypedAnswer, began: number): Promise<void> {
    if (answer.left > 0) return this.#send('SUCCESS', { has_more: true });
    this.#results.get(id)?.release();
    this.#results.delete(id);
    await this.#send('SUCCESS', {
      type: answer.changes === undefined ? 'r' : answer.columns.length === 0 ? 'w' : 'rw',
      ...(answer.changes && { stats: { ...answer.changes, 'contains-updates': true } }),
      db: SHOWN_DATABASE.name,
      t_last: Math.round(performance.now() - began),
      ...(!this.#transaction && { bookmark: `clew:${answer.generation}` }),
      ...(answer.warnings.length > 0 && { notifications: answer.warnings.map(notification) }),
    });
  }

  async #reset(): Promise<void> {
    this.#resets--;
    this.#close();
    if (this.#resets > 0) return this.#send('IGNORED');
    this.#work = new AbortController();
    this.#state = 'ready';
    await this.#send('SUCCESS', {});
  }

  /** Ends the results and the transaction. */
  #close(): void {
    for (const { release } of this.#results.values()) release();
    this.#results.clear();
    this.#transaction = undefined;
  }

  #send(type: 'SUCCESS' | 'FAILURE' | 'IGNORED', metadata?: PackMap): Promise<void> {
    return this.#options.send(metadata === undefined ? answerBytes(type) : answerBytes(type, metadata));
  }

  async #endWith({ code, message }: BoltFailure): Promise<void> {
    await this.#send('FAILURE', { code, message });
    this.#end();
  }

  #end(): void {
    this.abandon();
    this.#options.end();
  }
}

/** @throws BoltFailure for queries on behalf of another user */
function refuseOthers(extra: PackMap): void {
  if (typeof extra.imp_user === 'string')
    throw new BoltFailure('Neo.ClientError.Security.Forbidden', 'queries run as the user who signed in');
}

const LAYER = 'layer.';

/** @param name of a user or a database @returns the name of the layer that it stands for */
const layerIn = (name: PackValue | undefined): string | undefined =>
  typeof name === 'string' && name.startsWith(LAYER) ? name.slice(LAYER.length) : undefined;

/** @returns milliseconds, where the client gives a limit */
const timeLimitIn = ({ tx_timeout: limit }: PackMap): number | undefined =>
  typeof limit === 'number' && limit > 0 ? limit : undefined;

const notification = (text: string): PackMap => ({
  code: 'Neo.ClientNotification.Statement.Warning',
  title: 'Warning of the query',
  description: text,
  severity: 'WARNING',
  category: 'GENERIC',
});
