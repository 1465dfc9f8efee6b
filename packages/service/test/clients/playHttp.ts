/** Sends a recorded request byte for byte on a raw socket, and writes it with its answer as text, without what differs between runs. */
import { createHmac } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import { openSocket, readOneAnswer } from '@clew/server/testing';
import type { ClientService } from './clientService.ts';
import type { HttpRecording, RecordedRequest } from './recordings.ts';

const HOUR_MS = 3600_000;
/** Local time with an offset and microseconds, as Python writes it. */
const pythonDate = () => new Date(Date.now() + 2 * HOUR_MS).toISOString().replace('Z', '123+02:00');
/** Seconds and an offset, as Go writes it. */
const goDate = () => new Date(Date.now() - 5 * HOUR_MS).toISOString().replace(/\.\d+Z$/, '-05:00');

const SHOWN = ['content-type', 'content-encoding', 'www-authenticate', 'etag', 'location'];

export async function playHttp(
  service: ClientService,
  recording: HttpRecording,
  request: RecordedRequest,
): Promise<string> {
  const { method, target, headers = recording.headers } = request;
  const body = bodyOf(request);
  const socket = await openSocket(service.url);
  const lines = [
    `${method} ${target} HTTP/1.1`,
    'Host: clew.example',
    ...filled(headers, service, request, body),
  ];
  socket.write(`${lines.join('\r\n')}\r\n\r\n`);
  socket.write(body);
  const answer = await readOneAnswer(socket);
  const bytes = answer.headers['content-encoding'] === 'gzip' ? gunzipSync(answer.body) : answer.body;
  const shown = SHOWN.filter((name) => answer.headers[name] !== undefined);
  const text = [
    ...lines,
    '',
    ...(body.length === 0 ? [] : [`(${body.length} bytes)`, '']),
    `${answer.status}`,
    ...shown.map((name) => `${name}: ${answer.headers[name]}`),
    '',
    bytes.toString(),
  ].join('\n');
  return masked(text, service);
}

function bodyOf({ body, encoding }: RecordedRequest): Buffer {
  if (body === undefined) return Buffer.alloc(0);
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return encoding === 'gzip' ? gzipSync(text) : Buffer.from(text);
}

function filled(
  headers: readonly string[],
  { session, token }: ClientService,
  { method, target }: RecordedRequest,
  body: Buffer,
): readonly string[] {
  const date = headers.some((line) => line.includes('{date of Go}')) ? goDate() : pythonDate();
  const values: Readonly<Record<string, () => string>> = {
    session: () => session,
    'token id': () => token.id,
    token: () => `${token.id}.${token.key}`,
    'date of Python': () => date,
    'date of Go': () => date,
    signature: () => signature(token.key, method + target, date, body),
    length: () => String(body.length),
  };
  return headers.map((line) =>
    line.replaceAll(/\{([^}]+)\}/g, (_, name: string) => {
      const value = values[name];
      if (value === undefined) throw new Error(`a recording has {${name}}, which no player replaces`);
      return value();
    }),
  );
}

function signature(key: string, operation: string, date: string, body: Buffer): string {
  const chain = createHmac('sha256', key).update(operation).digest();
  const hour = createHmac('sha256', chain).update(date.slice(0, 13)).digest();
  return createHmac('sha256', hour).update(body).digest('base64');
}

function masked(text: string, { session, token }: ClientService): string {
  return text
    .replaceAll(session, '<session token>')
    .replaceAll(`${token.id}.${token.key}`, '<token>')
    .replaceAll(/(signature: ?)[\w+/=]{44}/gi, '$1<signature>')
    .replaceAll(/(requestdate: ).*/gi, '$1<date>')
    .replaceAll(/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, '<uuid>')
    .replaceAll(/20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, '<time>')
    .replaceAll(/("server_version":")[^"]+/g, '$1<version>')
    .replaceAll(/(serverInfo":\{"name":"[^"]*","version":")[^"]+/g, '$1<version>')
    .replaceAll(/(etag: )\S+/g, '$1<etag>');
}
