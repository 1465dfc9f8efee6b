/**
 * Starts database servers for the workers of a test run (`sharedServers.ts`), until the run ends.
 *
 * Usage: node serverProcess.ts [DIRECTORY] where their files go
 */
import { once } from 'node:events';
import { mkdirSync, rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { SharedServer } from './sharedServers.ts';
import { ROOT, startTestServer, type TestServer } from './testServer.ts';

const started = new Map<string, Promise<TestServer>>();

function serverOf(worker: string): Promise<TestServer> {
  const server = started.get(worker) ?? startTestServer(process.argv[2]);
  started.set(worker, server);
  return server;
}

async function answer(socket: Socket): Promise<void> {
  const { connection, migrated } = await serverOf(await text(socket));
  socket.end(JSON.stringify({ connection, migrated } satisfies SharedServer));
}

const path = join(ROOT, `${process.pid}.socket`);
mkdirSync(ROOT, { recursive: true, mode: 0o755 });
const listener = createServer({ allowHalfOpen: true }, (socket) => {
  answer(socket).catch((error) => {
    process.stderr.write(`${error.stack}\n`);
    socket.destroy();
  });
}).listen(path);
await once(listener, 'listening');
process.send?.(path);

// A signal to the whole group also reaches the runner: this process ends with it, after its servers.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
await once(process, 'disconnect');
listener.close();
rmSync(path, { force: true });
for (const server of await Promise.allSettled(started.values()))
  if (server.status === 'fulfilled') await server.value.stop();
process.exit();
