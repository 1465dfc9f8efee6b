/**
 * Splits collection files with one object per line into batches of limited size, so that a collector sends any domain in constant memory.
 */
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { createInterface } from 'node:readline';

/** Number of characters after which a batch ends; objects are never split. */
const BATCH_CHARACTERS = 8 * 2 ** 20;
const MAX_META_BYTES = 4_096;

/**
 * @param path a file written by `CollectionFiles` of the collector
 * @param limit characters per batch
 * @returns texts, each a complete collection file
 */
export async function* batchesOf(path: string, limit = BATCH_CHARACTERS): AsyncGenerator<string> {
  const meta = await readMeta(path);
  let objects: string[] = [];
  let length = 0;
  const whole = (): string =>
    `{"data":[\n${objects.join(',\n')}\n],"meta":${JSON.stringify({ ...meta, count: objects.length })}}`;
  for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Infinity })) {
    // The first line begins the list, and the last one ends it.
    if (!line.startsWith('{') || line.startsWith('{"data":[')) continue;
    objects.push(line.endsWith(',') ? line.slice(0, -1) : line);
    length += line.length;
    if (length < limit) continue;
    yield whole();
    objects = [];
    length = 0;
  }
  if (objects.length > 0) yield whole();
}

/** The description of the file from its last line: type, version, and collection methods. */
async function readMeta(path: string): Promise<object> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const from = Math.max(0, size - MAX_META_BYTES);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(size - from), 0, size - from, from);
    const text = buffer.toString('utf8', 0, bytesRead);
    const [, meta] = /\n\],"meta":(\{.*\})\}\n$/.exec(text) ?? [];
    if (meta === undefined) throw new Error(`${path} is not a complete collection file`);
    return JSON.parse(meta);
  } finally {
    await file.close();
  }
}
