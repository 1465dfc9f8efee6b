/** Chooses the user of the database process: PostgreSQL does not run as root, so root starts it as another user. */
import { spawnSync } from 'node:child_process';
import { userInfo } from 'node:os';
import { StartError } from './startError.ts';

/** Passed to `spawn`; empty if the process keeps the user of its parent. */
export interface ProcessOwner {
  readonly uid?: number;
  readonly gid?: number;
}

const USER = 'clew';
/** An existing user with one of these names is used. */
const CANDIDATES = [USER, 'postgres'];
/** `useradd` of shadow, `adduser` of busybox. */
const CREATORS: readonly (readonly [string, ...string[]])[] = [
  ['useradd', '--system', '--user-group', '--no-create-home', '--shell', '/usr/sbin/nologin', USER],
  ['adduser', '-S', '-D', '-H', USER],
];

export class ProcessOwnerError extends StartError {
  override readonly name = 'ProcessOwnerError';
}

/** @throws ProcessOwnerError if root runs this on a system without another suitable user */
export function databaseProcessOwner(): ProcessOwner {
  if (process.getuid?.() !== 0) return {};
  const existing = CANDIDATES.map(lookUp).find((owner) => owner !== undefined);
  if (existing !== undefined) return existing;
  for (const [program, ...args] of CREATORS) {
    spawnSync(program, args, { stdio: 'ignore' });
    const created = lookUp(USER);
    if (created !== undefined) return created;
  }
  throw new ProcessOwnerError(
    `PostgreSQL does not run as root and the user "${USER}" could not be created: ` +
      'create it, start Clew as another user, or set CLEW_DATABASE_URL',
  );
}

/**
 * PostgreSQL looks up the name of its user when it creates a cluster, and container platforms run processes as users without a name.
 * @throws ProcessOwnerError if the user of this process has no entry in the user database
 */
export function requireUserName(): void {
  try {
    userInfo();
  } catch {
    const id = process.geteuid?.();
    throw new ProcessOwnerError(
      `PostgreSQL cannot start as the user ${id}, who has no name (no line in /etc/passwd): run Clew as a user who has one, ` +
        `add a line such as "clew:x:${id}:${process.getegid?.()}::/nonexistent:/usr/sbin/nologin", or set CLEW_DATABASE_URL`,
    );
  }
}

function lookUp(name: string): ProcessOwner | undefined {
  const [uid, gid] = ['-u', '-g'].map((flag) => spawnSync('id', [flag, name], { encoding: 'utf8' }));
  if (uid?.status !== 0 || gid?.status !== 0) return undefined;
  return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
}
