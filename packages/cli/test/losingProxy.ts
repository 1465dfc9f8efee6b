/** A proxy in front of a service that loses one answer: the service did what was asked, and the one who asked does not know. */
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface LosingProxy extends AsyncDisposable {
  readonly url: string;
  /** Calls so far, as `POST /path`. */
  readonly seen: string[];
}

/** @param lost the call whose first answer is lost */
export async function losingProxy(target: string, lost: string): Promise<LosingProxy> {
  const seen: string[] = [];
  const { hostname, port } = new URL(target);
  const server = createServer((asked, answer) => {
    const call = `${asked.method} ${asked.url}`;
    seen.push(call);
    const isLost = call === lost && seen.filter((one) => one === lost).length === 1;
    const { method, url: path, headers } = asked;
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
