/**
 * Generates load on a running service: signed requests over kept-alive connections, each sending one request after the other. Custom code,
 * because it measures the latency of single requests, each with its own signature.
 */
import { createHmac } from 'node:crypto';
import { Agent, request } from 'node:http';

export interface Token {
  readonly id: string;
  readonly key: string;
}

export interface LoadResult {
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
  readonly perSecond: number;
  /** Duration of each request, ascending. */
  readonly times: Float64Array;
}

/** @param times ascending @param share 0..1 */
export function percentile(times: Float64Array, share: number): number {
  return times[Math.min(times.length - 1, Math.floor(times.length * share))] as number;
}

/** @returns headers of a signed GET. Rule: `docs/reference/api.md#signed-requests`. */
function sign(token: Token, target: string): Record<string, string> {
  const date = new Date().toISOString();
  const digest = (key: string | Buffer, message: string): Buffer =>
    createHmac('sha256', key).update(message).digest();
  const signature = digest(digest(digest(token.key, `GET${target}`), date.slice(0, 13)), '').toString(
    'base64',
  );
  return { authorization: `svcsignature ${token.id}`, requestdate: date, signature };
}

/**
 * Sends every target once, over this many connections.
 * @param check receives status and body of each answer; throws if they are wrong
 */
export async function load(
  url: string,
  token: Token,
  targets: readonly string[],
  connections: number,
  check: (status: number, body: string, target: string) => void,
): Promise<LoadResult> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const times = new Float64Array(targets.length);
  let next = 0;
  const connection = async (): Promise<void> => {
    for (let index = next++; index < targets.length; index = next++) {
      const target = targets[index] as string;
      const headers = sign(token, target);
      const began = performance.now();
      const { status, body } = await get(agent, url, target, headers);
      times[index] = performance.now() - began;
      check(status, body, target);
    }
  };
  const began = performance.now();
  try {
    await Promise.all(Array.from({ length: connections }, connection));
  } finally {
    agent.destroy();
  }
  const seconds = (performance.now() - began) / 1000;
  times.sort();
  const at = (share: number): number => percentile(times, share);
  return { p50: at(0.5), p99: at(0.99), max: at(1), perSecond: targets.length / seconds, times };
}

function get(
  agent: Agent,
  url: string,
  target: string,
  headers: Readonly<Record<string, string>>,
): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const outgoing = request(new URL(target, url), { agent, headers, path: target }, (response) => {
      let body = '';
      response.setEncoding('utf8');
      response.on('data', (chunk) => {
        body += chunk;
      });
      response.on('end', () => resolve({ status: response.statusCode as number, body }));
      response.on('error', reject);
    });
    outgoing.on('error', reject);
    outgoing.end();
  });
}
