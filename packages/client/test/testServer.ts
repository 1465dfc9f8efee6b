/** A small HTTP server for tests: it answers according to a script, and records requests with their bodies. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { routes } from '@clew/api';
import type { Schema } from '../src/shape.ts';

export interface SeenRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

export type Script = (request: SeenRequest, response: ServerResponse, count: number) => void;

export interface TestServer {
  readonly url: string;
  readonly seen: readonly SeenRequest[];
  close(): Promise<void>;
}

export async function startTestServer(script: Script): Promise<TestServer> {
  const seen: SeenRequest[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { method = '', url = '', headers } = request;
    const entry = { method, url, headers, body: Buffer.concat(chunks) };
    seen.push(entry);
    script(entry, response, seen.length);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Adds the members that the contract requires and the test omits. */
export function answerJson(
  response: ServerResponse,
  status: number,
  value?: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { ...headers, 'content-type': 'application/json' });
  const { method = '', url = '/' } = response.req;
  const whole = status < 300 ? filledIn(schemaOf(method, url, status), value) : value;
  response.end(whole === undefined ? undefined : JSON.stringify(whole));
}

export function errorWrapper(status: number, context: string, ...messages: readonly string[]): unknown {
  return {
    http_status: status,
    timestamp: '2024-05-01T10:20:30.000000Z',
    request_id: '54623566-213a-4490-9c68-ac44c39b6590',
    errors: messages.map((message) => ({ context, message })),
  };
}

function schemaOf(method: string, url: string, status: number): Schema | null | undefined {
  const path = url.split('?')[0] ?? '';
  const route = routes.find(
    (each) => each.method === method && new RegExp(`^${each.path.replace(/\{\w+\}/g, '[^/]+')}$`).test(path),
  );
  return (route?.responses as Record<number, Schema | null> | undefined)?.[status];
}

/** @returns the value, completed with the members that its schema requires; for `undefined`, a valid value */
function filledIn(schema: Schema | null | undefined, value: unknown): unknown {
  if (schema === undefined || schema === null || value === null) return value;
  if (schema.anyOf !== undefined) return value === undefined ? filledIn(schema.anyOf[0], value) : value;
  if (Array.isArray(value)) return value.map((each) => filledIn(schema.items, each));
  if (value === undefined && schema.type !== 'object') return sampleOf(schema);
  if (typeof (value ?? {}) !== 'object') return value;
  const fields = { ...(value as Record<string, unknown> | undefined) };
  for (const [name, each] of Object.entries(schema.properties ?? {}))
    if (schema.required?.includes(name) || name in fields) fields[name] = filledIn(each, fields[name]);
  return fields;
}

const SAMPLES: Readonly<Record<string, unknown>> = {
  string: '',
  integer: 0,
  number: 0,
  boolean: false,
  array: [],
};

const sampleOf = (schema: Schema): unknown =>
  schema.enum?.[0] ?? schema.const ?? SAMPLES[schema.type ?? ''] ?? null;
