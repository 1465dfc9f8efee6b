/**
 * Identity for the service: an authenticator for the pipeline, handlers for the operations, and the first administrator. It creates all its
 * parts, and `close` ends them.
 */

import type { Authenticator, Config, Handlers, SignIn } from '@clew/common';
import type { Db } from '@clew/store';
import { administrationHandlers } from './administrationHandlers.ts';
import { createAuthenticator, type RefusalLog } from './authenticator.ts';
import { type Clock, systemClock } from './clock.ts';
import { connectionSignIn } from './connectionSignIn.ts';
import { type ExpiryLog, ExpiryNotice } from './expiryNotice.ts';
import { ensureFirstAdministrator, type FirstAdministrator } from './firstAdministrator.ts';
import {
  FINGERPRINT,
  InstallationKeyError,
  type InstallationKeys,
  loadInstallationKeys,
} from './installationKey.ts';
import { loginHandler } from './login.ts';
import { AssistantGrants } from './oauth/grants.ts';
import { oauthHandlers } from './oauth/oauthHandlers.ts';
import { OneTimePasswords } from './oneTimePasswords.ts';
import { PasswordHasher } from './passwords.ts';
import { SecretBox } from './secretBox.ts';
import { SeenSignatures } from './seenSignatures.ts';
import { type SessionParts, sessionHandlers } from './sessionHandlers.ts';
import { Sessions } from './sessions.ts';
import { SignInAttempts } from './sso/attempts.ts';
import { OidcFlow } from './sso/oidcFlow.ts';
import { providerHandlers } from './sso/providerHandlers.ts';
import { signInHandlers } from './sso/signInHandlers.ts';
import { SigningKeys } from './sso/signingKey.ts';
import { tokenHandlers } from './tokenHandlers.ts';
import { ApiTokens } from './tokens.ts';
import { assistantHandlers } from './users/assistantHandlers.ts';
import { credentialHandlers } from './users/credentialHandlers.ts';
import { userHandlers } from './users/userHandlers.ts';
import type { FindEnvironment } from './users/userWrites.ts';
import { withViewsAs } from './viewAs/viewAsAuthentication.ts';
import { viewAsHandlers } from './viewAs/viewAsHandlers.ts';
import { ViewsAs } from './viewAs/viewsAs.ts';

export interface IdentityLog extends RefusalLog, ExpiryLog {
  error(fields: Readonly<Record<string, unknown>>, message: string): void;
}

export interface IdentityOptions {
  readonly db: Db;
  readonly config: Pick<
    Config,
    | 'adminName'
    | 'adminEmail'
    | 'adminPassword'
    | 'secretKey'
    | 'dataDir'
    | 'sessionHours'
    | 'signatureSchemes'
    | 'metricsToken'
    | 'publicUrl'
    | 'ssoNetworks'
  >;
  readonly log: IdentityLog;
  /** Finds the environments that users may be limited to; is called for requests only. */
  readonly findEnvironment: FindEnvironment;
  readonly clock?: Clock;
  readonly hasher?: PasswordHasher;
  /** Path of the page after signing in through a provider; default: the API reference. */
  readonly home?: string;
  /** Whether a proxy is in front of the service. */
  readonly isBehindProxy?: boolean;
  /** Reads the record of a collector for its own token; default: such requests are refused. */
  readonly clientRecord?: SessionParts['clientRecord'];
}

type IdentityHandlers = Handlers<'Login'> &
  ReturnType<typeof sessionHandlers> &
  ReturnType<typeof tokenHandlers> &
  ReturnType<typeof administrationHandlers> &
  ReturnType<typeof userHandlers> &
  ReturnType<typeof credentialHandlers> &
  ReturnType<typeof providerHandlers> &
  ReturnType<typeof signInHandlers> &
  ReturnType<typeof oauthHandlers> &
  ReturnType<typeof viewAsHandlers> &
  ReturnType<typeof assistantHandlers>;

export interface Identity {
  readonly authenticator: Authenticator;
  /** Signs in connections of protocols with a name and a password. */
  readonly signIn: SignIn;
  readonly handlers: IdentityHandlers;
  /** Also used to create tokens of collectors. */
  readonly tokens: ApiTokens;
  /** Also encrypts secrets of other capabilities. */
  readonly box: SecretBox;
  /** Set until the first sign-in with the generated password, or if this start created the user; must be shown. */
  readonly firstAdministrator: FirstAdministrator | undefined;
  /** Drops cached user data; call this after every change of users. */
  forget(): void;
  /** Deletes expired records, and announces records that expire soon. */
  sweep(): Promise<void>;
  /** Sweeps now and every hour, and writes pending records, until it is stopped; may be called again after that. */
  maintain(): { stop(): Promise<void> };
}

