/**
 * `fetch`, except for files: only the older API reports upload progress. Progress is reported per file, because the client
 * repeats failed requests.
 */

type OnSent = (bytes: number) => void;

const watched = new WeakMap<Blob, OnSent>();

/** @param onSent called with the number of sent bytes of the file; restarts at 0 with each attempt */
export function watchSending(file: Blob, onSent: OnSent): void {
  watched.set(file, onSent);
}

export const browserFetch: typeof fetch = (input, init) => {
  const body = init?.body;
  const onSent = body instanceof Blob ? watched.get(body) : undefined;
  return onSent === undefined ? fetch(input, init) : sendFile(String(input), init!, body as Blob, onSent);
};

/** Headers that only browsers may set. */
const FORBIDDEN = new Set(['content-length', 'user-agent']);

function sendFile(url: string, init: RequestInit, body: Blob, onSent: OnSent): Promise<Response> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open(init.method ?? 'POST', url);
    for (const [name, value] of new Headers(init.headers))
      if (!FORBIDDEN.has(name)) request.setRequestHeader(name, value);
    request.upload.onprogress = ({ loaded }) => onSent(Math.min(loaded, body.size));
    request.onload = () => {
      const headers = new Headers();
      for (const line of request.getAllResponseHeaders().trim().split('\r\n')) {
        const colon = line.indexOf(': ');
        if (colon > 0) headers.append(line.slice(0, colon), line.slice(colon + 2));
      }
      const hasBody = request.status !== 204 && request.status !== 304;
      resolve(new Response(hasBody ? request.responseText : null, { status: request.status, headers }));
    };
    request.onerror = () => reject(new TypeError('the connection was lost'));
    request.onabort = () => reject(new DOMException('aborted', 'AbortError'));
    init.signal?.addEventListener('abort', () => request.abort(), { once: true });
    request.send(body);
  });
}
