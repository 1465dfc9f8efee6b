/**
 * Assistants that ask the service itself (`docs/integration.md#mcp`): the tools of `clew mcp` over HTTP, with the rights, environments and
 * limits of the caller. Without sessions: each request is independent, so any process answers it, and none can be taken over.
 */
import { Readable } from 'node:stream';
import { MCP_PATH } from '@clew/api';
import {
  apiError,
  type Handlers,
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
const EVENTS = 'text/event-stream';

export function mcpHandlers({ fetchAs, corsOrigins }: McpParts): Handlers<'SendMcpMessage'> {
  const underWay = new UnderWay();
  return {
    async SendMcpMessage({ body }, context) {
      const { userId } = requireUser(context.principal);
      requireKnownOrigin(context, corsOrigins);
      // No session was ever begun here: a client that names one begins again.
      if (context.headers['mcp-session-id'] !== undefined) throw apiError('unknownMcpSession');
      const end = underWay.begin(userId);
      try {
        const answer = await answerTo(body, context, fetchAs(context));
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

async function answerTo(message: object, context: RequestContext, fetchInside: typeof fetch) {
  const { publicUrl, headers, signal } = context;
  // Few services are asked by assistants: the protocol is loaded with the first message.
  const [{ ClewClient }, { answerOverHttp, createMcpServer }] = await Promise.all([
    import('@clew/client'),
    import('@clew/mcp'),
  ]);
  const client = new ClewClient({ url: publicUrl, fetch: fetchInside, maxAnswerBytes: MAX_READ_BYTES });
  const server = createMcpServer(client, VERSION);
  const request = new Request(publicUrl + MCP_PATH, { method: 'POST', headers: sentHeaders(headers) });
  const response = await answerOverHttp(server, request, message);
  if (response.body === null || response.headers.get('content-type') !== EVENTS) {
    await server.close();
    if (response.status === 202) return { status: 202 } as const;
    return { status: response.status, text: await response.text(), mediaType: 'application/json' } as const;
  }
  const stream = Readable.fromWeb(response.body as never) as TextStream;
  const close = () => void server.close();
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

/** The headers that the protocol reads. A client that takes every type takes both that the protocol asks for. */
function sentHeaders({ accept = '*/*', ...headers }: RequestContext['headers']): Record<string, string> {
  const sent: Record<string, string> = {
    accept: accept.includes('*/*') ? `application/json, ${EVENTS}` : accept,
    'content-type': headers['content-type'] ?? '',
  };
  const version = headers['mcp-protocol-version'];
  return version === undefined ? sent : { ...sent, 'mcp-protocol-version': version };
}

/** Counts requests that are being answered. */
class UnderWay {
  readonly #byUser = new Map<string, number>();
  #all = 0;

  /** @returns ends the request; may be called again @throws ApiError 429 */
  begin(userId: string): () => void {
    const count = (this.#byUser.get(userId) ?? 0) + 1;
    if (count > MAX_OF_USER || this.#all >= MAX_OF_ALL) throw tooManyRequests();
    this.#byUser.set(userId, count);
    this.#all++;
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      this.#all--;
      const left = (this.#byUser.get(userId) ?? 1) - 1;
      if (left === 0) this.#byUser.delete(userId);
      else this.#byUser.set(userId, left);
    };
  }
}
