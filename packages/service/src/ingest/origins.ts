/**
 * Who says what, and when it was seen. A file whose content was ingested before is the same observation: it keeps the
 * time of the first, so that the same upload again changes nothing.
 */
import type pg from 'pg';

/** Numbers of sources by name; a new one gets its number at first sight. */
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

  /**
   * @param jobTime when files that were not seen before were seen
   * @param bySchedule the job is the batch of a collector that reports by itself: what it told ages, and a content
   *   seen before is a new observation
   */
  constructor(pool: pg.Pool, jobTime: string, bySchedule: boolean) {
    this.#pool = pool;
    this.#jobTime = jobTime;
    this.#bySchedule = bySchedule;
  }

  /** @returns the first file of the job with this source and time: the two are seen at once. */
  async add(origin: number, sourceId: number, sha256: Buffer | undefined): Promise<number> {
    const observedAt = await this.#observedAt(sha256);
    this.#origins.push({ origin, sourceId, observedAt });
    const first = this.#origins.find(
      (other) => other.sourceId === sourceId && other.observedAt === observedAt,
    );
    return (first as Origin).origin;
  }

  async #observedAt(sha256: Buffer | undefined): Promise<string> {
    if (this.#bySchedule || sha256 === undefined) return this.#jobTime;
    this.#contents.push(sha256);
    const { rows } = await this.#pool.query<{ observed_at: string }>(
      'select observed_at from observation where sha256 = $1',
      [sha256],
    );
    return rows[0]?.observed_at ?? this.#jobTime;
  }

  /** Fills `stage_origin`. */
  async write(client: pg.ClientBase): Promise<void> {
    await client.query(
      `insert into stage_origin
       select origin, source_id, observed_at, $4
       from unnest($1::integer[], $2::smallint[], $3::timestamptz[]) as origins (origin, source_id, observed_at)`,
      [
        this.#origins.map(({ origin }) => origin),
        this.#origins.map(({ sourceId }) => sourceId),
        this.#origins.map(({ observedAt }) => observedAt),
        this.#bySchedule,
      ],
    );
  }

  /** Remembers the contents; part of the merge. */
  async remember(client: pg.ClientBase): Promise<void> {
    if (this.#contents.length === 0) return;
    await client.query(
      `insert into observation (sha256, observed_at) select distinct sha256, $2::timestamptz from unnest($1::bytea[]) sha256
       on conflict do nothing`,
      [this.#contents, this.#jobTime],
    );
  }
}
