/**
 * Sends traces to the OTLP receiver of the OpenTelemetry collector, which `go build` compiles from its published modules. It has to understand
 * every member.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { openSpanExport } from './otlpExport.ts';
import { recordSpans, startSpan, traced } from './tracing.ts';

const SOURCES = join(import.meta.dirname, '../../test/tracing/receiver');
const BUILD_MS = 900_000;
const CALLER = { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7', isSampled: true };
vi.setConfig({ testTimeout: 60_000, hookTimeout: BUILD_MS + 60_000 });

const directory = mkdtempSync(join(tmpdir(), 'clew-receiver-'));
const program = join(directory, 'receiver');

/** @returns why the receiver cannot be compiled here */
function compile(): string | undefined {
  const options = { cwd: SOURCES, timeout: BUILD_MS, encoding: 'utf8' } as const;
  if (spawnSync('go', ['version'], options).status !== 0) return 'go not found';
  const { status, stderr } = spawnSync('go', ['build', '-o', program, '.'], options);
  return status === 0 ? undefined : `the modules of the collector cannot be compiled: ${stderr.slice(-500)}`;
}
const reason = compile();
if (reason !== undefined)
  process.stderr.write(`${reason}: traces are not checked by the receiver of a collector.\n`);

let receiver: ChildProcess;
let forwarder: Server;
/** Bodies as they were sent. */
const sent: string[] = [];
/** Batches as the receiver understood them. */
const understood: string[] = [];
let url: string;
let direct: string;

async function unusedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

describe.skipIf(reason !== undefined)('the receiver of a collector', () => {
  beforeAll(async () => {
    const port = await unusedPort();
    direct = `http://127.0.0.1:${port}/v1/traces`;
    receiver = spawn(program, [`127.0.0.1:${port}`], { stdio: ['ignore', 'pipe', 'pipe'] });
    createInterface({ input: receiver.stdout as NodeJS.ReadableStream }).on('line', (line) =>
      understood.push(line),
    );
    await once(createInterface({ input: receiver.stderr as NodeJS.ReadableStream }), 'line');
    forwarder = createServer(async (request, response) => {
      const body = await text(request);
      sent.push(body);
      const headers = { 'content-type': request.headers['content-type'] ?? '' };
      const answer = await fetch(direct, { method: 'POST', body, headers });
      response.writeHead(answer.status).end(await answer.text());
    });
    await new Promise<void>((resolve) => forwarder.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(forwarder.address() as AddressInfo).port}/v1/traces`;
  });
  afterEach(() => recordSpans(undefined));
  afterAll(async () => {
    forwarder?.close();
    const ended = receiver && once(receiver, 'exit');
    receiver?.kill('SIGTERM');
    await ended;
    rmSync(directory, { recursive: true, force: true });
  });

  it('understands every member of spans of all forms', async () => {
    const warnings: unknown[] = [];
    const log = { warn: (...all: unknown[]) => void warnings.push(all) };
    const { sink, close } = openSpanExport({ url, component: 'test', log });
    recordSpans(sink);
    const attributes = {
      text: 'täxt "quoted"\n',
      empty: '',
      count: -7,
      large: 2 ** 52,
      share: 0.25,
      is: false,
    };
    const links = [{ traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), isSampled: true }];
    const failed = traced('outer', { parent: CALLER, attributes, links, kind: 'server' }, async () => {
      await traced('inner', {}, async () => {});
      startSpan('outgoing', { kind: 'client' }).end({ more: 1 }, true, 'renamed');
      throw new Error('no');
    });
    await failed.catch(() => {});
    await close();
    await vi.waitUntil(() => understood.length > 0);
    expect(warnings).toEqual([]);
    expect(sent).toHaveLength(1);
    // The receiver leaves out members that it does not know.
    expect(JSON.parse(understood[0])).toEqual(JSON.parse(sent[0]));
    expect(understood[0]).toContain('"renamed"');
    expect(understood[0]).toContain('"links"');
  });

  it('refuses a malformed trace, so the test above means something', async () => {
    const wrong = sent[0].replaceAll(CALLER.traceId, 'no hexadecimal digits');
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(direct, { method: 'POST', body: wrong, headers });
    expect(answer.status).toBe(400);
  });
});
