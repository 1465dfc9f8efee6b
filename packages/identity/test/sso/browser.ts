/** A headless browser: follows redirects, keeps cookies by host, posts the forms of pages. */

export interface Page {
  readonly url: URL;
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
}

interface Cookie {
  readonly value: string;
  readonly isHttpOnly: boolean;
}

const MAX_STEPS = 20;

export class Browser {
  readonly #hosts: Readonly<Record<string, string>>;
  readonly #cookies = new Map<string, Map<string, Cookie>>();

  /** @param hosts addresses to replace, such as the public address by that of the service */
  constructor(hosts: Readonly<Record<string, string>> = {}) {
    this.#hosts = hosts;
  }

  /** @param stopAt a page at which navigation ends, without a request */
  async open(address: string, stopAt: (url: URL) => boolean = () => false): Promise<Page> {
    return this.#go(new URL(address), undefined, stopAt);
  }

  /** Sends the form of a page, like its script. */
  async submit(
    page: Page,
    stopAt: (url: URL) => boolean = () => false,
    change = (fields: URLSearchParams) => fields,
  ): Promise<Page> {
    const { action, fields } = formOf(page);
    return this.#go(action, change(fields), stopAt);
  }

  post(
    address: string,
    fields: Readonly<Record<string, string>>,
    stopAt: (url: URL) => boolean,
  ): Promise<Page> {
    return this.#go(new URL(address), new URLSearchParams(fields), stopAt);
  }

  /** @returns the value of a cookie that scripts of the page can read */
  cookie(origin: string, name: string): string | undefined {
    const cookie = this.#cookies.get(new URL(origin).host)?.get(name);
    return cookie?.isHttpOnly === true ? undefined : cookie?.value;
  }

  async #go(start: URL, form: URLSearchParams | undefined, stopAt: (url: URL) => boolean): Promise<Page> {
    let [url, body] = [start, form];
    for (let step = 0; step < MAX_STEPS; step++) {
      if (stopAt(url)) return { url, status: 0, text: '', headers: new Headers() };
      const answer = await fetch(this.#targetOf(url), {
        method: body === undefined ? 'GET' : 'POST',
        redirect: 'manual',
        headers: { cookie: this.#cookiesFor(url), accept: 'text/html' },
        body,
      });
      this.#keep(url, answer);
      const location = answer.headers.get('location');
      if (location === null || answer.status < 300 || answer.status > 399)
        return { url, status: answer.status, text: await answer.text(), headers: answer.headers };
      await answer.body?.cancel();
      url = new URL(location, url);
      if (answer.status !== 307 && answer.status !== 308) body = undefined;
    }
    throw new Error(`redirected too often, at last to ${url}`);
  }

  #targetOf(url: URL): URL {
    const other = this.#hosts[url.origin];
    return other === undefined ? url : new URL(url.pathname + url.search, other);
  }

  #cookiesFor({ host }: URL): string {
    return [...(this.#cookies.get(host) ?? [])].map(([name, { value }]) => `${name}=${value}`).join('; ');
  }

  #keep({ host }: URL, { headers }: Response): void {
    const jar = this.#cookies.get(host) ?? new Map<string, Cookie>();
    this.#cookies.set(host, jar);
    for (const text of headers.getSetCookie()) {
      const [pair, ...attributes] = text.split(';').map((part) => part.trim());
      const [name, value] = [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)];
      const isOver = attributes.some(
        (one) => /^max-age=0$/i.test(one) || /^expires=Thu, 01 Jan 1970/i.test(one),
      );
      if (isOver) jar.delete(name);
      else jar.set(name, { value, isHttpOnly: attributes.some((one) => /^httponly$/i.test(one)) });
    }
  }
}

/** @returns the form of a page with one form */
export function formOf({ text, url }: Page): { readonly action: URL; readonly fields: URLSearchParams } {
  const action = /<form[^>]*action="([^"]*)"/.exec(text)?.[1];
  if (action === undefined) throw new Error(`no form at ${url}: ${text.slice(0, 300)}`);
  const fields = new URLSearchParams();
  for (const [input] of text.matchAll(/<input[^>]*>/g)) {
    const name = /name="([^"]*)"/.exec(input)?.[1];
    if (name !== undefined) fields.append(name, plain(/value="([^"]*)"/.exec(input)?.[1] ?? ''));
  }
  return { action: new URL(plain(action), url), fields };
}

const plain = (text: string): string =>
  text
    .replaceAll('&quot;', '"')
    .replaceAll('&#x3D;', '=')
    .replaceAll('&#x2F;', '/')
    .replaceAll('&lt;', '<')
    .replaceAll('&amp;', '&');
