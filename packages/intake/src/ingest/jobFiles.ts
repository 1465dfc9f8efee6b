/**
 * The files of an upload job, including those inside archives, in ingest order. The order depends on names and
 * contents, and not on the order of arrival. Collectors prefix file names with the time of the run, so files are
 * sorted by run. Within a run, files that describe the most referenced objects are first, so nearly all objects
 * are described at their first mention, and written once.
 */
import { createHash } from 'node:crypto';
import {
  type Archive,
  type ArchiveLimits,
  archiveFromReader,
  type CollectionSource,
  type FileFault,
} from '@clew/collections';
import type pg from 'pg';
import { UploadBytes } from './uploadBytes.ts';

export interface JobFile {
  readonly name: string;
  /** The archive that contains it; empty for a file that was uploaded directly. */
  readonly parentName: string;
  /** Readable unless `fault` is set. */
  readonly source?: CollectionSource;
  readonly fault?: FileFault;
  /** Identifies the content: digest of the upload and of the path inside it. */
  readonly content: Buffer;
}

export interface JobFiles extends AsyncDisposable {
  readonly files: readonly JobFile[];
  /** Approximate total size after decompression. */
  readonly bytes: number;
}

interface StoredFile {
  readonly id: number;
  readonly name: string;
  readonly content_type: string;
  readonly size: number;
  readonly sha256: Buffer;
}

/** Typical compression ratio of collections. */
const UNPACKED = 10;

export async function openJobFiles(
  pool: pg.Pool,
  jobId: number,
  limits: Partial<ArchiveLimits>,
): Promise<JobFiles> {
  const { rows } = await pool.query<StoredFile>(
    'select id, name, content_type, size, sha256 from upload_file where job_id = $1 and complete order by name, sha256, id',
    [jobId],
  );
  const archives: Archive[] = [];
  const files: JobFile[] = [];
  try {
    for (const stored of rows) {
      const bytes = new UploadBytes(pool, stored.id, stored.size);
      if (stored.content_type !== 'zip') {
        files.push({
          name: stored.name,
          parentName: '',
          source: plainSource(stored.name, bytes),
          content: stored.sha256,
        });
        continue;
      }
      const archive = await archiveFromReader(
        stored.size,
        (offset, length) => bytes.read(offset, length),
        limits,
      );
      archives.push(archive);
      files.push(...membersOf(archive, stored));
    }
  } catch (error) {
    await closeAll(archives);
    throw error;
  }
  // The sort is stable, so files with equal names stay in order of contents.
  files.sort(compareFiles);
  const bytes = rows.reduce(
    (sum, { size, content_type }) => sum + size * (content_type === 'zip' ? UNPACKED : 1),
    0,
  );
  return { files, bytes, [Symbol.asyncDispose]: () => closeAll(archives) };
}

function plainSource(name: string, bytes: UploadBytes): CollectionSource {
  return {
    name,
    open: () => bytes.stream(),
    tail: (length) => bytes.read(Math.max(0, bytes.size - length), length),
  };
}

/** An archive that cannot be read completely counts as a file of the job itself. */
function membersOf(archive: Archive, { name: parentName, sha256 }: StoredFile): JobFile[] {
  const members = archive.members.map(({ name, source, fault }) => ({
    name,
    parentName,
    source,
    fault,
    content: createHash('sha256').update(sha256).update(name).digest(),
  }));
  if (archive.fault === undefined) return members;
  return [...members, { name: parentName, parentName: '', fault: archive.fault, content: sha256 }];
}

async function closeAll(archives: readonly Archive[]): Promise<void> {
  await Promise.all(archives.map((archive) => archive.close()));
}

const FIRST_TYPES = ['users', 'computers', 'groups'];

function compareFiles(a: JobFile, b: JobFile): number {
  const [one, other] = [placeOf(a.name), placeOf(b.name)];
  return (
    compare(one.run, other.run) ||
    one.rank - other.rank ||
    compare(one.name, other.name) ||
    compare(a.name, b.name)
  );
}

/** Collectors write file names as `<run>_<type>.json`. */
function placeOf(path: string): { readonly run: string; readonly rank: number; readonly name: string } {
  const name = baseName(path);
  const end = name.lastIndexOf('_');
  const rank = FIRST_TYPES.findIndex((type) => name.slice(end + 1).toLowerCase() === `${type}.json`);
  return { run: end < 0 ? name : name.slice(0, end), rank: rank < 0 ? FIRST_TYPES.length : rank, name };
}

function baseName(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
