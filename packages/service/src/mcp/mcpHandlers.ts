/**
 * Assistants that ask the service itself (`docs/integration.md#mcp`): the tools of `clew mcp` over HTTP, with the rights, environments and
 * limits of the caller. Without sessions: each request is independent, so any process answers it, and none can be taken over.
 */
import { hash } from 'node:crypto';
import { Readable } from 'node:stream';
import {
  apiError,
  type Handlers,
  principalId,
  type RequestContext,
  requireUser,
  type TextStream,
  tooManyRequests,
  VERSION,
} from '@clew/common';
import type { InsideFetch } from '@clew/server';

export interface McpParts {
  /** Asks operations as the caller. */
  readonly fetchAs: InsideFetch;
  /** Pages of these may ask, in addition to those of the service. */
  readonly corsOrigins: readonly string[];
}

/** Requests that are answered at the same time: those of one user leave room for others. */
const MAX_OF_USER = 8;
const MAX_OF_ALL = 64;
/** An answer of an operation that a tool reads. */
const MAX_READ_BYTES = 16 * 1024 * 1024;
/** Names of revisions are dates. */
const LAST_WITH_SESSIONS = '2025-11-25';
const EVENTS = 'text/event-stream';

export function mcpHandlers({ fetchAs, corsOrigins }: McpParts): Handlers<'SendMcpMessage'> {
  const underWay = new UnderWay();
  return {
    async SendMcpMessage({ body }, context) {
      const { userId, viewedBy } = requireUser(context.principal);
      // Assistants act for the user who allowed them, and not for an administrator who sees as this user.
      if (viewedBy !== undefined) throw apiError('viewAsAssistant');
      requireKnownOrigin(context, corsOrigins);
      // No session was ever begun here: a client that names one begins again. Later revisions have no sessions, and ignore the header.
      const { 'mcp-session-id': session, 'mcp-protocol-version': revision = '' } = context.headers;
      if (session !== undefined && revision <= LAST_WITH_SESSIONS) throw apiError('unknownMcpSession');
      const sender = senderOf(context);
      const canceled = canceledRequest(body);
      if (canceled !== undefined) {
        underWay.cancel(sender, canceled.id);
        return { status: 202 };
      }
      const { end, onCancel } = underWay.begin(userId, sender, (body as { readonly id?: unknown }).id);
      try {
        const answer = await answerTo(body, context, fetchAs(context), onCancel);
        if (!('stream' in answer) || answer.stream.closed) end();
        else answer.stream.once('close', end);
        return answer;
      } catch (error) {
        end();
        throw error;
      }
    },
  };
}

/** A page of another origin has no credentials of its own; the protocol asks for this nevertheless. */
function requireKnownOrigin({ headers, publicUrl }: RequestContext, allowed: readonly string[]): void {
  const { origin } = headers;
  if (origin === undefined || origin === new URL(publicUrl).origin || allowed.includes(origin)) return;
  throw apiError('foreignOrigin');
}

/** @param onCancel receives what ends the answer */
async function answerTo(
  message: object,
  context: RequestContext,
  fetchInside: typeof fetch,
  onCancel: (cancel: () => void) => void,
) {
  const { publicUrl, headers, signal } = context;
  // Few services are asked by assistants: the protocol is loaded with the first message.
  const [{ ClewClient }, { answerOverHttp, createMcpServer }] = await Promise.all([
    import('@clew/client'),
    import('@clew/mcp'),
  ]);
  const client = new ClewClient({ url: publicUrl, fetch: fetchInside, maxAnswerBytes: MAX_READ_BYTES });
  const server = createMcpServer(client, VERSION);
  const response = await answerOverHttp(server, headers, message);
  if (response.body === null || response.headers.get('content-type') !== EVENTS) {
    await server.close();
    if (response.status === 202) return { status: 202 } as const;
    return { status: response.status, text: await response.text(), mediaType: 'application/json' } as const;
  }
  const stream = Readable.fromWeb(response.body as never) as TextStream;
  const close = () => void server.close();
  onCancel(close);
  stream.once('close', close);
  signal.addEventListener('abort', () => stream.destroy(), { once: true });
  // A signal that has aborted before calls no listener.
  if (signal.aborted) stream.destroy();
  return {
    status: 200,
    ...{ stream, mediaType: EVENTS },
    headers: { 'Cache-Control': 'no-store, no-transform', 'X-Accel-Buffering': 'no' },
  } as const;
}

/**
 * Without sessions, the credential, program and address of a message tell who sent it: other programs of the user use the
 * same numbers for their requests.
 */
function senderOf({ headers, clientAddress, principal }: RequestContext): string {
  const parts = [principalId(principal), headers.authorization, headers['user-agent'], clientAddress];
  return hash('sha256', JSON.stringify(parts), 'base64');
}

/** @returns the id of the request that a notification cancels; `undefined` for any other message */
function canceledRequest(message: object): { readonly id: unknown } | undefined {
  const { method, params } = message as { readonly method?: unknown; readonly params?: unknown };
  if (method !== 'notifications/cancelled') return undefined;
  return { id: (params as { readonly requestId?: unknown } | null | undefined)?.requestId };
}

interface Running {
  readonly sender: string;
  readonly id: unknown;
  cancel?: () => void;
}

/** Requests that are being answered. */
class UnderWay {
  readonly #byUser = new Map<string, Set<Running>>();
  readonly #bySender = new Map<string, Set<Running>>();
  #all = 0;

  /** @returns `end` ends the request, and may be called again @throws ApiError 429 */
  begin(userId: string, sender: string, id: unknown) {
    const count = this.#byUser.get(userId)?.size ?? 0;
    if (count >= MAX_OF_USER || this.#all >= MAX_OF_ALL) throw tooManyRequests();
    const running: Running = { sender, id };
    const places = [[this.#byUser, userId] as const, [this.#bySender, sender] as const];
    for (const [map, key] of places) map.set(key, (map.get(key) ?? new Set()).add(running));
    this.#all++;
    const end = (): void => {
      if (!this.#byUser.get(userId)?.has(running)) return;
      this.#all--;
      for (const [map, key] of places) {
        map.get(key)?.delete(running);
        if (map.get(key)?.size === 0) map.delete(key);
      }
    };
    const onCancel = (cancel: () => void): void => {
      running.cancel = cancel;
    };
    return { end, onCancel };
  }

  /** Cancels nothing if several requests have this id, because they are of different programs. */
  cancel(sender: string, id: unknown): void {
    const [running, ...others] = [...(this.#bySender.get(sender) ?? [])].filter((one) => one.id === id);
    if (id !== undefined && others.length === 0) running?.cancel?.();
  }
}
