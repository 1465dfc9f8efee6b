/** A server that receives events of webhooks. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

// biome-ignore lint/suspicious/noExplicitAny: events of many shapes.
type Json = any;

export interface WebhookReceiver {
  /** Each event with the path at which it arrived, oldest first. */
  readonly events: readonly Json[];
  addressOf(path: string): string;
  close(): void;
}

export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const events: Json[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    events.push({ path: request.url, ...JSON.parse(body) });
    response.writeHead(204).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    events,
    addressOf: (path) => `http://127.0.0.1:${port}/${path}`,
    close: () => void server.close(),
  };
}
