/** Reads definitions and bundles of authors: a JSON file, a zip archive, or a directory. */
import { readdir, readFile, stat } from 'node:fs/promises';
import { join, relative, resolve, sep } from 'node:path';
import { jsonFault, parseJson } from '@clew/model';
import {
  BUNDLE_LIMITS,
  type BundleFile,
  type GivenDefinition,
  readBundleArchive,
  readBundleFiles,
  zipFiles,
} from '@clew/service';
import type { Context } from '../../context.ts';
import { CommandError, fileReason } from '../../failure.ts';

export type DefinitionFile =
  | { readonly type: 'directory'; readonly files: readonly BundleFile[] }
  | { readonly type: 'archive'; readonly bytes: Buffer }
  | { readonly type: 'document'; readonly document: unknown };

/** @throws CommandError if it cannot be read */
export async function readDefinitionFile({ directory }: Context, given: string): Promise<DefinitionFile> {
  const path = resolve(directory, given);
  const found = await stat(path).catch((error: Error) => {
    throw new CommandError(`cannot read ${given}: ${fileReason(error)}`);
  });
  if (found.isDirectory()) return { type: 'directory', files: await filesIn(path) };
  if (found.size > BUNDLE_LIMITS.bytes)
    throw new CommandError(`${given}: is larger than ${BUNDLE_LIMITS.bytes} bytes`);
  const bytes = await readFile(path);
  if (bytes.subarray(0, 2).toString('latin1') === 'PK') return { type: 'archive', bytes };
  const text = bytes.toString('utf8').replace(/^\ufeff/, '');
  try {
    return { type: 'document', document: parseJson(text) };
  } catch (error) {
    throw new CommandError(`${given}: is not JSON: ${jsonFault(text, error)}`);
  }
}

const JSON_FILE = /\.json$/i;

/** A broken link is not a directory. */
const isDirectory = async (path: string): Promise<boolean> =>
  (await stat(path).catch(() => undefined))?.isDirectory() === true;

/** The files of a directory that the service reads: JSON files that are not hidden. */
async function filesIn(path: string): Promise<BundleFile[]> {
  const files: BundleFile[] = [];
  let size = 0;
  const walk = async (folder: string): Promise<void> => {
    for (const entry of await readdir(folder, { withFileTypes: true })) {
      const at = join(folder, entry.name);
      if (entry.name.startsWith('.') || entry.name === 'node_modules') continue;
      // A link may lead anywhere, and an archive of the directory would contain the link instead of the file.
      if (entry.isSymbolicLink() && (JSON_FILE.test(entry.name) || (await isDirectory(at))))
        throw new CommandError(`${at}: is a symbolic link, which is not allowed in a bundle`);
      if (entry.isDirectory()) await walk(at);
      else if (entry.isFile() && JSON_FILE.test(entry.name)) {
        const { size: bytes } = await stat(at);
        size += bytes;
        if (size > BUNDLE_LIMITS.bytes || files.length === BUNDLE_LIMITS.files)
          throw new CommandError(
            `${path}: contains more than ${BUNDLE_LIMITS.files} files, or more than ${BUNDLE_LIMITS.bytes} bytes`,
          );
        files.push({ name: relative(path, at).split(sep).join('/'), bytes: await readFile(at) });
      }
    }
  };
  await walk(path);
  return files;
}

export async function givenDefinition(file: DefinitionFile): Promise<GivenDefinition> {
  if (file.type === 'document') return { document: file.document };
  return file.type === 'archive' ? readBundleArchive(file.bytes) : readBundleFiles(file.files);
}

/** @returns the body of a request */
export async function definitionBody(
  file: DefinitionFile,
): Promise<{ readonly body: object } | { readonly archive: Uint8Array<ArrayBuffer> }> {
  if (file.type === 'document') {
    // The service reports the errors of objects.
    if (typeof file.document !== 'object' || file.document === null || Array.isArray(file.document))
      throw new CommandError('the definition is not an object');
    return { body: file.document };
  }
  const bytes =
    file.type === 'archive'
      ? file.bytes
      : await zipFiles(file.files.map(({ name, bytes: content }) => ({ name, bytes: Buffer.from(content) })));
  return { archive: new Uint8Array(bytes) };
}
