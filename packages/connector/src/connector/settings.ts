/** The fields of the configuration of a connector, checked together, so that all errors are reported at once. */

import { Severity as SeveritySchema } from '@clew/api';
import Type, { type Static } from 'typebox';
import type { Severity } from '../findings/items.ts';
import { DestinationSettings, isForWork } from '../platforms/settings.ts';
import { schemaFaults } from '../schemaFaults.ts';

/** A list as text (`a, b`), as platforms store it, or as a list. */
const Names = Type.Union([Type.String(), Type.Array(Type.String())]);
const Seconds = Type.Number({ exclusiveMinimum: 0, maximum: 86_400 });
const Flag = Type.Union([Type.Boolean(), Type.String()]);

export const ConnectorFields = Type.Object(
  {
    server: Type.String({ description: 'URL of the service' }),
    tokenId: Type.String({ minLength: 1 }),
    tokenKey: Type.String({ minLength: 1 }),
    signatureScheme: Type.Optional(
      Type.String({ pattern: '^[A-Za-z0-9-]+$', 'x-form': 'letters, digits and hyphens' }),
    ),
    selectedEnvironments: Type.Optional(Names),
    selectedFindingTypes: Type.Optional(Names),
    selectedZones: Type.Optional(Names),
    selectedPlans: Type.Optional(Names),
    minimumSeverity: Type.Optional(SeveritySchema),
    includeAccepted: Type.Optional(Flag),
    includeParts: Type.Optional(Flag),
    runEvery: Type.Optional(Type.Number({ minimum: 1, maximum: 1440, description: 'Minutes' })),
    productFieldName: Type.Optional(Type.String({ minLength: 1 })),
    eventFieldName: Type.Optional(Type.String({ minLength: 1 })),
    maxEventsPerAlert: Type.Optional(Type.Integer({ minimum: 1, maximum: 500 })),
    longRemediationInEvents: Type.Optional(Flag),
    verifyTls: Type.Optional(Flag),
    caBundle: Type.Optional(Type.String({ description: 'Path of a PEM file' })),
    proxy: Type.Optional(Type.String({ description: 'URL of an HTTP proxy' })),
    requestTimeout: Type.Optional(Seconds),
    runBudget: Type.Optional(Seconds),
    resetState: Type.Optional(Flag),
    state: Type.Optional(
      Type.Union([
        Type.Object({ directory: Type.String({ minLength: 1 }) }, { additionalProperties: false }),
        Type.Object(
          { postgres: Type.String({ minLength: 1 }), schema: Type.Optional(Type.String()) },
          { additionalProperties: false },
        ),
      ]),
    ),
    platform: DestinationSettings,
  },
  { additionalProperties: false },
);
export type ConnectorFields = Static<typeof ConnectorFields>;

/** 80 percent of the default time that platforms give a connector. */
const RUN_BUDGET_SECONDS = 0.8 * 930;

export interface ConnectorSettings {
  /** Address of the service, without a trailing slash. */
  readonly server: string;
  readonly tokenId: string;
  readonly tokenKey: string;
  readonly signatureScheme: string | undefined;
  /** Lower case; `undefined` for all. */
  readonly environments: readonly string[] | undefined;
  readonly findingTypes: readonly string[] | undefined;
  readonly zones: readonly string[] | undefined;
  /** Started plans whose repairs are delivered. */
  readonly plans: readonly string[] | undefined;
  readonly minimumSeverity: Severity;
  readonly includeAccepted: boolean;
  /** Findings that another one represents. */
  readonly includeParts: boolean;
  readonly runEveryMs: number;
  readonly productFieldName: string;
  readonly eventFieldName: string;
  readonly maxEventsPerAlert: number;
  readonly longRemediationInEvents: boolean;
  readonly verifyTls: boolean;
  readonly caBundle: string | undefined;
  readonly proxy: string | undefined;
  readonly requestTimeoutMs: number;
  readonly runBudgetMs: number;
  readonly resetState: boolean;
  readonly state: { readonly directory: string } | { readonly postgres: string; readonly schema: string };
  readonly platform: DestinationSettings;
}

/** All errors of a configuration. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(`the configuration of the connector is invalid: ${faults.join('; ')}`);
    this.faults = faults;
  }
}

/** Each platform has its own fields, which are checked once its type is known. */
const OwnFields = Type.Object(
  { ...ConnectorFields.properties, platform: Type.Object({ type: Type.String() }) },
  { additionalProperties: false },
);

/**
 * @param value the parsed configuration @param resolve gets the value of `env:NAME` and `file:PATH`, which refer to secrets;
 * `undefined` if not found
 * @throws SettingsError
 */
