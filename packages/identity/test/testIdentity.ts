/** Identity on a test database, with a clock that tests move. */
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ANONYMOUS, type AnyHandler, type AnyInput, type Principal, type RequestContext } from '@clew/common';
import { type RoleName, roleByName } from '@clew/model';
import type { Database } from '@clew/store';
import { startTestDatabase } from '@clew/store/testing';
import { pino } from 'pino';
import type { Clock } from '../src/clock.ts';
import { type Identity, type IdentityOptions, openIdentity } from '../src/identity.ts';
import { PasswordHasher } from '../src/passwords.ts';
import { setSecret } from '../src/secrets.ts';

/** A clock that changes only when set; sleeping takes no time but is counted. */
export class TestClock implements Clock {
  time = Date.UTC(2024, 4, 1, 12);
  slept = 0;

  now(): number {
    return this.time;
  }

  async sleep(milliseconds: number): Promise<void> {
    this.slept += milliseconds;
  }

  advance(milliseconds: number): void {
    this.time += milliseconds;
  }
}

/** The cost of the product, which `passwords.test.ts` examines, would take half of the time of tests that sign in. */
export const quickHasher = (): PasswordHasher =>
  new PasswordHasher({ parallel: 2, waiting: 64 }, { memoryKib: 64, passes: 1 });

export const ADMIN = { name: 'Admin', password: 'correct horse battery' };

export interface TestIdentity {
  readonly database: Database;
  readonly identity: Identity;
  readonly clock: TestClock;
  readonly config: IdentityOptions['config'];
  /** Lines of the log of all its processes. */
  readonly logged: Readonly<Record<string, unknown>>[];
  /** Another process on the same database and key, possibly with another configuration. */
  openTwin(
    overrides?: Partial<IdentityOptions['config']>,
    options?: Pick<IdentityOptions, 'isBehindProxy'>,
  ): Promise<Identity>;
  close(): Promise<void>;
}

const KNOWN_ENVIRONMENTS = ['E1', 'E2'];

export async function openTestIdentity(
  overrides: Partial<IdentityOptions['config']> = {},
): Promise<TestIdentity> {
  const dataDir = await mkdtemp(join(tmpdir(), 'clew-identity-'));
  const database = await startTestDatabase();
  const clock = new TestClock();
  const logged: Record<string, unknown>[] = [];
  const log = pino({ level: 'info' }, { write: (line: string) => void logged.push(JSON.parse(line)) });
  const config = {
    adminName: ADMIN.name,
    adminEmail: 'admin@clew.invalid',
    adminPassword: ADMIN.password,
    dataDir,
    sessionHours: 8,
    signatureSchemes: ['svcsignature', 'bhesignature'],
    ssoNetworks: [],
    ...overrides,
  } satisfies IdentityOptions['config'];
  const open = (
    others: Partial<IdentityOptions['config']> = {},
    options: Pick<IdentityOptions, 'isBehindProxy'> = {},
  ) =>
    openIdentity({
      ...{ db: database.db, config: { ...config, ...others }, log, clock, hasher: quickHasher(), ...options },
      findEnvironment: (id) => KNOWN_ENVIRONMENTS.find((known) => known === id.toUpperCase()),
    });
  const identity = await open();
  return {
    database,
    identity,
    clock,
    config,
    logged,
    openTwin: (others = {}, options = {}) => open(others, options),
    async close() {
      await database.close();
      await rm(dataDir, { recursive: true });
    },
  };
}

export interface TestUser {
  readonly name: string;
  readonly role?: RoleName;
  readonly email?: string;
  readonly password?: string;
  readonly environments?: string[];
}

/** @returns the id of the new user, who has a password only if one is given */
export async function addUser(
  { database, clock }: Pick<TestIdentity, 'database' | 'clock'>,
  user: TestUser,
): Promise<string> {
  const id = randomUUID();
  await database.db
    .insertInto('user_account')
    .values({
      id,
      principal_name: user.name,
      email_address: user.email ?? null,
      role_id: roleByName(user.role ?? 'User').id,
      environments: user.environments ?? null,
    })
    .execute();
  if (user.password !== undefined) {
    const digest = await quickHasher().hash(user.password);
    await setSecret(database.db, id, digest, { now: clock.now() });
  }
  return id;
}

/** Calls a handler like the pipeline after validation. */
export function callHandler(
  { handlers }: Pick<Identity, 'handlers'>,
  operationId: keyof Identity['handlers'],
  input: Partial<Omit<AnyInput, 'rawQuery'>> & { readonly query?: never; readonly search?: string },
  principal: Principal = ANONYMOUS,
  peer: Partial<Pick<RequestContext, 'peerAddress' | 'headers'>> = {},
) {
  const { search = '', ...rest } = input;
  const context: RequestContext = {
    requestId: randomUUID(),
    principal,
    signal: new AbortController().signal,
    deadline: Number.POSITIVE_INFINITY,
    log: pino({ level: 'silent' }),
    clientAddress: '192.0.2.7',
    peerAddress: '192.0.2.7',
    publicUrl: 'https://clew.example',
    headers: {},
    ...peer,
  };
  const handler: AnyHandler = handlers[operationId];
  return handler(
    { params: {}, query: {}, body: undefined, ...rest, rawQuery: new URLSearchParams(search) },
    context,
  );
}

/** The JSON of an answer. */
export function jsonOf(answer: object): unknown {
  return 'json' in answer ? answer.json : undefined;
}
