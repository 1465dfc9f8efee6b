/**
 * Zip archives of collection files. An unsafe or unreadable member fails individually; an archive without its directory yields its
 * remaining members.
 */
import { validateFileName } from 'yauzl';
import { type FileFault, fileFault } from '../fileFault.ts';
import { type ArchiveLimits, DEFAULT_ARCHIVE_LIMITS } from '../limits.ts';
import { type CollectionSource, DamagedSourceError } from '../source.ts';
import { type ByteReader, fileReader } from './byteReader.ts';
import { type ListedMember, listDirectory, TooManyMembersError } from './directory.ts';
import { Compression, type MemberExtent, readMember } from './memberBytes.ts';
import { salvageMembers } from './salvage.ts';

export interface ArchiveMember {
  /** Path inside the archive, safe to show. */
  readonly name: string;
  readonly compressedSize: number;
  /** Uncompressed size; unknown if the archive has lost its directory. */
  readonly size?: number;
  /** Readable unless `fault` is set. Members may be read one after the other or at once. */
  readonly source?: CollectionSource;
  readonly fault?: FileFault;
}

export interface Archive extends AsyncDisposable {
  /** The files of the archive, in the order of its directory. */
  readonly members: readonly ArchiveMember[];
  /** Why the archive is not readable, or only partly (if it has members). */
  readonly fault?: FileFault;
  close(): Promise<void>;
}

export async function archiveFromFile(path: string, limits?: Partial<ArchiveLimits>): Promise<Archive> {
  const reader = await fileReader(path);
  try {
    return await openArchive(reader, limits);
  } catch (error) {
    await reader.close();
    throw error;
  }
}

/**
 * @param read returns exactly `length` bytes from `offset` on
 * @throws the errors of `read`; faults of the archive are in `fault`
 */
export function archiveFromReader(
  size: number,
  read: (offset: number, length: number) => Promise<Uint8Array>,
  limits?: Partial<ArchiveLimits>,
): Promise<Archive> {
  return openArchive({ size, read, close: async () => {} }, limits);
}

async function openArchive(reader: ByteReader, given: Partial<ArchiveLimits> = {}): Promise<Archive> {
  const limits = { ...DEFAULT_ARCHIVE_LIMITS, ...given };
  const { listed, fault } = await listMembers(reader, limits);
  const close = (): Promise<void> => reader.close();
  return { members: admitMembers(reader, listed, limits), fault, close, [Symbol.asyncDispose]: close };
}

interface Listing {
  readonly listed: readonly ListedMember[];
  readonly fault?: FileFault;
}

async function listMembers(reader: ByteReader, limits: ArchiveLimits): Promise<Listing> {
  const { maxEntries } = limits;
  try {
    return { listed: await listDirectory(reader, maxEntries) };
  } catch (error) {
    if (error instanceof TooManyMembersError) {
      return { listed: [], fault: fileFault('too-many-members', `at most ${maxEntries} are read`) };
    }
    if (!(error instanceof DamagedSourceError)) throw error;
    const listed = await salvageMembers(reader, maxEntries);
    if (listed.length === 0) return { listed, fault: fileFault('not-an-archive') };
    return { listed, fault: fileFault('cut-off-archive', `${listed.length} of its files were found`) };
  }
}

/** Files that macOS and Windows add to folders, and so to archives: view settings, and copies of attributes. */
function isNoFile(name: string): boolean {
  return /(?:^|[/\\])(?:__MACOSX[/\\]|\.DS_Store$|\._[^/\\]*$|thumbs\.db$|desktop\.ini$)/i.test(name);
}

function admitMembers(
  reader: ByteReader,
  listed: readonly ListedMember[],
  limits: ArchiveLimits,
): ArchiveMember[] {
  const overlapping = findOverlapping(listed, reader.size);
  let totalBytes = 0;
  const members: ArchiveMember[] = [];
  for (const member of listed) {
    if (member.name.endsWith('/') || isNoFile(member.name)) continue;
    let fault = memberFault(member, limits);
    if (fault === undefined && overlapping.has(member)) {
      fault = fileFault('damaged', 'it shares bytes with another member or is outside the archive');
    }
    if (fault === undefined) {
      totalBytes += member.size ?? 0;
      if (totalBytes > limits.maxTotalBytes) {
        fault = fileFault('too-large', `the archive unpacks to more than ${limits.maxTotalBytes} bytes`);
      }
    }
    const name = displayName(member.name);
    const { compressedSize, size } = member;
    const source = fault === undefined ? memberSource(reader, name, member, limits) : undefined;
    members.push({ name, compressedSize, size, source, fault });
  }
  return members;
}

function memberFault(member: ListedMember, limits: ArchiveLimits): FileFault | undefined {
  const { name, method, size, compressedSize } = member;
  // Paths from an archive are never written, but names appear in reports and tools.
  if (validateFileName(name) !== null || /[\0-\x1f\x7f]/.test(name)) return fileFault('unsafe-name');
  if (member.isEncrypted) return fileFault('encrypted');
  if (method !== Compression.Stored && method !== Compression.Deflated) {
    return fileFault('damaged', `its compression method ${method} is unknown`);
  }
  if (size === undefined) return undefined;
  if (size > limits.maxMemberBytes) return fileFault('too-large', `it unpacks to ${size} bytes`);
  if (size > limits.ratioFromBytes && size > compressedSize * limits.maxRatio) {
    return fileFault('too-dense', `${compressedSize} bytes unpack to ${size}`);
  }
  return undefined;
}

/** Members that share bytes allow a small archive to expand without limit. */
function findOverlapping(listed: readonly ListedMember[], archiveSize: number): ReadonlySet<ListedMember> {
  const overlapping = new Set<ListedMember>();
  let end = 0;
  for (const member of [...listed].sort((a, b) => a.headerOffset - b.headerOffset)) {
    const memberEnd = member.headerOffset + member.compressedSize;
    if (member.headerOffset < end || memberEnd > archiveSize) overlapping.add(member);
    else end = memberEnd;
  }
  return overlapping;
}

function memberSource(
  reader: ByteReader,
  name: string,
  member: ListedMember,
  limits: ArchiveLimits,
): CollectionSource {
  const { method, compressedSize, size, crc32, start } = member;
  const densest = Math.max(limits.ratioFromBytes, compressedSize * limits.maxRatio);
  const extent: MemberExtent = {
    method,
    compressedSize,
    start,
    expected: size === undefined || crc32 === undefined ? undefined : { size, crc32 },
    maxBytes: size ?? Math.min(limits.maxMemberBytes, densest),
  };
  return { name, open: () => readMember(reader, extent) };
}

const MAX_NAME = 255;

/** A name without control characters and of limited length. Keeps its end, which names the type. */
function displayName(name: string): string {
  const visible = name.replace(/[\0-\x1f\x7f]/g, '\ufffd');
  return visible.length <= MAX_NAME ? visible : `…${visible.slice(1 - MAX_NAME)}`;
}
