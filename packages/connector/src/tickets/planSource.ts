/** Reads started plans for tickets, and marks their changes. Rule: `docs/integration.md#tickets`. */
import { ApiError, type ClewClient } from '@clew/client';
import Type, { type Static } from 'typebox';
import { PageLimit, UnreadPages } from './pages.ts';

const PAGE = 100;
/** Maximum number of cards that `GetPlan` returns. */
const MAX_CARDS = 50;

const Exposure = Type.Array(Type.Object({ exposed_count: Type.Integer(), principal_count: Type.Integer() }));

/** The part of each answer that tickets need. */
const StartedPlan = Type.Object({
  plan_id: Type.Integer(),
  name: Type.String(),
  adopted_at: Type.String(),
  asset_group_tag_id: Type.Integer(),
  published_at: Type.String(),
  before: Exposure,
  now: Exposure,
  changes: Type.Array(
    Type.Object({
      number: Type.Integer(),
      title: Type.String(),
      state: Type.String(),
      done_count: Type.Integer(),
      fact_count: Type.Integer(),
      marked: Type.Union([
        Type.Object({
          by: Type.String(),
          at: Type.String(),
          note: Type.String(),
          evidence: Type.String(),
        }),
        Type.Null(),
      ]),
      history: Type.Array(
        Type.Object({ state: Type.String(), at: Type.String(), moved: Type.Array(Type.String()) }),
      ),
    }),
  ),
  repairs: Type.Array(
    Type.Object({
      number: Type.Integer(),
      key: Type.Union([Type.String(), Type.Null()]),
      title: Type.String(),
      changes: Type.Array(Type.Integer()),
      owner: Type.Union([Type.Object({ name: Type.String() }), Type.Null()]),
      due: Type.Union([Type.String(), Type.Null()]),
      overdue: Type.Optional(Type.Boolean()),
    }),
  ),
});
export type StartedPlan = Static<typeof StartedPlan>;
export type StartedRepair = StartedPlan['repairs'][number];
export type StartedChange = StartedPlan['changes'][number];

const Card = Type.Object({
  title: Type.String(),
  exposed_before: Type.Union([Type.Integer(), Type.Null()]),
  exposed_after: Type.Union([Type.Integer(), Type.Null()]),
  packages: Type.Array(
    Type.Object({
      ...{ key: Type.String(), title: Type.String(), fix: Type.String() },
      ...{ check: Type.String(), risk: Type.String() },
    }),
  ),
});
export type PlanCard = Static<typeof Card>;

const NEEDS = {
  started: Type.Object({ data: StartedPlan }),
  startedPage: Type.Object({ data: Type.Array(StartedPlan) }),
  plan: Type.Object({ data: Type.Object({ cards: Type.Optional(Type.Array(Card)) }) }),
};

export interface PlanList {
  readonly plans: readonly StartedPlan[];
  /** Numbers of plans that could not be read. */
  readonly unread: ReadonlySet<number>;
}

export class PlanSource {
  readonly #client: ClewClient;
  readonly #signal: AbortSignal | undefined;
  readonly #isOver: () => boolean;

  constructor(client: ClewClient, signal?: AbortSignal, isOver: () => boolean = () => false) {
    this.#client = client;
    this.#signal = signal;
    this.#isOver = isOver;
  }

  /**
   * Lists the newest plans and those with these numbers: the service lists only the newest hundred.
   * @param may reads one of the others; a failure is reported, and the rest is read
   */
  async list(
    numbers: readonly number[],
    may: (what: string, read: () => Promise<void>) => Promise<void>,
  ): Promise<PlanList> {
    const plans = [...(await this.#newest())];
    const others = new Set(numbers);
    for (const { plan_id } of plans) others.delete(plan_id);
    const unread = new Set(others);
    for (const id of others)
      await may(`plan ${id}`, async () => {
        if (this.#isOver()) throw new UnreadPages('run time limit reached');
        const plan = await this.#plan(id);
        if (plan !== undefined) plans.push(plan);
        unread.delete(id);
      });
    return { plans, unread };
  }

  async #newest(): Promise<readonly StartedPlan[]> {
    const found: StartedPlan[] = [];
    const limit = new PageLimit('started plans', { isOver: this.#isOver });
    for (;;) {
      limit.next(String(found.length));
      const query = { skip: found.length, limit: PAGE };
      const { data } = await this.#client.call(
        'ListAdoptedPlans',
        { query } as never,
        this.#needing('startedPage'),
      );
      const known = new Set(found.map(({ plan_id }) => plan_id));
      if (data.length > 0 && (data as StartedPlan[]).every(({ plan_id }) => known.has(plan_id)))
        throw new Error('the list of started plans contains the same page twice');
      found.push(...(data as StartedPlan[]).filter(({ plan_id }) => !known.has(plan_id)));
      if (data.length < PAGE) return found;
    }
  }

  /** @returns `undefined` if the plan was deleted or the account may no longer see it @throws Error for the plan of another number */
  async #plan(planId: number): Promise<StartedPlan | undefined> {
    try {
      const input = { params: { plan_id: planId } };
      const { data } = await this.#client.call('GetAdoptedPlan', input as never, this.#needing('started'));
      return ofNumber(planId, data as StartedPlan);
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) return undefined;
      throw error;
    }
  }

  /** The first cards of the current plan of a zone; empty while it is computed. */
  async cards(zone: number): Promise<readonly PlanCard[]> {
    const query = { asset_group_tag_id: zone, limit: MAX_CARDS };
    const { data } = await this.#client.call('GetPlan', { query } as never, this.#needing('plan'));
    return (data as { cards?: PlanCard[] }).cards ?? [];
  }

  /** Marks changes as done, or removes the marks. @returns the updated plan */
  async mark(
    planId: number,
    changes: readonly number[],
    mark: { done: boolean; note: string },
  ): Promise<StartedPlan> {
    const input = { params: { plan_id: planId }, body: { changes, ...mark } };
    const { data } = await this.#client.call('MarkPlanChanges', input as never, this.#needing('started'));
    return ofNumber(planId, data as StartedPlan);
  }

  #needing(what: keyof typeof NEEDS) {
    return { signal: this.#signal, needs: NEEDS[what] };
  }
}

function ofNumber(planId: number, plan: StartedPlan): StartedPlan {
  if (plan.plan_id !== planId)
    throw new Error(`the service returned plan ${plan.plan_id} instead of ${planId}`);
  return plan;
}
