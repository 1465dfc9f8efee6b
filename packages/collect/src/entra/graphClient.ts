/**
 * Reads Microsoft Graph, and Azure Resource Manager in the same way: pages, batches of twenty, requested pauses, renewed tokens. It only
 * reads: the only POST is a batch of GETs.
 */
import { setTimeout } from 'node:timers/promises';
import { askText, objectIn } from './graphRequest.ts';
import { type GraphAccount, type GraphPlaces, requestToken, type Token } from './graphSignIn.ts';

export type Item = Readonly<Record<string, unknown>>;

/** All queries of a batch have the version of the batch. */
export type GraphVersion = 'v1.0' | 'beta';

/** A query that Graph refused. */
export class GraphError extends Error {
  override readonly name = 'GraphError';
  readonly status: number;

  constructor(status: number, body: Item) {
    const { code = '', message = '' } = (body.error ?? {}) as {
      readonly code?: string;
      readonly message?: string;
    };
    super(`${status} ${code}: ${message.slice(0, 200)}`);
    this.status = status;
  }
}

/** One object, or the status with which Graph refused the query. */
export type Single =
  | { readonly id: string; readonly item: Item }
  | { readonly id: string; readonly status: number };

/** A page of changes, and the link to later changes on the last page. */
export interface ChangedPage {
  readonly items: readonly Item[];
  readonly later: string | undefined;
}

/** Objects related to another one, or the status with which Graph refused the query. */
export type Related =
  | { readonly id: string; readonly items: readonly Item[] }
  | { readonly id: string; readonly status: number };

const BATCH = 20;
const MAX_TRIES = 10;
const MAX_PAUSE_MS = 5 * 60_000;
/** Tokens are renewed this long before they expire. */
const EARLY_MS = 120_000;
const MAX_PAGES = 200_000;
const THROTTLED: readonly number[] = [429, 503, 504];

interface GraphAnswer {
  readonly status: number;
  readonly body: Item;
}

interface BatchAnswer {
  readonly id: string;
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Item;
}

export class GraphClient {
  readonly #places: GraphPlaces;
  readonly #account: GraphAccount;
  readonly #earlier: GraphClient | undefined;
  #token: Token | undefined;
  requests = 0;
  /** Number of answers that requested a pause. */
  throttled = 0;

  /** @param earlier a client whose user sign-in is reused, so that no one has to sign in twice */
  constructor(places: GraphPlaces, account: GraphAccount, earlier?: GraphClient) {
    this.#places = places;
    this.#account = account;
    this.#earlier = earlier;
  }

  /** Whether the run was canceled. */
  get isEnded(): boolean {
    return this.#account.signal?.aborted === true;
  }

