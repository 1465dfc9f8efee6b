/** One request to Microsoft's servers, with a time limit, a size limit, and cancellation. */

export interface TextAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

const REQUEST_MS = 60_000;
const MAX_BODY_BYTES = 64 * 2 ** 20;

/**
 * @param ended cancels the request
 * @throws Error with the server's name if it cannot be reached, or its answer is incomplete
 */
export async function askText(
  url: URL,
  request: RequestInit,
  ended: AbortSignal | undefined,
): Promise<TextAnswer> {
  const limit = AbortSignal.timeout(REQUEST_MS);
  try {
    const answer = await fetch(url, {
      ...request,
      redirect: 'error',
      signal: ended === undefined ? limit : AbortSignal.any([ended, limit]),
    });
    return { status: answer.status, headers: answer.headers, text: await boundedText(answer) };
  } catch (error) {
    ended?.throwIfAborted();
    const { message, cause } = error as Error;
    const reason = cause instanceof Error ? cause.message : message;
    throw new Error(`${url.host} cannot be reached: ${reason}`, { cause: error });
  }
}

async function boundedText(answer: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of answer.body ?? []) {
    size += part.length;
    if (size > MAX_BODY_BYTES) throw new Error(`a response has more than ${MAX_BODY_BYTES} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

/** @returns the object in a JSON text; an empty one for any other text */
export function objectIn(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
  } catch {
    return {};
  }
}
