/** Opens a connector with its client, state and host platform. */
import { join } from 'node:path';
import { ClewClient } from '@clew/client';
import { nodeFetch } from '@clew/client/node';
import { openPlatform } from '../platforms/index.ts';
import type { HostPlatform } from '../platforms/platform.ts';
import { type DestinationSettings, isForWork } from '../platforms/settings.ts';
import { ConnectorState } from '../state/connectorState.ts';
import { type OpenOptions, openFile, openPostgres } from '../state/sqlEngine.ts';
import { openWorkSystem } from '../tickets/systems/index.ts';
import type { WorkSystem } from '../tickets/workSystem.ts';
import type { ConnectorSettings } from './settings.ts';
import { SettingsError } from './settings.ts';

export interface OpenConnector extends AsyncDisposable {
  readonly client: ClewClient;
  readonly platform: HostPlatform | WorkSystem;
  /** Opened on demand, because a dry run has none. */
  state(options?: OpenOptions): Promise<ConnectorState>;
}

const USER_AGENT = 'clew-connector';
/** Retries as the specification of the integration requires: four attempts, up to a minute apart. */
const RETRY = { retries: 3, firstPause: 1_000, longestPause: 60_000 };
const FILE = 'connector.db';

/** @throws SettingsError, StateError */
export async function openConnector(settings: ConnectorSettings): Promise<OpenConnector> {
  await using opening = new AsyncDisposableStack();
  const { server, tokenId, tokenKey, signatureScheme: scheme } = settings;
  const { fetch } = opening.adopt(await nodeFetch(settings).catch(asSettingsError), (made) => made.close());
  const client = new ClewClient({
    ...{ url: server, credentials: { tokenId, tokenKey, scheme }, fetch, retry: RETRY },
    timeout: settings.requestTimeoutMs,
    userAgent: USER_AGENT,
  });
  const platform = opening.adopt(
    await Promise.resolve()
      .then(() => openDestination(settings.platform))
      .catch(asSettingsError),
    (opened) => opened.close(),
  );
  let state: ConnectorState | undefined;
  opening.defer(async () => state?.close());
  const resources = opening.move();
  return {
    client,
    platform,
    async state(options) {
      state ??= await openState(settings, options);
      return state;
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

const openDestination = (settings: DestinationSettings): HostPlatform | WorkSystem =>
  isForWork(settings) ? openWorkSystem(settings) : openPlatform(settings);

async function openState(
  { server, state }: ConnectorSettings,
  options: OpenOptions = {},
): Promise<ConnectorState> {
  const isFile = 'directory' in state;
  const engine = isFile
    ? openFile(join(state.directory, FILE), options)
    : await openPostgres(state.postgres, state.schema, options);
  if (options.readOnly) return ConnectorState.look(engine);
  try {
    return await ConnectorState.open(engine, server, isFile ? 'file' : 'postgres');
  } catch (error) {
    await engine.close();
    throw error;
  }
}

function asSettingsError(error: unknown): never {
  throw new SettingsError([(error as Error).message]);
}