const WRITE_USES_MS = 10_000;
const SWEEP_MS = 3600_000;
const END_VIEWS_MS = 60_000;

/** @throws InstallationKeyError if the database uses another secret key */
export async function openIdentity({
  db,
  config,
  log,
  findEnvironment,
  clock = systemClock,
  hasher = new PasswordHasher(),
  home = '/api/v2/docs',
  isBehindProxy = false,
  clientRecord,
}: IdentityOptions): Promise<Identity> {
  const keys = await loadInstallationKeys(config.secretKey, config.dataDir, await hasFingerprint(db));
  await requireSameKey(db, keys);
  const sessions = new Sessions(db, { key: keys.session, hours: config.sessionHours }, clock);
  const box = new SecretBox(keys.sealing);
  const tokens = new ApiTokens(db, box, clock);
  const assistants = new AssistantGrants(db, clock);
  const views = new ViewsAs(db, clock);
  const oneTimePasswords = new OneTimePasswords(box);
  const signingKeys = new SigningKeys(db, box);
  const attempts = new SignInAttempts(db, clock);
  const expiryNotice = new ExpiryNotice(db, log);
  const forget = () => {
    sessions.forget();
    tokens.forget();
    assistants.forget();
    views.forget();
  };
  const signatures = new SeenSignatures(db);
  const firstAdministrator = await ensureFirstAdministrator(
    db,
    { hasher, box },
    { name: config.adminName, email: config.adminEmail, password: config.adminPassword },
    clock.now(),
  );

  const sweep = async () => {
    await signatures.sweep(clock.now());
    await sessions.sweep(clock.now());
    await attempts.sweep();
    await assistants.sweep();
    await views.sweep();
    await expiryNotice.say(clock.now());
  };
  const report = (error: unknown) =>
    log.error({ err: error }, 'maintenance of identity failed; it will be retried later');
  return {
    authenticator: withViewsAs(
      createAuthenticator({
        ...{ sessions, tokens, assistants, signatures, log, clock },
        schemes: config.signatureSchemes,
        metricsToken: config.metricsToken,
      }),
      views,
    ),
    signIn: connectionSignIn({ sessions, tokens, log, clock }),
    box,
    handlers: {
      Login: loginHandler({ db, hasher, sessions, oneTimePasswords, clock }),
      ...sessionHandlers({ db, sessions, clientRecord }),
      ...tokenHandlers({ db, tokens, clock }),
      ...administrationHandlers(db),
      ...userHandlers({ db, hasher, sessions, clock, findEnvironment, forget }),
      ...providerHandlers({ db, sessions, signingKeys, forget, isBehindProxy }),
      ...signInHandlers({
        ...{ db, sessions, clock, signingKeys, attempts },
        oidc: new OidcFlow(config.ssoNetworks),
        publicUrl: config.publicUrl,
        home,
      }),
      ...viewAsHandlers(db, views),
      ...assistantHandlers(db, assistants),
      ...oauthHandlers({ db, assistants, publicUrl: config.publicUrl }),
      ...credentialHandlers({ db, hasher, sessions, oneTimePasswords, clock, forget }),
    },
    tokens,
    firstAdministrator,
    forget,
    sweep,
    maintain() {
      let running: Promise<void> = Promise.resolve();
      /** One after the other, so that all have ended when it is stopped. */
      const run = (task: () => Promise<void>): void => {
        running = running.then(task).catch(report);
      };
      const timers = [
        setInterval(() => run(() => tokens.writeUses()), WRITE_USES_MS).unref(),
        setInterval(() => run(sweep), SWEEP_MS).unref(),
        setInterval(() => run(() => views.sweep()), END_VIEWS_MS).unref(),
      ];
      run(sweep);
      return {
        async stop() {
          for (const timer of timers) clearInterval(timer);
          run(() => tokens.writeUses());
          await running;
        },
      };
    },
  };
}

/** @returns whether a service has used the database before */
const hasFingerprint = async (db: Db): Promise<boolean> =>
  (await db.selectFrom('setting').select('key').where('key', '=', FINGERPRINT).executeTakeFirst()) !==
  undefined;

/** With another key, all tokens and sessions would be invalid; an error at the start explains it. */
async function requireSameKey(db: Db, keys: InstallationKeys): Promise<void> {
  const fingerprint = keys.fingerprint.toString('hex');
  await db
    .insertInto('setting')
    .values({ key: FINGERPRINT, value: JSON.stringify(fingerprint) })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const { value } = await db
    .selectFrom('setting')
    .select('value')
    .where('key', '=', FINGERPRINT)
    .executeTakeFirstOrThrow();
  if (value === fingerprint) return;
  throw new InstallationKeyError(
    'the secret key is not the one with which this database was created: set CLEW_SECRET_KEY, or restore the file secret.key from the time when the database was created',
  );
}
