/** Reads a bundle from an untrusted zip archive, within limits, with an error for each file that cannot be read. */
import { archiveFromReader } from '@clew/collections';
import { isHidden, placeOfFile } from './bundleParts.ts';
import { BUNDLE_LIMITS, type BundleFile, type GivenDefinition, readBundleFiles } from './readBundle.ts';

const ARCHIVE_LIMITS = {
  maxEntries: BUNDLE_LIMITS.files,
  maxTotalBytes: BUNDLE_LIMITS.bytes,
  maxMemberBytes: BUNDLE_LIMITS.bytes,
  ratioFromBytes: 1024 * 1024,
};

export async function readBundleArchive(bytes: Uint8Array): Promise<GivenDefinition> {
  await using archive = await archiveFromReader(
    bytes.length,
    async (offset, length) => bytes.subarray(offset, offset + length),
    ARCHIVE_LIMITS,
  );
  // A truncated archive has only some of its files, and a partial bundle is useless.
  if (archive.fault !== undefined) return { files: { faults: [`the archive: ${archive.fault.message}`] } };
  const files: BundleFile[] = [];
  const faults: string[] = [];
  for (const { name, source, fault } of archive.members) {
    if (isHidden(name) && fault?.code !== 'unsafe-name') continue;
    if (source === undefined) {
      // The content of an ignored file does not matter, but its name does.
      if (fault?.code === 'unsafe-name' || placeOfFile(name).type !== 'other')
        faults.push(`${name}: ${fault?.message}`);
      continue;
    }
    if (placeOfFile(name).type === 'other') continue;
    try {
      const chunks: Uint8Array[] = [];
      for await (const chunk of source.open()) chunks.push(chunk);
      files.push({ name, bytes: Buffer.concat(chunks) });
    } catch (error) {
      faults.push(`${name}: ${(error as Error).message}`);
    }
  }
  return readBundleFiles(files, faults);
}
