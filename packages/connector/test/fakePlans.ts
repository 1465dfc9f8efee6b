/** Started plans of an in-memory service; the test controls changes and marks. */
import { ClewClient } from '@clew/client';

export interface FakeMark {
  readonly by: string;
  readonly at: string;
  readonly note: string;
  evidence: 'waiting' | 'verified' | 'contradicted';
}

export interface FakeChange {
  number: number;
  title: string;
  state: 'open' | 'done' | 'undone' | 'not-seen';
  done_count: number;
  fact_count: number;
  marked: FakeMark | null;
  history: { state: string; at: string; moved: string[] }[];
}

export interface FakeRepair {
  number: number;
  key: string | null;
  title: string;
  changes: number[];
  owner: { name: string } | null;
  due: string | null;
  overdue: boolean;
}

export interface FakePlan {
  plan_id: number;
  name: string;
  adopted_at: string;
  published_at: string;
  repairs: FakeRepair[];
  changes: FakeChange[];
}

interface NewMark {
  readonly changes: number[];
  readonly done: boolean;
  readonly note: string;
}

/** The evidence of a mark that is older than the analysis, by the state that the analysis found. */
const EVIDENCE = {
  open: 'contradicted',
  undone: 'contradicted',
  done: 'verified',
  // A session that was not seen again proves nothing.
  'not-seen': 'waiting',
} as const;

/** The service lists no more plans. */
const MAX_LISTED = 100;

export class FakePlans {
  readonly plans: FakePlan[] = [];
  /** Replaces the answer; called for each request. */
  fault: (method: string, path: string) => number | undefined = () => undefined;
  readonly requests: string[] = [];
  /** Those of the present plan. */
  cards: readonly object[] = [CARD];
  #clock = Date.parse('2026-06-01T00:00:00Z');

  /** One change for each title. */
  add(name: string, ...titles: readonly string[]): FakePlan {
    const number = this.plans.length + 1;
    const plan: FakePlan = {
      ...{ plan_id: number, name, adopted_at: this.tick(), published_at: this.tick() },
      repairs: titles.map((title, at) => ({
        ...{ number: at + 1, key: `key-${at}`, title: `Repair: ${title}`, changes: [at + 1] },
        ...{ owner: null, due: null, overdue: false },
      })),
      changes: titles.map((title, at) => ({
        ...{ number: at + 1, title, state: 'open' as const, done_count: 0, fact_count: 1 },
        ...{ marked: null, history: [] },
      })),
    };
    this.plans.push(plan);
    return plan;
  }

  /** Simulates an analysis that found the change in this state. */
  found(plan: FakePlan, number: number, state: FakeChange['state'], moved: string[] = []): void {
    const change = changeOf(plan, number);
    plan.published_at = this.tick();
    change.state = state;
    change.done_count = state === 'done' ? change.fact_count : 0;
    if (state === 'done' || state === 'undone') change.history.push({ state, at: plan.published_at, moved });
    if (change.marked !== null) change.marked.evidence = EVIDENCE[state];
  }

  tick(): string {
    this.#clock += 60_000;
    return new Date(this.#clock).toISOString().replace('Z', '000Z');
  }

  /** Advances the clock. @param instant milliseconds since the epoch */
  waitUntil(instant: number): void {
    this.#clock = Math.max(this.#clock, instant);
  }

  /** The answer about changes since the last digest. */
  inbox: object = { from: null, to: null, read_before: null, count: 0, groups: [] };
  readonly inboxQueries: Record<string, string>[] = [];
  /** The answer about overdue findings. */
  overdue: { count: number; data: readonly object[] } = { count: 0, data: [] };

  client(): ClewClient {
    return new ClewClient({
      url: 'https://clew.example',
      credentials: { tokenId: 'id', tokenKey: 'service-secret' },
      fetch: this.fetch,
      retry: { retries: 0, firstPause: 1, longestPause: 1 },
    });
  }

  readonly fetch: typeof fetch = async (input, init) => {
    const url = new URL(String(input));
    const method = init?.method ?? 'GET';
    this.requests.push(`${method} ${url.pathname}`);
    const status = this.fault(method, url.pathname);
    if (status !== undefined) return Response.json({ errors: [{ context: '', message: 'no' }] }, { status });
    const path = url.pathname.replace('/api/v2', '');
    if (path === '/plans/adopted') {
      const skip = Number(url.searchParams.get('skip'));
      const newest = this.plans.toReversed().slice(0, MAX_LISTED);
      const data = newest.slice(skip, skip + 100).map(recordOf);
      return Response.json({ count: newest.length, skip, limit: 100, data });
    }
    const [, adopted] = /^\/plans\/adopted\/(\d+)$/.exec(path) ?? [];
    const [, marked] = /^\/plans\/(\d+)\/marks$/.exec(path) ?? [];
    const plan = this.plans.find(({ plan_id }) => plan_id === Number(adopted ?? marked));
    if (plan !== undefined && marked !== undefined)
      this.#mark(plan, (await new Response(init?.body).json()) as NewMark);
    if (plan !== undefined) return Response.json({ data: recordOf(plan) });
    if (path === '/inbox') {
      this.inboxQueries.push(Object.fromEntries(url.searchParams));
      return Response.json({ data: this.inbox });
    }
    if (path === '/attack-paths/findings') {
      const { overdue, sort_by, limit } = Object.fromEntries(url.searchParams);
      if (overdue !== 'eq:true' || sort_by !== '-due') throw new Error(`unexpected query ${url.search}`);
      const data = this.overdue.data.slice(0, Number(limit));
      return Response.json({ count: this.overdue.count, skip: 0, limit: Number(limit), data });
    }
    if (path === '/plan') return Response.json({ data: { cards: this.cards } });
    return Response.json({ errors: [{ context: '', message: 'resource not found' }] }, { status: 404 });
  };

  #mark(plan: FakePlan, body: NewMark): void {
    const at = this.tick();
    for (const number of body.changes)
      changeOf(plan, number).marked = body.done
        ? { by: 'connector', at, note: body.note, evidence: 'waiting' }
        : null;
  }
}

export const changeOf = (plan: FakePlan, number: number): FakeChange => {
  const change = plan.changes.find((one) => one.number === number);
  if (change === undefined) throw new Error(`no change ${number}`);
  return change;
};

const recordOf = (plan: FakePlan) => ({
  ...plan,
  asset_group_tag_id: 1,
  before: [{ exposed_count: 120, principal_count: 184 }],
  now: [{ exposed_count: 90, principal_count: 184 }],
});

/** The card of the first repair. */
export const CARD = {
  title: 'Card',
  exposed_before: 120,
  exposed_after: 80,
  packages: [
    {
      ...{
        key: 'key-0',
        title: 'Package',
        fix: 'Remove `GenericAll` of @everyone on <script>',
        check: 'Look.',
      },
      risk: 'Someone may need it.',
    },
  ],
};
