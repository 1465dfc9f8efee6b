/** One message of the protocol over HTTP, without a session: each request is independent, and any process answers it. */
import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';

/**
 * @param server one for this message alone; it ends with the answer
 * @param message the body of the request, read already
 * @returns an event stream for a request, no content for a notification, and an error of the protocol for any other message
 */
export async function answerOverHttp(server: Server, request: Request, message: unknown): Promise<Response> {
  const transport = new WebStandardStreamableHTTPServerTransport({ sessionIdGenerator: undefined });
  await server.connect(transport as Parameters<Server['connect']>[0]);
  return transport.handleRequest(request, { parsedBody: message });
}
