/** `clew export --out FILE|-`: streams the whole graph as OpenGraph JSON, whatever its size. */
import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import type { Answer } from '@clew/client';
import { type ConnectionOptions, connect } from '../connection.ts';
import type { Context } from '../context.ts';
import type { Screen } from '../terminal/screen.ts';
import { formatBytes } from '../terminal/text.ts';

export interface ExportOptions extends ConnectionOptions {
  /** A path, or `-` for standard output. */
  readonly out: string;
  /** Object ids. */
  readonly environment?: readonly string[];
  /** Kinds of nodes or edges. */
  readonly kind?: readonly string[];
}

export async function exportGraph(context: Context, options: ExportOptions): Promise<void> {
  const { out, err, directory, signal } = context;
  const client = await connect(context, options);
  const download = (sink: () => Writable): Promise<number> =>
    client.transport.send(
      // Output cannot be retracted, so a broken connection is not retried.
      {
        method: 'GET',
        target: targetOf(options),
        timeout: Number.POSITIVE_INFINITY,
        idempotent: false,
        signal,
      },
      (answer) => copyBody(answer, sink(), signal),
    );
  if (options.out === '-') {
    await download(() => screenSink(out));
    return;
  }
  const path = resolve(directory, options.out);
  // An incomplete export never has the final file name.
  const draft = `${path}.part`;
  try {
    const bytes = await download(() => createWriteStream(draft));
    await rename(draft, path);
    err.write(`Wrote ${path}, ${formatBytes(bytes)}.\n`);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

function targetOf({ environment = [], kind = [] }: ExportOptions): string {
  const query = new URLSearchParams([
    ...environment.map((id): [string, string] => ['environment', id]),
    ...kind.map((name): [string, string] => ['kind', name]),
  ]);
  return query.size === 0 ? '/api/v2/graphs/export' : `/api/v2/graphs/export?${query}`;
}

/** @returns the number of bytes */
async function copyBody(answer: Answer, sink: Writable, signal: AbortSignal): Promise<number> {
  let bytes = 0;
  const source = Readable.fromWeb(answer.body as ReadableStream<Uint8Array>);
  source.on('data', (chunk: Uint8Array) => {
    bytes += chunk.length;
  });
  await pipeline(source, sink, { signal });
  return bytes;
}

function screenSink(screen: Screen): Writable {
  const decoder = new TextDecoder();
  return new Writable({
    write(chunk: Uint8Array, _encoding, done) {
      screen.writeData(decoder.decode(chunk, { stream: true }));
      (screen.drained?.() ?? Promise.resolve()).then(() => done(), done);
    },
  });
}
