/** Small archives in memory, for downloads. */
import { buffer } from 'node:stream/consumers';
import { ZipFile } from 'yazl';

/** The same files produce the same bytes. */
export function zipFiles(
  files: readonly { readonly name: string; readonly bytes: Buffer }[],
): Promise<Buffer> {
  const zip = new ZipFile();
  for (const { name, bytes } of files) zip.addBuffer(bytes, name, { mtime: new Date(0) });
  zip.end();
  return buffer(zip.outputStream as NodeJS.ReadableStream);
}
