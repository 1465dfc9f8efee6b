/**
 * The cluster on disk: its single creation, and its password. It is initialized under another name and renamed, so it is never incomplete.
 */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, chownSync, mkdtempSync } from 'node:fs';
import { chmod, chown, mkdir, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PostgresBinaries } from './binaries.ts';
import { identityOf, SOCKET_DIRECTORY_PREFIX, SOCKET_FILE, SOCKET_OWNER_FILE } from './leftovers.ts';
import { type ProcessOwner, requireUserName } from './processOwner.ts';
import { StartError } from './startError.ts';

export const DATABASE_USER = 'clew';
const PASSWORD_FILE = 'database.secret';

export class EmbeddedPostgresError extends StartError {
  override readonly name = 'EmbeddedPostgresError';
}

export interface ClusterPlan {
  readonly directory: string;
  readonly binaries: PostgresBinaries;
  readonly owner: ProcessOwner;
  readonly password: string;
  /** Sync the new files to disk. */
  readonly durable: boolean;
}

/** The last lines that a process wrote, to explain its end. */
export class OutputTail {
  text = '';

  add(more: string): void {
    this.text = (this.text + more).slice(-2000);
  }
}

/** A socket name may have 107 bytes. */
const MAX_SOCKET_PATH = 100;

/** The directory of the database socket, as the database and its clients name it. */
export interface SocketDirectory {
  readonly forServer: string;
  readonly forClients: string;
  /** Created for this run, and removed with it. */
  readonly isTemporary: boolean;
}

/**
 * In the cluster, which only its owner can access and anyone with the directory can find; in a separate directory if the path is too long
 * for a socket.
 */
export async function socketDirectory(cluster: string, owner: ProcessOwner): Promise<SocketDirectory> {
  const path = await realpath(cluster);
  if (Buffer.byteLength(join(path, SOCKET_FILE)) <= MAX_SOCKET_PATH)
    return { forServer: clusterArgument(path, owner), forClients: path, isTemporary: false };
  const directory = privateDirectory(owner);
  await writeFile(join(directory, SOCKET_OWNER_FILE), await identityOf(cluster));
  return { forServer: directory, forClients: directory, isTemporary: true };
}

function privateDirectory(owner: ProcessOwner): string {
  const directory = mkdtempSync(join(tmpdir(), SOCKET_DIRECTORY_PREFIX));
  chmodSync(directory, 0o700);
  if (owner.uid !== undefined && owner.gid !== undefined) chownSync(directory, owner.uid, owner.gid);
  return directory;
}

const OTHERS = 0o077;

/** @throws EmbeddedPostgresError if a cluster exists, but its password is missing */
export async function readOrMakePassword(directory: string, cluster: string): Promise<string> {
  const path = join(directory, PASSWORD_FILE);
  const known = (await readFile(path, 'utf8').catch(() => '')).trim();
  if (known !== '') {
    // Windows has no such modes; its data directory is already private to the user.
    const isOpen = process.platform !== 'win32' && ((await stat(path)).mode & OTHERS) !== 0;
    if (isOpen) await chmod(path, 0o600);
    return known;
  }
  if (await stat(join(cluster, 'PG_VERSION')).then(Boolean, () => false))
    throw new EmbeddedPostgresError(
      `${path} is missing or empty, but it is required to open the database in ${cluster}: restore it from the backup of the data directory`,
    );
  const password = randomBytes(24).toString('hex');
  await writeFile(path, `${password}\n`, { mode: 0o600, flush: true });
  await chmod(path, 0o600);
  return password;
}

/** @returns whether a new cluster was created */
export async function makeCluster(plan: ClusterPlan): Promise<boolean> {
  const { directory, binaries, owner } = plan;
  const version = (await readFile(join(directory, 'PG_VERSION'), 'utf8').catch(() => '')).trim();
  if (version === binaries.majorVersion) return false;
  if (version !== '') {
    throw new EmbeddedPostgresError(
      `${directory} was created by PostgreSQL ${version}, but this Clew contains ${binaries.majorVersion}: dump it with ` +
        `PostgreSQL ${version} and restore it, or point CLEW_DATABASE_URL to a server of version ${version}`,
    );
  }
  if (await stat(directory).then(Boolean, () => false)) {
    throw new EmbeddedPostgresError(`${directory} exists and is not a PostgreSQL cluster`);
  }
  const draft = `${directory}.initializing`;
  await rm(draft, { recursive: true, force: true });
  await mkdir(draft, { mode: 0o700 });
  if (owner.uid !== undefined && owner.gid !== undefined) await chown(draft, owner.uid, owner.gid);
  await runInitdb({ ...plan, directory: draft });
  await rename(draft, directory);
  return true;
}

/**
 * How the database process refers to its cluster. The path may lead through directories that its owner may not traverse; its working
 * directory is always accessible.
 */
export function clusterArgument(directory: string, owner: ProcessOwner): string {
  return owner.uid !== undefined && process.platform === 'linux' ? '/proc/self/cwd' : directory;
}

async function runInitdb({ directory, binaries, owner, password, durable }: ClusterPlan): Promise<void> {
  if (owner.uid === undefined) requireUserName();
  const secrets = privateDirectory(owner);
  const passwordFile = join(secrets, 'password');
  try {
    await writeFile(passwordFile, `${password}\n`, { mode: 0o600 });
    if (owner.uid !== undefined && owner.gid !== undefined) await chown(passwordFile, owner.uid, owner.gid);
    const child = spawn(
      binaries.initdb,
      [
        ...['-D', clusterArgument(directory, owner), '-U', DATABASE_USER],
        ...['--auth=scram-sha-256', `--pwfile=${passwordFile}`, '--encoding=UTF8'],
        // Collation by code point, the same on every machine and version; case mapping for all of Unicode.
        ...['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'],
        ...(durable ? [] : ['--no-sync']),
      ],
      { ...owner, cwd: directory, stdio: ['ignore', 'ignore', 'pipe'] },
    );
    const output = new OutputTail();
    child.stderr?.setEncoding('utf8').on('data', (text: string) => output.add(text));
    await new Promise<void>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code) => {
        if (code === 0) resolve();
        else reject(new EmbeddedPostgresError(`the database could not be initialized: ${output.text}`));
      });
    });
  } finally {
    await rm(secrets, { recursive: true, force: true });
  }
}
