/**
 * Collector releases that an administrator placed in the directory `collectors` of the data directory:
 *
 *     sharphound-v2.6.0.zip      azurehound-v2.2.1-linux-amd64.zip      sharphound-enterprise-v2.6.0.zip
 *
 * A file may have its SHA-256 next to it (`NAME.sha256`, as its first word); a file that does not match is not
 * offered.
 */
import { createHash } from 'node:crypto';
import { constants, createReadStream, type ReadStream } from 'node:fs';
import { lstat, open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

export interface Release {
  /** For example `sharphound` or `azurehound-enterprise`. */
  readonly collector: string;
  /** For example `v2.6.0`. */
  readonly version: string;
  readonly fileName: string;
  readonly path: string;
  readonly size: number;
  readonly sha256: string;
  /** Empty for a platform-independent file. */
  readonly os: string;
  readonly arch: string;
  /** RFC 3339 time of the file's last change. */
  readonly placedAt: string;
}

export interface ReleaseLog {
  warn(fields: Readonly<Record<string, unknown>>, message: string): void;
}

const FILE_NAME =
  /^((?:sharphound|azurehound|openhound)(?:-enterprise)?)-(v\d+\.\d+\.\d+(?:-(?:rc|alpha|beta)[\w.]*)?)(?:[-_](windows|linux|darwin|macos)[-_](\w+))?\.zip$/i;
/** Limit on the number of files; no administrator needs more. */
const MAX_FILES = 500;

export class Releases {
  readonly #directory: string;
  readonly #log: ReleaseLog;
  /** Digests keyed by path, size and modification time. */
  readonly #digests = new Map<string, string>();

  constructor(directory: string, log: ReleaseLog) {
    this.#directory = directory;
    this.#log = log;
  }

  /** @returns all releases, the newest version first */
  async list(): Promise<readonly Release[]> {
    const names = await readdir(this.#directory).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return [];
      throw error;
    });
    const releases: Release[] = [];
    for (const name of names.filter((each) => FILE_NAME.test(each)).slice(0, MAX_FILES)) {
      const release = await this.#read(name);
      if (release !== undefined) releases.push(release);
    }
    return releases.sort(
      (a, b) => compareVersions(b.version, a.version) || (a.fileName < b.fileName ? -1 : 1),
    );
  }

  async #read(fileName: string): Promise<Release | undefined> {
    const [, collector, version, os = '', arch = ''] = FILE_NAME.exec(fileName) as RegExpExecArray;
    const path = join(this.#directory, fileName);
    // Symbolic links are not offered, because they could lead to any file of the machine.
    const found = await lstat(path).catch(() => undefined);
    if (found?.isFile() !== true) return undefined;
    const sha256 = await this.#digestOf(path, `${path} ${found.size} ${found.mtimeMs}`);
    const promised = await readChecksum(`${path}.sha256`);
    if (promised !== undefined && promised.trim().split(/\s/)[0].toLowerCase() !== sha256) {
      this.#log.warn({ file: fileName, sha256 }, 'a collector release does not match its .sha256 file');
      return undefined;
    }
    return {
      collector: collector.toLowerCase(),
      version: version.toLowerCase(),
      ...{ fileName, path, size: found.size, sha256 },
      ...{ os: os.toLowerCase(), arch: arch.toLowerCase() },
      placedAt: found.mtime.toISOString().replace('Z', '000Z'),
    };
  }

  async #digestOf(path: string, key: string): Promise<string> {
    const known = this.#digests.get(key);
    if (known !== undefined) return known;
    const hash = createHash('sha256');
    await pipeline(streamOf(path), hash);
    const digest = hash.digest('hex');
    if (this.#digests.size > MAX_FILES) this.#digests.clear();
    this.#digests.set(key, digest);
    return digest;
  }
}

/** Opening a symbolic link fails. */
const READ_ONLY = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0);
/** Maximum size of a checksum file: a digest and a name. */
const MAX_CHECKSUM_BYTES = 1000;

/** @returns the content of a release; the stream fails if the file was replaced by a symbolic link */
export function streamOf(path: string): ReadStream {
  return createReadStream(path, { flags: READ_ONLY as never });
}

async function readChecksum(path: string): Promise<string | undefined> {
  try {
    await using file = await open(path, READ_ONLY);
    const { bytesRead, buffer } = await file.read(Buffer.alloc(MAX_CHECKSUM_BYTES));
    return buffer.toString('utf8', 0, bytesRead);
  } catch {
    return undefined;
  }
}

export interface VersionParts {
  readonly major: number;
  readonly minor: number;
  readonly patch: number;
  readonly prerelease: string;
}

/** @param version for example `v2.6.0-rc1` */
export function versionParts(version: string): VersionParts {
  const [numbers, ...rest] = version.slice(1).split('-');
  const [major, minor, patch] = numbers.split('.').map(Number);
  return { major, minor, patch, prerelease: rest.join('-') };
}

/** A release sorts after its release candidates. */
export function compareVersions(a: string, b: string): number {
  const [x, y] = [versionParts(a), versionParts(b)];
  return (
    x.major - y.major ||
    x.minor - y.minor ||
    x.patch - y.patch ||
    Number(x.prerelease === '') - Number(y.prerelease === '') ||
    x.prerelease.localeCompare(y.prerelease, 'en', { numeric: true })
  );
}
