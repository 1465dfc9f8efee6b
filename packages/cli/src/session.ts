/** The session stored by `clew login`: one file in the user's configuration directory, readable by the user only. */
import { randomBytes } from 'node:crypto';
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import type { Environment } from './context.ts';
import { CommandError } from './failure.ts';

export interface StoredSession {
  /** Address of the service of the session, which is sent nowhere else. */
  readonly url: string;
  readonly user: string;
  readonly session: string;
}

/** Rule: XDG Base Directory Specification, which ignores relative paths. */
export function sessionPath(env: Environment, platform: NodeJS.Platform = process.platform): string {
  if (platform === 'win32') {
    return join(env.APPDATA ?? join(homedir(), 'AppData', 'Roaming'), 'clew', 'session.json');
  }
  const xdg = env.XDG_CONFIG_HOME;
  const root = xdg !== undefined && isAbsolute(xdg) ? xdg : join(env.HOME ?? homedir(), '.config');
  return join(root, 'clew', 'session.json');
}

/** @returns `undefined` without a sign-in @throws CommandError if the file is damaged */
export async function readSession(env: Environment): Promise<StoredSession | undefined> {
  const path = sessionPath(env);
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  const session = parse(text);
  if (session === undefined) throw new CommandError(`${path} is damaged; "clew login" creates it again`);
  return session;
}

function parse(text: string): StoredSession | undefined {
  try {
    const value = JSON.parse(text) as Partial<Record<keyof StoredSession, unknown>> | null;
    const { url, user, session } = value ?? {};
    if (typeof url === 'string' && typeof user === 'string' && typeof session === 'string') {
      return { url, user, session };
    }
  } catch {
    // Not JSON: reported as damaged, like other invalid content.
  }
  return undefined;
}

/** Written to a temporary file and renamed, so that no process reads an incomplete file or one with wider permissions. */
export async function writeSession(env: Environment, session: StoredSession): Promise<string> {
  const path = sessionPath(env);
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const draft = `${path}.${randomBytes(6).toString('hex')}`;
  const file = await open(draft, 'wx', 0o600);
  try {
    await file.writeFile(`${JSON.stringify(session, null, 2)}\n`);
  } finally {
    await file.close();
  }
  await rename(draft, path);
  return path;
}

export async function deleteSession(env: Environment): Promise<void> {
  await rm(sessionPath(env), { force: true });
}
