/** The work of users: they install extensions, assign many findings, and start plans. Acknowledged work must not be lost. */
import { ClewClient, type TokenCredentials } from '@clew/client';
import { repeat } from '../harness/scenario.ts';

/** Number of extensions that are installed repeatedly, each time in a newer version. */
const EXTENSIONS = 6;
/** Number of findings in one change. */
const MANY = 20;
/** A plan follows its changes at each analysis, so more plans would be a different load. */
const MAX_PLANS = 20;

interface Row {
  readonly id: number;
  readonly owner_id: string | null;
}

export class Keeper {
  /** Newest acknowledged version, by the name of the extension. */
  readonly versions = new Map<string, number>();
  /** Findings with an owner. */
  readonly owned = new Set<number>();
  /** Names of started plans. */
  readonly plans = new Set<string>();
  acknowledged = 0;
  failures = 0;
  /** Newest sent version of any extension. */
  #sent = 0;

  readonly #client: ClewClient;

  constructor(url: string, credentials: TokenCredentials) {
    this.#client = new ClewClient({ url, credentials, timeout: 15_000 });
  }

  run(signal: AbortSignal): Promise<void> {
    const work = [() => this.#install(), () => this.#assign(), () => this.#adopt(), () => this.#ask()];
    let at = 0;
    return repeat(signal, 500, async () => {
      try {
        await work[at++ % work.length]?.();
        this.acknowledged++;
      } catch {
        // The outcome is unknown.
        this.failures++;
      }
    });
  }

  async #install(): Promise<void> {
    const version = ++this.#sent;
    const name = `kept${version % EXTENSIONS}`;
    const namespace = `KEPT${version % EXTENSIONS}`;
    await this.#client.call('UpsertOpenGraphExtension', {
      body: {
        schema: { name, display_name: name, version: `v1.0.${version}`, namespace },
        node_kinds: [{ name: `${namespace}_Thing`, display_name: 'Thing' }],
        saved_searches: [{ name: `${name} things`, query: `MATCH (n:${namespace}_Thing) RETURN n` }],
      },
    } as never);
    this.versions.set(name, version);
  }

  async #assign(): Promise<void> {
    const query = { limit: MANY, status: 'eq:active' };
    const { data } = await this.#client.call('ListAttackPathFindings', { query } as never);
    const findings = (data as unknown as readonly Row[]).flatMap(({ id, owner_id }) =>
      owner_id === null ? [id] : [],
    );
    if (findings.length === 0) return;
    await this.#client.call('AssignFindings', { body: { owner: 'me', findings } } as never);
    for (const id of findings) this.owned.add(id);
  }

  async #adopt(): Promise<void> {
    if (this.plans.size >= MAX_PLANS) return;
    const name = `kept ${++this.#sent}`;
    await this.#client.call('AdoptPlan', { body: { name } } as never);
    this.plans.add(name);
  }

  /** Keeps the Cypher thread busy. */
  async #ask(): Promise<void> {
    const query = 'MATCH (n)-[:MemberOf*0..2]->(g:Group) RETURN count(n)';
    await this.#client.call('RunCypherQuery', { body: { query, rows: true } } as never);
  }

  /** @returns numbers of lost acknowledged items, and of duplicate items */
  async count(client: ClewClient): Promise<KeptCounts> {
    const extensions = ((await client.call('ListExtensions')).data as unknown as Listed).extensions;
    const newest = new Map(extensions.map(({ name, version }) => [name, Number(version.split('.').at(-1))]));
    const { data: user } = await client.call('GetSelf');
    const ownerOf = new Map<number, string | null>();
    const query = { limit: 1000, status: 'eq:active', part_of: 'neq:-' };
    for await (const page of client.pages('ListAttackPathFindings', { query } as never))
      for (const { id, owner_id } of page as readonly Row[]) ownerOf.set(id, owner_id);
    const names: string[] = [];
    for await (const page of client.pages('ListAdoptedPlans', { query: { limit: 1000 } } as never))
      for (const { name } of page as readonly { readonly name: string }[]) names.push(name);
    return {
      ...{ acknowledged: this.acknowledged, failed: this.failures },
      // An unacknowledged version may also be installed; it is newer.
      extensions: [...this.versions].filter(([name, version]) => !((newest.get(name) ?? 0) >= version))
        .length,
      owners: [...this.owned].filter((id) => ownerOf.has(id) && ownerOf.get(id) !== user.id).length,
      plans: [...this.plans].filter((name) => !names.includes(name)).length,
      doubled: names.length - new Set(names).size + extensions.length - newest.size,
    };
  }
}

interface Listed {
  readonly extensions: readonly { readonly name: string; readonly version: string }[];
}

export interface KeptCounts {
  readonly acknowledged: number;
  readonly failed: number;
  /** Acknowledged but lost items. */
  readonly extensions: number;
  readonly owners: number;
  readonly plans: number;
  readonly doubled: number;
}