  /** @param target path with its version, or a link to the next page @param batch sends a batch instead */
  async ask(target: string, batch?: object): Promise<GraphAnswer> {
    const url = new URL(target, this.#places.graph);
    // A link must lead to the same server, because the request contains the token.
    if (url.origin !== new URL(this.#places.graph).origin)
      throw new Error(`Graph: a link leads to another server (${url.origin})`);
    let isRenewed = false;
    for (let attempt = 0; ; attempt += 1) {
      this.requests += 1;
      const request: RequestInit = {
        method: batch === undefined ? 'GET' : 'POST',
        ...(batch !== undefined && { body: JSON.stringify(batch) }),
        headers: {
          Authorization: `Bearer ${await this.#bearer()}`,
          ...{ Accept: 'application/json', ConsistencyLevel: 'eventual' },
          ...(batch !== undefined && { 'Content-Type': 'application/json' }),
        },
      };
      const { status, headers, text } = await askText(url, request, this.#account.signal);
      if (THROTTLED.includes(status) && attempt < MAX_TRIES) {
        this.throttled += 1;
        await this.#pause(headers.get('retry-after'), attempt);
      } else if (status === 401 && !isRenewed) {
        // A token may expire early; it is renewed once per query, however often that was throttled.
        isRenewed = true;
        this.#token = this.#token && { ...this.#token, endsAt: 0 };
      } else return { status, body: objectIn(text) };
    }
  }

  /** All objects of a list, page by page. @throws GraphError */
  async *list(target: string): AsyncGenerator<Item> {
    for await (const body of this.#pages(target)) yield* itemsOf(body);
  }

  /** Changes since the link was made, page by page; the last page has the link for the next time. @throws GraphError */
  async *changes(target: string): AsyncGenerator<ChangedPage> {
    for await (const body of this.#pages(target)) {
      const later = body['@odata.deltaLink'];
      yield { items: itemsOf(body), later: typeof later === 'string' ? later : undefined };
    }
  }

  async *#pages(target: string): AsyncGenerator<Item> {
    let next: string | undefined = target;
    for (let pages = 0; next !== undefined; pages += 1) {
      if (pages > MAX_PAGES) throw new Error('Graph: a list does not end');
      const { status, body } = await this.ask(next);
      if (status !== 200) throw new GraphError(status, body);
      yield body;
      next = nextLink(body);
    }
  }

  /** Lists of many objects, twenty per request. */
  async *related(
    ids: readonly string[],
    pathOf: (id: string) => string,
    version: GraphVersion = 'v1.0',
  ): AsyncGenerator<Related> {
    for await (const { id, status, body } of this.#batched(ids, pathOf, version))
      yield status === 200 ? { id, items: await this.#whole(body ?? {}) } : { id, status };
  }

  /** Objects by their ids, twenty per request. */
  async *objects(ids: readonly string[], pathOf: (id: string) => string): AsyncGenerator<Single> {
    for await (const { id, status, body } of this.#batched(ids, pathOf, 'v1.0'))
      yield status === 200 ? { id, item: body ?? {} } : { id, status };
  }

  /** Individually throttled queries are repeated. */
  async *#batched(
    ids: readonly string[],
    pathOf: (id: string) => string,
    version: GraphVersion,
  ): AsyncGenerator<BatchAnswer> {
    for (let at = 0; at < ids.length; at += BATCH) {
      let open: readonly string[] = ids.slice(at, at + BATCH);
      for (let attempt = 0; open.length > 0; attempt += 1) {
        const again: string[] = [];
        let wait: string | undefined;
        for (const answer of await this.#batch(open, pathOf, version))
          if (THROTTLED.includes(answer.status) && attempt < MAX_TRIES) {
            this.throttled += 1;
            again.push(answer.id);
            wait = answer.headers?.['Retry-After'] ?? wait;
          } else yield answer;
        open = again;
        if (open.length > 0) await this.#pause(wait ?? null, attempt);
      }
    }
  }

  async #batch(
    ids: readonly string[],
    pathOf: (id: string) => string,
    version: GraphVersion,
  ): Promise<readonly BatchAnswer[]> {
    const headers = { ConsistencyLevel: 'eventual' };
    const { status, body } = await this.ask(`/${version}/$batch`, {
      requests: ids.map((id) => ({ id, method: 'GET', url: pathOf(id), headers })),
    });
    if (status !== 200) throw new GraphError(status, body);
    const answers = (Array.isArray(body.responses) ? body.responses : []) as readonly BatchAnswer[];
    const missing = ids.filter((id) => !answers.some((answer) => answer.id === id));
    if (missing.length > 0) throw new Error(`Graph: a batch has no answer for ${missing[0]}`);
    return answers;
  }

  /** The objects of an answer in a batch, including those of its next pages. */
  async #whole(body: Item): Promise<readonly Item[]> {
    const items = [...itemsOf(body)];
    const next = nextLink(body);
    if (next !== undefined) for await (const item of this.list(next)) items.push(item);
    return items;
  }

  get #refresh(): string | undefined {
    const earlier = this.#earlier === undefined ? undefined : this.#earlier.#refresh;
    return this.#token?.refresh ?? earlier;
  }

  async #bearer(): Promise<string> {
    if (this.#token === undefined || Date.now() > this.#token.endsAt - EARLY_MS)
      this.#token = await requestToken(this.#places, this.#account, this.#refresh);
    return this.#token.value;
  }

  async #pause(retryAfter: string | null, attempt: number): Promise<void> {
    const asked = Number(retryAfter ?? 0) * 1000;
    const milliseconds = Math.min(asked > 0 ? asked : 500 * 2 ** attempt, MAX_PAUSE_MS);
    await setTimeout(milliseconds, undefined, { signal: this.#account.signal });
  }
}

/** @throws Error for an answer without a list, which would look like an empty one */
function itemsOf({ value }: Item): readonly Item[] {
  if (!Array.isArray(value)) throw new Error('Graph: a response does not contain the expected list');
  return value as readonly Item[];
}

/** Resource Manager omits the prefix of the name. */
function nextLink(body: Item): string | undefined {
  const link = body['@odata.nextLink'] ?? body.nextLink;
  return typeof link === 'string' && link !== '' ? link : undefined;
}
