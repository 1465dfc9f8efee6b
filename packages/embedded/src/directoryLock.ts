/**
 * One Clew a data directory. The lock is a listening socket: the kernel gives it to one process only and takes it
 * back the moment that process dies, however it dies, so there is no stale lock to judge.
 */
import { createHash } from 'node:crypto';
import { mkdir, realpath, unlink } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ANSWER_TIMEOUT_MS = 2000;

export class DirectoryInUseError extends Error {
  override readonly name = 'DirectoryInUseError';
}

export interface DirectoryLock {
  release(): Promise<void>;
}

/**
 * Makes the directory when it is missing.
 * @throws DirectoryInUseError when another process holds it
 */
export async function lockDirectory(directory: string): Promise<DirectoryLock> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const address = lockAddress(await realpath(directory));
  const server = (await listen(address)) ?? (await takeOver(address));
  if (server === undefined) {
    const holder = await askHolder(address);
    throw new DirectoryInUseError(
      `another Clew is using ${directory}${holder === undefined ? '' : ` (pid ${holder})`}`,
    );
  }
  return { release: () => new Promise((resolve) => server.close(() => resolve())) };
}

/** Linux has socket names without files; elsewhere the name is a file in the temporary directory. */
function lockAddress(directory: string): string {
  const name = `clew-${createHash('sha256').update(directory).digest('hex').slice(0, 32)}`;
  return process.platform === 'linux' ? `\0${name}` : join(tmpdir(), `${name}.lock`);
}

/** @returns nothing when somebody has the address. */
function listen(address: string): Promise<Server | undefined> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => {
      socket.on('error', () => socket.destroy());
      socket.end(String(process.pid));
    });
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(undefined);
      else reject(error);
    });
    server.listen(address, () => {
      server.unref();
      resolve(server);
    });
  });
}

/** A socket file that outlived its process does not answer. */
async function takeOver(address: string): Promise<Server | undefined> {
  if (address.startsWith('\0') || (await isAnswered(address))) return undefined;
  await unlink(address).catch(() => {});
  return listen(address);
}

function isAnswered(address: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(address, () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
}

function askHolder(address: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    let answer = '';
    const socket = connect(address).setEncoding('utf8');
    socket.setTimeout(ANSWER_TIMEOUT_MS, () => socket.destroy());
    socket.on('data', (text) => {
      answer += text;
    });
    socket.on('error', () => {});
    socket.on('close', () => resolve(answer === '' ? undefined : answer));
  });
}
