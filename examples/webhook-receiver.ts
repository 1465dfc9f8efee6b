/**
 * Receives webhooks on PORT (default 9000) and prints one line for each event: `node examples/webhook-receiver.ts`.
 * WEBHOOK_SECRET is the secret that `clew webhook add` shows once.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';

const { WEBHOOK_SECRET = '', PORT = '9000' } = process.env;
if (!WEBHOOK_SECRET.startsWith('whsec_')) throw new Error('Set WEBHOOK_SECRET to the secret of the webhook.');
const key = Buffer.from(WEBHOOK_SECRET.slice('whsec_'.length), 'base64');

const MAX_BODY_BYTES = 1024 * 1024;
/** Older deliveries are refused, so that no one can repeat a recorded one. */
const MAX_AGE_SECONDS = 5 * 60;
/** A delivery is repeated with the same id until it is accepted: ids that were seen are not handled twice. */
const seen = new Set<string>();
const MAX_SEEN = 10_000;

async function readBody(request: IncomingMessage): Promise<string | undefined> {
  let body = '';
  for await (const chunk of request.setEncoding('utf8')) {
    body += chunk;
    if (body.length > MAX_BODY_BYTES) return undefined;
  }
  return body;
}

/** Two signatures are sent for a day after the secret was replaced; one of them has to match. */
function isSigned(headers: IncomingHttpHeaders, body: string): boolean {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures } = headers;
  if (Math.abs(Date.now() / 1000 - Number(timestamp)) > MAX_AGE_SECONDS) return false;
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest();
  return String(signatures)
    .split(' ')
    .filter((signature) => signature.startsWith('v1,'))
    .map((signature) => Buffer.from(signature.slice('v1,'.length), 'base64'))
    .some((signature) => signature.length === expected.length && timingSafeEqual(signature, expected));
}

const server = createServer(async (request, response) => {
  const body = await readBody(request).catch(() => undefined);
  if (request.method !== 'POST' || body === undefined || !isSigned(request.headers, body)) {
    response.writeHead(401).end();
    return;
  }
  // Answer first: the service waits 20 seconds at most, and holds later events back until then.
  response.writeHead(204).end();
  const id = String(request.headers['webhook-id']);
  if (seen.has(id)) return;
  if (seen.size >= MAX_SEEN) seen.clear();
  seen.add(id);
  const { type, data } = JSON.parse(body) as { type: string; data: { count?: number } };
  console.log(data.count === undefined ? type : `${type}: ${data.count}`);
});
server.listen(Number(PORT), '127.0.0.1', () => {
  const address = server.address();
  if (address !== null && typeof address === 'object') console.log(`listening on port ${address.port}`);
});
