/** Tests requests through a proxy and with certificates of other CAs. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer as createHttpServer, type Server } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generate } from 'selfsigned';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { answerJson } from '../test/testServer.ts';
import { ClewClient } from './client.ts';
import { nodeFetch } from './node.ts';

let directory: string;
let service: Server;
let proxy: Server;
const tunnels: string[] = [];

const listen = (server: Server) => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const portOf = (server: Server): number => (server.address() as AddressInfo).port;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'clew-client-'));
  const { private: key, cert } = await generate([{ name: 'commonName', value: 'localhost' }], {
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 2, value: 'localhost' }] }],
  });
  await writeFile(join(directory, 'ca.pem'), cert);
  service = createHttpsServer({ key, cert }, (_, response) => {
    answerJson(response, 200, { data: { server_version: 'v9' } });
  }) as unknown as Server;
  proxy = createHttpServer().on('connect', (request, socket) => {
    if (request.headers['proxy-authorization'] !== `Basic ${btoa('user:secret')}`) {
      socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
      return;
    }
    tunnels.push(request.url ?? '');
    const [host, port] = (request.url ?? '').split(':');
    const upstream = connect(Number(port), host, () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      upstream.pipe(socket).pipe(upstream);
    });
    upstream.on('error', () => socket.destroy());
    socket.on('error', () => upstream.destroy());
  });
  await Promise.all([listen(service), listen(proxy)]);
});
afterAll(async () => {
  service.closeAllConnections();
  service.close();
  proxy.closeAllConnections();
  proxy.close();
  await rm(directory, { recursive: true, force: true });
});

async function versionThrough(options: Parameters<typeof nodeFetch>[0]): Promise<string | undefined> {
  const { fetch, close } = await nodeFetch(options);
  const client = new ClewClient({
    url: `https://localhost:${portOf(service)}`,
    fetch,
    retry: { retries: 0 },
  });
  try {
    return (await client.call('GetApiVersion')).data.server_version;
  } finally {
    await close();
  }
}

describe('nodeFetch', () => {
  it('trusts the given CAs and no others', async () => {
    expect(await versionThrough({ caBundle: join(directory, 'ca.pem') })).toBe('v9');
    await expect(versionThrough({})).rejects.toThrow(/DEPTH_ZERO_SELF_SIGNED_CERT/);
    expect(await versionThrough({ verifyTls: false })).toBe('v9');
  });

  it('uses a proxy that requires a password, with end-to-end encryption', async () => {
    const address = `http://user:secret@127.0.0.1:${portOf(proxy)}`;
    expect(await versionThrough({ proxy: address, caBundle: join(directory, 'ca.pem') })).toBe('v9');
    expect(tunnels).toEqual([`localhost:${portOf(service)}`]);
    await expect(versionThrough({ proxy: address })).rejects.toThrow(/no answer/);
    await expect(
      versionThrough({ proxy: address.replace('secret', 'wrong'), caBundle: join(directory, 'ca.pem') }),
    ).rejects.toThrow(/no answer/);
  });

  it('reports a bundle without certificates', async () => {
    await writeFile(join(directory, 'empty.pem'), 'nothing');
    await expect(nodeFetch({ caBundle: join(directory, 'empty.pem') })).rejects.toThrow(
      'contains no certificate',
    );
    await expect(nodeFetch({ caBundle: join(directory, 'none.pem') })).rejects.toThrow('ENOENT');
  });
});
