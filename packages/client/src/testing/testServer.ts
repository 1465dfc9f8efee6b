/** A small HTTP server for tests: answers by a script and remembers what it was asked, body and all. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface SeenRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

export type Script = (request: SeenRequest, response: ServerResponse, count: number) => void;

export interface TestServer {
  readonly url: string;
  readonly seen: readonly SeenRequest[];
  close(): Promise<void>;
}

export async function startTestServer(script: Script): Promise<TestServer> {
  const seen: SeenRequest[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { method = '', url = '', headers } = request;
    const entry = { method, url, headers, body: Buffer.concat(chunks) };
    seen.push(entry);
    script(entry, response, seen.length);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export function answerJson(
  response: ServerResponse,
  status: number,
  value?: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { ...headers, 'content-type': 'application/json' });
  response.end(value === undefined ? undefined : JSON.stringify(value));
}

export function errorWrapper(status: number, context: string, ...messages: readonly string[]): unknown {
  return {
    http_status: status,
    timestamp: '2024-05-01T10:20:30.000000Z',
    request_id: '54623566-213a-4490-9c68-ac44c39b6590',
    errors: messages.map((message) => ({ context, message })),
  };
}
