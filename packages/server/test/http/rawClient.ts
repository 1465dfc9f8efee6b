/** HTTP on a raw socket, for requests that no correct client sends. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  readonly json: () => unknown;
}

export async function openSocket(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  return socket;
}

/** @param head request line and headers as one text, one character per byte; `Host` and `Connection: close` are added */
export async function exchangeRaw(url: string, head: string, body?: Uint8Array | string): Promise<RawAnswer> {
  const socket = await openSocket(url);
  socket.on('error', () => {});
  socket.write(Buffer.from(`${head}\r\nHost: test\r\nConnection: close\r\n\r\n`, 'latin1'));
  if (body !== undefined) socket.write(body);
  return readAnswer(socket);
}

/** Reads until the server closes the connection. */
export async function readAnswer(socket: Socket): Promise<RawAnswer> {
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk);
  return parseAnswer(Buffer.concat(chunks));
}

/** Reads one answer from a connection that stays open, and closes it. */
export async function readOneAnswer(socket: Socket): Promise<RawAnswer> {
  const chunks: Buffer[] = [];
  for await (const chunk of socket) {
    chunks.push(chunk);
    // Ending the loop destroys the socket.
    if (isWhole(Buffer.concat(chunks))) break;
  }
  return parseAnswer(Buffer.concat(chunks));
}

function isWhole(bytes: Buffer): boolean {
  const end = bytes.indexOf('\r\n\r\n');
  if (end === -1) return false;
  const head = bytes.subarray(0, end).toString('latin1').toLowerCase();
  if (head.includes('\r\ntransfer-encoding: chunked'))
    return bytes.subarray(-5).equals(Buffer.from('0\r\n\r\n'));
  const length = /\r\ncontent-length: (\d+)/.exec(head)?.[1] ?? '0';
  return bytes.length >= end + 4 + Number(length);
}

export function parseAnswer(bytes: Buffer): RawAnswer {
  const end = bytes.indexOf('\r\n\r\n');
  const [statusLine, ...lines] = bytes.subarray(0, end).toString('latin1').split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  const rest = bytes.subarray(end + 4);
  const body = headers['transfer-encoding'] === 'chunked' ? unchunk(rest) : rest;
  return {
    status: Number(statusLine.split(' ')[1]),
    headers,
    body,
    json: () => JSON.parse(body.toString()),
  };
}

function unchunk(bytes: Buffer): Buffer {
  const chunks: Buffer[] = [];
  for (let at = 0; ; ) {
    const lineEnd = bytes.indexOf('\r\n', at);
    const size = Number.parseInt(bytes.subarray(at, lineEnd).toString(), 16);
    if (!(size > 0)) return Buffer.concat(chunks);
    chunks.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + size));
    at = lineEnd + 2 + size + 2;
  }
}
