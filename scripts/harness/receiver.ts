/** Receives webhooks, records the acknowledged ones, and fails in several ways on request. */
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ReceivedEvent {
  readonly type: string;
  readonly data: { readonly count?: number; readonly findings?: readonly { readonly id: number }[] };
}

export interface Receiver {
  readonly url: string;
  readonly acknowledged: ReadonlyMap<string, ReceivedEvent>;
  /** Number of repeated deliveries of acknowledged webhooks, because the service may have missed the acknowledgment. */
  readonly repeated: number;
  mode: 'well' | 'failing' | 'silent' | 'resetting';
  /** Resolves when it acknowledges the next one. */
  next(): Promise<void>;
  close(): void;
}

export async function startReceiver(): Promise<Receiver> {
  const acknowledged = new Map<string, ReceivedEvent>();
  let repeated = 0;
  let acknowledge = Promise.withResolvers<void>();
  const server = createServer(async (request, response: ServerResponse) => {
    try {
      let body = '';
      for await (const chunk of request) body += chunk;
      const { mode } = receiver;
      if (mode === 'silent') return;
      if (mode === 'resetting') return void request.socket.resetAndDestroy();
      if (mode === 'failing') return void response.writeHead(503).end('no');
      const id = String(request.headers['webhook-id']);
      if (acknowledged.has(id)) repeated++;
      acknowledged.set(id, JSON.parse(body));
      response.writeHead(204).end();
      acknowledge.resolve();
      acknowledge = Promise.withResolvers();
    } catch {
      // The sender was killed.
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    acknowledged,
    get repeated() {
      return repeated;
    },
    mode: 'well',
    next: () => acknowledge.promise,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
  return receiver;
}
