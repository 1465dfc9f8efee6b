/**
 * Generates a file of any size from one block of objects, and measures reading it: throughput, and memory that must not grow with the file.
 * The text is generated during reading and so takes no memory.
 */
import { type CollectionSource, readCollection } from '../src/index.ts';

export interface Measurement {
  readonly name: string;
  readonly figures: Readonly<Record<string, number>>;
}

export interface LongFile {
  readonly name: string;
  readonly before: string;
  /** Objects separated by commas, without a trailing one. */
  readonly block: Buffer;
  /** Number of objects in a block, and of edges in their facts. */
  readonly objects: number;
  readonly edges: number;
  readonly after: string;
}

const CHUNK_BYTES = 64 * 1024;
/** A reader keeps one batch of objects at a time; the rest is garbage that has not been collected yet. */
const MAX_RSS_BYTES = 512 * 2 ** 20;
/** The first part of a file includes compilation and the growth of the heap. */
const MAX_GROWTH_BYTES = 96 * 2 ** 20;
const WARM_UP_BYTES = 256e6;
const SAMPLE_EVERY_BATCHES = 16;

/** @throws if objects or edges are missing, or memory grows with the file */
export async function measureLongFile(file: LongFile, bytes: number): Promise<Measurement> {
  const blocks = Math.max(1, Math.round(bytes / (file.block.length + 1)));
  const memory = new MemoryWatch();
  const began = performance.now();
  const reading = readCollection(sourceOf(file, blocks));
  let edges = 0;
  let batches = 0;
  for await (const batch of reading) {
    for (const { edgeSets } of batch) for (const set of edgeSets) edges += set.edges.length;
    if (batches++ % SAMPLE_EVERY_BATCHES === 0) memory.sample(reading.report.bytes);
  }
  const seconds = (performance.now() - began) / 1000;
  const { fault, objects, bytes: read } = reading.report;
  if (fault !== undefined) throw new Error(fault.message);
  expectCount('objects', objects.read, file.objects * blocks);
  expectCount('edges', edges, file.edges * blocks);
  memory.check();
  return {
    name: file.name,
    figures: {
      MB: Math.round(read / 1e6),
      'MB/s': Math.round(read / 1e6 / seconds),
      'objects/s': Math.round(objects.read / seconds),
      'peak memory (MB)': Math.round(process.resourceUsage().maxRSS / 1024),
    },
  };
}

class MemoryWatch {
  #early = 0;
  #late = 0;

  sample(bytesRead: number): void {
    const { rss } = process.memoryUsage();
    if (bytesRead < WARM_UP_BYTES) this.#early = Math.max(this.#early, rss);
    else this.#late = Math.max(this.#late, rss);
  }

  check(): void {
    const megabytes = (value: number): number => Math.round(value / 2 ** 20);
    const peak = Math.max(this.#early, this.#late);
    if (peak > MAX_RSS_BYTES) throw new Error(`${megabytes(peak)} MB of memory were used`);
    if (this.#late - this.#early > MAX_GROWTH_BYTES) {
      throw new Error(
        `memory grew from ${megabytes(this.#early)} to ${megabytes(this.#late)} MB with the file`,
      );
    }
  }
}

function expectCount(what: string, found: number, expected: number): void {
  if (found !== expected) throw new Error(`${found} ${what} instead of ${expected}`);
}

/** A file with this many blocks. */
export function sourceOf(
  { name, before, block, after }: Pick<LongFile, 'name' | 'before' | 'block' | 'after'>,
  blocks: number,
): CollectionSource {
  return {
    name: `${name}.json`,
    async *open() {
      yield Buffer.from(before);
      for (let count = 0; count < blocks; count++) {
        if (count > 0) yield Buffer.from(',');
        for (let at = 0; at < block.length; at += CHUNK_BYTES) yield block.subarray(at, at + CHUNK_BYTES);
      }
      yield Buffer.from(after);
    },
  };
}
