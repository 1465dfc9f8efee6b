/** A proxy in front of a service that refuses some calls, as a service of an earlier version or another proxy does. */
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface RefusingProxy extends AsyncDisposable {
  readonly url: string;
  /** Calls so far, as `POST /path`. */
  readonly seen: string[];
}

/** @param refusals the status of the answer by the beginning of the call, as `POST /path` */
export async function refusingProxy(
  target: string,
  refusals: Readonly<Record<string, number>>,
): Promise<RefusingProxy> {
  const seen: string[] = [];
  const { hostname, port } = new URL(target);
  const server = createServer((asked, answer) => {
    const { method, url: path, headers } = asked;
    const call = `${method} ${path}`;
    seen.push(call);
    const refused = Object.entries(refusals).find(([start]) => call.startsWith(start));
    if (refused !== undefined) {
      const errors = [{ context: 'proxy', message: 'refused here' }];
      const body = { http_status: refused[1], timestamp: new Date().toISOString(), request_id: '1', errors };
      asked.resume().on('end', () => {
        answer.writeHead(refused[1], { 'content-type': 'application/json' }).end(JSON.stringify(body));
      });
      return;
    }
    const onward = request({ hostname, port, method, path, headers }, (given) => {
      answer.writeHead(given.statusCode ?? 502, given.headers);
      given.pipe(answer);
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
