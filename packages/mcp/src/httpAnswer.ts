/**
 * Answers one message of the protocol over HTTP without a session: each request is independent, and any process can answer it.
 */
import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';

/**
 * @param server for this message only; it closes after the answer
 * @param message the parsed body of the request
 * @returns an event stream for a request, no content for a notification, and a protocol error for any other message
 */
export async function answerOverHttp(server: Server, request: Request, message: unknown): Promise<Response> {
  const transport = new WebStandardStreamableHTTPServerTransport({ sessionIdGenerator: undefined });
  await server.connect(transport as Parameters<Server['connect']>[0]);
  return transport.handleRequest(request, { parsedBody: message });
}
