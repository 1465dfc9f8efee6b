/** The file chosen for installation: a definition, or a bundle as a zip archive. The service checks either completely. */

export interface Chosen {
  readonly fileName: string;
  /** The content of a request. */
  readonly content: { readonly body: Readonly<Record<string, unknown>> } | { readonly archive: Blob };
  /** Unique for each choice, because a file of the same name may have changed. */
  readonly key: string;
}

/** The limit of the service. */
const MAX_BYTES = 10 * 1024 * 1024;

/** @throws Error that explains why the file is not a definition */
export async function readChosen(file: File): Promise<Chosen> {
  if (file.size > MAX_BYTES) throw new Error('The file is too large for a definition');
  const chosen = { fileName: file.name, key: crypto.randomUUID() };
  const start = new Uint8Array(await file.slice(0, 2).arrayBuffer());
  if (start[0] === 0x50 && start[1] === 0x4b) return { ...chosen, content: { archive: file } };
  return { ...chosen, content: { body: await readDefinition(file) } };
}

async function readDefinition(file: File): Promise<Readonly<Record<string, unknown>>> {
  let document: unknown;
  try {
    document = JSON.parse(await file.text());
  } catch {
    throw new Error('The file is neither JSON nor a zip archive');
  }
  if (typeof document !== 'object' || document === null || !('schema' in document))
    throw new Error('The file is not a definition: it has no "schema"');
  return document as Readonly<Record<string, unknown>>;
}