export function readSettings(
  value: unknown,
  resolve: (reference: string) => string | undefined = () => undefined,
): ConnectorSettings {
  const faults: string[] = [];
  const resolved = resolveSecrets(value, resolve, '', faults);
  faults.push(...schemaFaults(OwnFields, resolved), ...platformFaults(resolved), ...idleFields(resolved));
  if (faults.length > 0) throw new SettingsError([...new Set(faults)]);
  const fields = resolved as ConnectorFields;
  const flag = (name: keyof ConnectorFields, byDefault: boolean): boolean => {
    const read = readFlag(fields[name] as string | boolean | undefined);
    if (read === undefined) return byDefault;
    if (read === 'unclear') faults.push(`${name} must be true or false`);
    return read === true;
  };
  const settings: ConnectorSettings = {
    server: readServer(fields.server, faults),
    tokenId: fields.tokenId,
    tokenKey: fields.tokenKey,
    signatureScheme: fields.signatureScheme,
    environments: readNames(fields.selectedEnvironments),
    findingTypes: readNames(fields.selectedFindingTypes),
    zones: fields.selectedZones === undefined ? ['tier zero', 'hygiene'] : readNames(fields.selectedZones),
    plans: readNames(fields.selectedPlans),
    minimumSeverity: fields.minimumSeverity ?? 'low',
    includeAccepted: flag('includeAccepted', false),
    includeParts: flag('includeParts', true),
    runEveryMs: (fields.runEvery ?? 10) * 60_000,
    productFieldName: fields.productFieldName ?? 'device_product',
    eventFieldName: fields.eventFieldName ?? 'finding_type',
    maxEventsPerAlert: fields.maxEventsPerAlert ?? 500,
    longRemediationInEvents: flag('longRemediationInEvents', true),
    verifyTls: flag('verifyTls', true),
    caBundle: fields.caBundle,
    proxy: fields.proxy,
    requestTimeoutMs: (fields.requestTimeout ?? 30) * 1000,
    runBudgetMs: (fields.runBudget ?? RUN_BUDGET_SECONDS) * 1000,
    resetState: flag('resetState', false),
    state: readState(fields.state),
    platform: fields.platform,
  };
  if (faults.length > 0) throw new SettingsError(faults);
  return settings;
}

function platformFaults(value: unknown): string[] {
  const { platform } = (value ?? {}) as { readonly platform?: { readonly type?: unknown } };
  if (typeof platform?.type !== 'string') return [];
  const schema = DestinationSettings.anyOf.find(({ properties }) => properties.type.const === platform.type);
  const names = DestinationSettings.anyOf.map(({ properties }) => properties.type.const);
  return schema === undefined
    ? [`platform.type must be one of ${names.join(', ')}`]
    : schemaFaults(schema, platform, 'platform');
}

/** Fields for findings only. */
const OF_FINDINGS = [
  ...['selectedEnvironments', 'selectedFindingTypes', 'selectedZones', 'minimumSeverity', 'includeAccepted'],
  ...['includeParts', 'productFieldName', 'eventFieldName', 'maxEventsPerAlert', 'longRemediationInEvents'],
];

/** Fields that would have no effect with this platform. */
function idleFields(value: unknown): string[] {
  const { platform, ...fields } = Object(value) as Record<string, unknown>;
  const isWork = isForWork(Object(platform));
  const idle = isWork ? OF_FINDINGS : ['selectedPlans'];
  const subject = isWork
    ? 'findings, but this platform receives repairs of started plans'
    : 'repairs of started plans';
  return idle.filter((name) => name in fields).map((name) => `${name} is about ${subject}`);
}

const readState = (state: ConnectorFields['state']): ConnectorSettings['state'] =>
  state === undefined
    ? { directory: 'connector-state' }
    : 'postgres' in state
      ? { postgres: state.postgres, schema: state.schema ?? 'clew_connector' }
      : state;

function resolveSecrets(
  value: unknown,
  resolve: (reference: string) => string | undefined,
  path: string,
  faults: string[],
): unknown {
  if (typeof value === 'string' && /^(?:env|file):/.test(value)) {
    const found = resolve(value);
    if (found === undefined) faults.push(`${path.slice(1)}: ${value} not found`);
    return found ?? '';
  }
  if (Array.isArray(value))
    return value.map((each, at) => resolveSecrets(each, resolve, `${path}/${at}`, faults));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [
      name,
      resolveSecrets(each, resolve, `${path}/${name}`, faults),
    ]),
  );
}

/** Hosts pass flags as texts, including `false`. */
function readFlag(value: string | boolean | undefined): boolean | 'unclear' | undefined {
  if (value === undefined || typeof value === 'boolean') return value;
  const word = value.trim().toLowerCase();
  if (word === '') return undefined;
  if (['true', 'yes', '1', 'on'].includes(word)) return true;
  return ['false', 'no', '0', 'off'].includes(word) ? false : 'unclear';
}

function readNames(names: string | readonly string[] | undefined): readonly string[] | undefined {
  const list = (typeof names === 'string' ? names.split(',') : (names ?? [])).map((name) =>
    name.trim().toLowerCase(),
  );
  const named = [...new Set(list.filter((name) => name !== ''))];
  return named.length === 0 || named.includes('all') ? undefined : named;
}

function readServer(text: string, faults: string[]): string {
  try {
    const url = new URL(text.trim());
    const isLocal = ['127.0.0.1', 'localhost', '[::1]'].includes(url.hostname);
    if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLocal))
      faults.push('server must begin with https://');
    if (url.search !== '' || url.hash !== '' || url.username !== '' || url.password !== '')
      faults.push('server must be an address without user, query and fragment');
    return url.href.replace(/\/+$/, '');
  } catch {
    faults.push('server is not an address');
    return text;
  }
}
