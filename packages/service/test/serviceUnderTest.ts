/** A service with its own database, and test helpers. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ClientJob } from '@clew/api';
import { readConfig } from '@clew/common';
import { parseJson } from '@clew/model';
import type { Database } from '@clew/store';
import { startTestDatabase } from '@clew/store/testing';
import { expect, vi } from 'vitest';
import type { RunningService, StartOptions } from '../src/main.ts';
import { type Reply, SimulatedCollector } from './simulatedCollector.ts';
import { databaseVariables, startTested } from './startTested.ts';

export const PASSWORD = 'Correct-Horse-1';
export const TENANT = '6C12B0B0-B2CC-4A73-8252-0B94BFCA2145';

export interface Registered {
  readonly id: string;
  readonly collector: SimulatedCollector;
}

export class ServiceUnderTest {
  readonly directory: string;
  readonly database: Database;
  readonly service: RunningService;
  #bearer: string | undefined;
  /** Keyed by user. */
  readonly #tokens = new Map<string, string>();

  readonly #makesPlans: boolean;

  private constructor(directory: string, database: Database, service: RunningService, makesPlans: boolean) {
    this.directory = directory;
    this.database = database;
    this.service = service;
    this.#makesPlans = makesPlans;
  }

  static async start(
    variables: Readonly<Record<string, string>> = {},
    options: Pick<StartOptions, 'makesPlans' | 'log'> = {},
  ): Promise<ServiceUnderTest> {
    const directory = await mkdtemp(join(tmpdir(), 'clew-service-'));
    const database = await startTestDatabase();
    const service = await startOn(database, directory, variables, options);
    const started = new ServiceUnderTest(directory, database, service, options.makesPlans ?? true);
    await started.login('admin');
    return started;
  }

  async stop(): Promise<void> {
    await this.service.stop();
    await this.database.close();
    await rm(this.directory, { recursive: true, force: true });
  }

  /** Another service on the same database. */
  startAnother(variables: Readonly<Record<string, string>>): Promise<RunningService> {
    return startOn(this.database, this.directory, variables);
  }

  get authorization(): string {
    return `Bearer ${this.#bearer}`;
  }

  /** Later calls are made as this user. */
  async login(username: string): Promise<void> {
    this.#bearer = await this.#newToken(username);
  }

  async #newToken(username: string): Promise<string> {
    const body = { login_method: 'secret', username, secret: PASSWORD };
    return (await this.call('POST', 'login', body)).json.data.session_token;
  }

  /** @param role its name @param environments visible to the user; default: all @returns the id of the user */
  addUser = async (name: string, role: string, environments?: readonly string[]): Promise<string> => {
    const { roles } = await this.data('GET', 'roles');
    const { id } = await this.data('POST', 'bloodhound-users', {
      ...{ principal: name, first_name: name, last_name: name, email_address: `${name}@one.example` },
      ...{ roles: [roles.find((one: { readonly name: string }) => one.name === role).id], secret: PASSWORD },
      needs_password_reset: false,
      ...(environments && {
        environment_targeted_access_control: {
          environments: environments.map((environment_id) => ({ environment_id })),
        },
      }),
    });
    return id;
  };

  /** A call as another user, who is signed in at the first one. */
  as = async (name: string, method: string, path: string, body?: object, prefer?: string): Promise<Reply> => {
    if (!this.#tokens.has(name)) await this.signIn(name);
    return this.#send(this.#tokens.get(name), method, path, body, prefer);
  };

  /** The answer to a GET, for tests of headers and bytes. @param name `admin` for the user of `call` */
  fetchAs = async (name: string, path: string): Promise<Response> => {
    if (name !== 'admin' && !this.#tokens.has(name)) await this.signIn(name);
    const token = name === 'admin' ? this.#bearer : this.#tokens.get(name);
    return fetch(`${this.service.url}/api/v2/${path}`, { headers: { authorization: `Bearer ${token}` } });
  };

  /** Starts another session for the calls of `as`: changing roles ends earlier ones. */
  signIn = async (name: string): Promise<void> => {
    this.#tokens.set(name, await this.#newToken(name));
  };

  /** @param prefer the header of this name */
  call = (method: string, path: string, body?: object, prefer?: string): Promise<Reply> =>
    this.#send(this.#bearer, method, path, body, prefer);

  #send = async (
    token: string | undefined,
    method: string,
    path: string,
    body: object | undefined,
    prefer?: string,
  ): Promise<Reply> => {
    const answer = await fetch(`${this.service.url}/api/v2/${path}`, {
      method,
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        // No plan is made, so a test that calls every operation must not wait for one.
        ...(path === 'plan' && !this.#makesPlans && { prefer: 'wait=1' }),
        ...(prefer !== undefined && { prefer }),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    const text = await answer.text();
    return { status: answer.status, json: text.startsWith('{') ? (parseJson(text) as Reply['json']) : text };
  };

  /** Returns `data` of a 200. */
  data = async (method: string, path: string, body?: object) => {
    const { status, json } = await this.call(method, path, body);
    expect([path, status, status === 200 ? '' : json]).toEqual([path, 200, '']);
    return json.data;
  };

  /** Uploads files as one job, and waits until it is complete. @returns its id */
  upload = (...files: readonly object[]): Promise<number> =>
    this.uploadBytes(files.map((file) => JSON.stringify(file)));

  /** Uploads texts and zip archives as one job, and waits until it has ended. @returns its number */
  uploadBytes = async (files: readonly (string | Buffer<ArrayBuffer>)[]): Promise<number> => {
    const { id } = (await this.call('POST', 'file-upload/start')).json.data;
    for (const body of files) {
      const type = typeof body === 'string' ? 'json' : 'zip';
      const { status } = await fetch(`${this.service.url}/api/v2/file-upload/${id}`, {
        method: 'POST',
        headers: { authorization: this.authorization, 'content-type': `application/${type}` },
        body,
      });
      expect(status).toBe(202);
    }
    await this.call('POST', `file-upload/${id}/end`);
    const status = async () => (await this.data('GET', `file-upload?id=eq:${id}`))[0].status;
    await vi.waitUntil(async () => [2, 5, 8].includes(await status()), { timeout: 120_000, interval: 50 });
    return id;
  };

  /** Waits until a generation contains the newest facts and definitions. */
  settled = async (): Promise<void> => {
    const isDone = async () => {
      const { rows } = await this.database.pool.query(
        'select (select version from facts_state) = (select facts_version from generation order by id desc limit 1) as done',
      );
      return rows[0].done === true;
    };
    await vi.waitUntil(isDone, { timeout: 170_000, interval: 50 });
  };

  /** The graph, as a file. */
  exported = async (): Promise<string> => {
    const answer = await fetch(`${this.service.url}/api/v2/graphs/export`, {
      headers: { authorization: this.authorization },
    });
    expect(answer.status).toBe(200);
    return answer.text();
  };

  newCollector = async (more: object = {}): Promise<Registered> => {
    const client = await this.data('POST', 'clients', { name: 'Berlin', type: 'azurehound', ...more });
    return { id: client.id, collector: new SimulatedCollector(this.service.url, client.token) };
  };

  /** A collector with a running job. */
  running = async (): Promise<Registered & { readonly job: ClientJob }> => {
    const { id, collector } = await this.newCollector();
    await collector.start();
    await this.data('POST', `clients/${id}/jobs`, {});
    const job = await collector.pick();
    expect(job).toBeDefined();
    return { id, collector, job: job as ClientJob };
  };

  statusOf = async (job: { readonly id: number }): Promise<number> =>
    (await this.data('GET', `jobs/${job.id}`)).status;
  logOf = async (job: { readonly id: number }): Promise<string> =>
    (await this.data('GET', `jobs/${job.id}/log`)).log;

  untilOver = (job: { readonly id: number }) =>
    vi.waitUntil(async () => [2, 5, 8].includes(await this.statusOf(job)), {
      timeout: 100_000,
      interval: 50,
    });
}

export function startOn(
  database: Database,
  directory: string,
  variables: Readonly<Record<string, string>> = {},
  options: StartOptions = {},
): Promise<RunningService> {
  const config = readConfig({
    ...databaseVariables(database),
    CLEW_DATA_DIR: join(directory, 'data'),
    CLEW_PORT: '0',
    CLEW_LOG_LEVEL: 'silent',
    CLEW_ADMIN_PASSWORD: PASSWORD,
    CLEW_RATE_LIMIT: '0',
    ...variables,
  });
  return startTested(config, options);
}

/** Entries of the Azure collector. */
export const users = (from: number, count: number) =>
  Array.from({ length: count }, (_, at) => ({
    kind: 'AZUser',
    data: {
      id: `00000000-0000-0000-0000-${String(from + at).padStart(12, '0')}`,
      displayName: `User ${from + at}`,
      userPrincipalName: `user${from + at}@aurora.example`,
      tenantId: TENANT,
      tenantName: 'Aurora',
    },
  }));
