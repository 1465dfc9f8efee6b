/**
 * Distinguishes errors of the environment (disk, memory, connections, an unreachable database, missing program files) from errors of the
 * work. The same work succeeds after the problem is solved, so it waits and loses nothing.
 */
import { resolve, sep } from 'node:path';
import { isConnectionError } from './connectionErrors.ts';
import { OTHER_TABLES } from './upgradeLocks.ts';

/** Descriptions of the problem for users. */
export type SurroundingsFault =
  | 'the disk is full'
  | 'the disk has a fault'
  | 'there is not enough memory'
  | 'there are too many connections or open files'
  | 'a database lock is held for a long time'
  | 'the database cannot be reached'
  | 'a file of the installation is missing'
  | 'a newer version is upgrading the database, or has upgraded it';

/** SQLSTATE (PostgreSQL manual, appendix A: classes 53, 55 and 58). */
const SERVER_CODES: Readonly<Record<string, SurroundingsFault>> = {
  '53000': 'there is not enough memory',
  '53100': 'the disk is full',
  '53200': 'there is not enough memory',
  '53300': 'there are too many connections or open files',
  '53400': 'there are too many connections or open files',
  '55P03': 'a database lock is held for a long time',
  '58000': 'the disk has a fault',
  '58030': 'the disk has a fault',
};

const OWN_CODES: Readonly<Record<string, SurroundingsFault>> = {
  [OTHER_TABLES]: 'a newer version is upgrading the database, or has upgraded it',
};

const SYSTEM_CODES: Readonly<Record<string, SurroundingsFault>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk is full',
  EIO: 'the disk has a fault',
  EROFS: 'the disk has a fault',
  ENOMEM: 'there is not enough memory',
  ERR_MEMORY_ALLOCATION_FAILED: 'there is not enough memory',
  EMFILE: 'there are too many connections or open files',
  ENFILE: 'there are too many connections or open files',
  EAGAIN: 'there are too many connections or open files',
};

/** The program was reinstalled or removed while a process is running. */
const MODULE_CODES: ReadonlySet<string> = new Set(['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND']);
const ROOT = resolve(import.meta.dirname, '../../..');
/** Folders of code and its data; the data of the service may be next to them. */
const INSTALLED = ['node_modules', 'packages'].map((name) => ROOT + sep + name + sep);

const isOfInstallation = ({ code, path }: NodeJS.ErrnoException): boolean =>
  MODULE_CODES.has(code ?? '') ||
  (code === 'ENOENT' && typeof path === 'string' && INSTALLED.some((folder) => path.startsWith(folder)));

/** @returns the problem; `undefined` for an error of the work itself */
export function surroundingsFault(error: unknown): SurroundingsFault | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code = '' } = error as { code?: string };
  return (
    SERVER_CODES[code] ??
    OWN_CODES[code] ??
    SYSTEM_CODES[code] ??
    (isOfInstallation(error) ? 'a file of the installation is missing' : undefined) ??
    surroundingsFault(error.cause) ??
    (isConnectionError(error) ? 'the database cannot be reached' : undefined)
  );
}
