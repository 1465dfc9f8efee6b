/**
 * Answers one message of the protocol over HTTP without a session: each request is independent, and any process can answer it. The library
 * tells the revisions apart: since 2026-07-28, each request names its own; earlier ones begin with `initialize`.
 */
import { createMcpHandler, type Server } from '@modelcontextprotocol/server';

const EVENTS = 'text/event-stream';
/** Headers that the library reads, in addition to `Accept`. */
const READ_HEADERS = ['content-type', 'mcp-protocol-version', 'mcp-method', 'mcp-name'] as const;

/**
 * @param server for this message only; closing it ends the answer
 * @param message the parsed body of the request
 * @returns an event stream for a request, no content for a notification, and a protocol error for any other message
 */
export function answerOverHttp(
  server: Server,
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
  message: unknown,
): Promise<Response> {
  // The address is not read.
  const request = new Request('http://localhost', { method: 'POST', headers: readHeaders(headers) });
  // The stream begins before the work, so that a client that leaves is noticed.
  const handler = createMcpHandler(() => server, { responseMode: 'sse' });
  return handler.fetch(request, { parsedBody: message });
}

function readHeaders(
  given: Readonly<Record<string, string | readonly string[] | undefined>>,
): Record<string, string> {
  const { accept = '*/*' } = given;
  const read = READ_HEADERS.map((name) => [name, given[name]] as const);
  return {
    // A client that takes every type takes both that the protocol asks for.
    accept: accept.includes('*/*') ? `application/json, ${EVENTS}` : String(accept),
    ...Object.fromEntries(read.filter(([, value]) => value !== undefined)),
  } as Record<string, string>;
}
