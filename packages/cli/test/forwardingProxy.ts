/** A proxy in front of a service, for tests in which it loses or refuses answers. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ForwardingProxy extends AsyncDisposable {
  readonly url: string;
  /** Previous calls, as `POST /path`. */
  readonly seen: string[];
}

export interface Interference {
  /** May answer a call itself. @returns whether it did */
  readonly answers?: (call: string, asked: IncomingMessage, answer: ServerResponse) => boolean;
  /** Whether to lose the service's answer to the newest call. @param seen previous calls, the newest last */
  readonly loses?: (call: string, seen: readonly string[]) => boolean;
}

export async function forwardingProxy(
  target: string,
  { answers, loses }: Interference,
): Promise<ForwardingProxy> {
  const seen: string[] = [];
  const { hostname, port } = new URL(target);
  const server = createServer((asked, answer) => {
    const { method, url: path, headers } = asked;
    const call = `${method} ${path}`;
    seen.push(call);
    if (answers?.(call, asked, answer)) return;
    const isLost = loses?.(call, seen) ?? false;
    const onward = request({ hostname, port, method, path, headers }, (given) => {
      if (isLost) given.on('end', () => answer.destroy()).resume();
      else {
        answer.writeHead(given.statusCode ?? 502, given.headers);
        given.pipe(answer);
      }
    });
    onward.on('error', () => answer.destroy());
    asked.pipe(onward);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
