/**
 * Tracks the source and time of facts. A file with known content is the same collection: its facts keep their
 * first time, so uploading it again changes no facts. Only the new sighting of its objects is recorded.
 */
import { halvesOfTime } from '@clew/store';
import type pg from 'pg';
import type { Observed } from './staging/fileScope.ts';
import type { StagingTables } from './staging/stagingTables.ts';

/** Numbers of sources by name; a new source gets a number on first use. */
export class SourceNumbers {
  readonly #pool: pg.Pool;
  readonly #known = new Map<string, number>();

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  async numberOf(name: string): Promise<number> {
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    const { rows } = await this.#pool.query<{ id: number }>(
      `with made as (
         insert into source (name) select $1 where not exists (select from source where name = $1)
         on conflict do nothing returning id
       )
       select id from made union all select id from source where name = $1`,
      [name],
    );
    if (rows.length === 0) return this.numberOf(name);
    this.#known.set(name, rows[0].id);
    return rows[0].id;
  }
}

interface Origin {
  readonly origin: number;
  readonly sourceId: number;
  readonly observedAt: string;
}

/** The origins of one job. */
export class JobOrigins {
  readonly #pool: pg.Pool;
  readonly #jobTime: string;
  readonly #bySchedule: boolean;
  readonly #origins: Origin[] = [];
  readonly #contents: Buffer[] = [];
  #isNews = false;

  /**
   * @param jobTime observation time of files that were not seen before
   * @param bySchedule whether the job is the batch of a scheduled collector: its facts age, and known content is a
   * new observation
   */
  constructor(pool: pg.Pool, jobTime: string, bySchedule: boolean) {
    this.#pool = pool;
    this.#jobTime = jobTime;
    this.#bySchedule = bySchedule;
  }

  /**
   * Registers a file and its source.
   * @param content digest of the content
   * @param namesMethods whether the file states what its run collected
   * @returns the observation time of its facts
   */
  async begin(
    tables: StagingTables,
    origin: number,
    sourceId: number,
    content: Buffer,
    namesMethods: boolean,
  ): Promise<Observed> {
    const observedAt = await this.#observedAt(content);
    this.#origins.push({ origin, sourceId, observedAt });
    tables.run(async (client) => {
      await client.query('insert into stage_origin values ($1, $2, $3, $4, $5, $6)', [
        origin,
        sourceId,
        observedAt,
        this.#bySchedule,
        this.#jobTime,
        namesMethods,
      ]);
    });
    return { ...(await halvesOfTime(this.#pool, observedAt)), bySchedule: this.#bySchedule };
  }

  /** Whether a file has new content, or comes from a scheduled collector. */
  get isNews(): boolean {
    return this.#isNews;
  }

  /** Marks content that was read completely, so that it is known next time. */
  readWhole(content: Buffer): void {
    this.#contents.push(content);
  }

  /**
   * @returns the first file of the job with the same source and time; objects of both files are recorded as seen
   * together
   */
  firstLike(origin: number): number {
    const own = this.#origins.find((other) => other.origin === origin) as Origin;
    const first = this.#origins.find(
      ({ sourceId, observedAt }) => sourceId === own.sourceId && observedAt === own.observedAt,
    );
    return (first as Origin).origin;
  }

  async #observedAt(content: Buffer): Promise<string> {
    if (this.#bySchedule) {
      this.#isNews = true;
      return this.#jobTime;
    }
    const { rows } = await this.#pool.query<{ observed_at: string }>(
      'select observed_at from observation where sha256 = $1',
      [content],
    );
    if (rows.length === 0) this.#isNews = true;
    return rows[0]?.observed_at ?? this.#jobTime;
  }

  /** Stores the known contents; part of the merge. */
  async remember(client: pg.ClientBase): Promise<void> {
    if (this.#bySchedule || this.#contents.length === 0) return;
    await client.query(
      `insert into observation (sha256, observed_at) select distinct sha256, $2::timestamptz from unnest($1::bytea[]) sha256
       on conflict do nothing`,
      [this.#contents, this.#jobTime],
    );
  }
}
