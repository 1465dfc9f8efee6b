/**
 * The configuration for clients. Values from environment variables are shown but cannot be changed here, because the next start would undo
 * the change. Rule: `docs/reference/api.md#configuration`.
 */
import { CONFIG_COLUMNS, MAX_ZONES, NOT_DELETED, ZERO_TIME } from '@clew/api';
import { apiError, filterRows, type Handlers, parseListQuery, recordSuccess } from '@clew/common';
import type { Db } from '@clew/store';
import { enabledFeatures, setFeature } from './features.ts';

/** Validity of a password in days; 0 if passwords do not expire. */
export interface PasswordDays {
  get(): Promise<number>;
  set(db: Db, days: number): Promise<void>;
}

/** Settings that decide about findings. */
export interface FindingSettings {
  readonly serviceLevels: OwnSetting;
  readonly acceptance: OwnSetting;
}

/** A setting with its own storage. */
interface OwnSetting {
  get(db: Db): Promise<Values>;
  /** @throws ApiError 400 for an invalid value */
  set(db: Db, value: Values): Promise<void>;
}

/** Displayed values of environment variables and of the service itself. */
export interface ShownConfig {
  readonly passwordDays: PasswordDays;
  readonly findings: FindingSettings;
  readonly sessionHours: number;
  readonly pruneDays: number;
  readonly logonSessionDays: number;
  readonly trustedProxies: number;
  readonly bypassLimits: boolean;
}

type Values = Readonly<Record<string, unknown>>;

interface Parameter {
  readonly id: number;
  readonly key: string;
  readonly name: string;
  readonly description: string;
  /** The variables that set it at the start, if it cannot be changed here; empty for a fixed value. */
  readonly variable?: string;
  readonly value: Values;
  /** Only for values that can be changed here. @throws ApiError 400 for an invalid value */
  readonly set?: (db: Db, value: Values) => Promise<void>;
}

/** Parameters that clients expect, with their fixed values. */
const FIXED: readonly Parameter[] = (
  [
    ['auth.api_tokens', 'API tokens', 'Whether users can sign requests with tokens', { enabled: true }],
    [
      'auth.environment_targeted_access_control',
      'Limited users',
      'Whether users can be limited to environments',
      { enabled: true },
    ],
    [
      'analysis.tiering',
      'Zones',
      'Maximum number of zones and of labels',
      { multi_tier_analysis_enabled: true, tier_limit: MAX_ZONES, label_limit: MAX_ZONES },
    ],
    [
      'analysis.tagging',
      'Selectors',
      'Workers that find the members of zones: one at a time',
      { selector_worker_limit: 1, expansion_worker_limit: 1, dawgs_worker_limit: 1 },
    ],
    [
      'analysis.retain_ingest_files',
      'Uploaded files',
      'Whether files are kept after ingest',
      { enabled: false },
    ],
    [
      'pipeline.updated_stale_client',
      'Collectors without contact',
      'Whether jobs of collectors that no longer connect are ended',
      { enabled: true },
    ],
    [
      'eula.custom_text',
      'License text',
      'A text that users accept at their first sign-in: not set',
      { custom_text: '' },
    ],
    [
      'neo4j.configuration',
      'Neo4j',
      'This service does not use this database, so nothing is set',
      { write_flush_size: 0, batch_write_size: 0 },
    ],
  ] as const
).map(([key, name, description, value], at) => ({ id: 9 + at, key, name, description, value, variable: '' }));

const CITRIX = 'citrix_rdp_support';

async function parametersOf(db: Db, config: ShownConfig): Promise<readonly Parameter[]> {
  const features = await enabledFeatures(db);
  const days = (count: number): string => `P${count}D`;
  return [
    {
      id: 1,
      key: 'auth.password_expiration_window',
      name: 'Password expiration',
      description: 'How long a password is valid; zero days: passwords do not expire',
      value: { duration: days(await config.passwordDays.get()) },
      set: (on, value) => config.passwordDays.set(on, wantedDays(value)),
    },
    {
      id: 2,
      key: 'auth.session_ttl_hours',
      name: 'Session length',
      description: 'Hours until a session expires',
      variable: 'CLEW_SESSION_HOURS',
      value: { hours: config.sessionHours },
    },
    {
      id: 3,
      key: 'analysis.citrix_rdp_support',
      name: 'Citrix RDP support',
      description: 'On Citrix hosts, CanRDP also requires membership in Direct Access Users',
      value: { enabled: features.includes(CITRIX) },
      set: (on, value) => setFeature(on, CITRIX, wantedSwitch(value)),
    },
    {
      id: 4,
      key: 'prune.ttl',
      name: 'Aging',
      description: 'How long objects are kept that scheduled collections no longer see; zero days keep them',
      variable: 'CLEW_PRUNE_DAYS and CLEW_LOGON_SESSION_DAYS',
      value: { base_ttl: days(config.pruneDays), has_session_edge_ttl: days(config.logonSessionDays) },
    },
    {
      id: 5,
      key: 'analysis.reconciliation',
      name: 'Reconciliation',
      description: 'Facts that a collection no longer contains are removed from the graph',
      variable: '',
      value: { enabled: true },
    },
    {
      id: 6,
      key: 'analysis.scheduled',
      name: 'Scheduled analysis',
      description: 'Analysis follows each ingest; it does not run at set times',
      variable: '',
      value: { enabled: false, rrule: '' },
    },
    {
      id: 7,
      key: 'http.trusted_proxies',
      name: 'Trusted proxies',
      description: 'Reverse proxies in front of the service',
      variable: 'CLEW_TRUSTED_PROXIES',
      value: { trusted_proxies: config.trustedProxies },
    },
    {
      id: 8,
      key: 'api.timeout_limit',
      name: 'Time limit bypass',
      description: 'Whether Prefer: wait=-1 can lift the time limit of a request',
      variable: 'CLEW_BYPASS_LIMITS',
      value: { enabled: config.bypassLimits },
    },
    {
      id: 17,
      key: 'findings.service_levels',
      name: 'Service levels',
      description:
        'Days until an open finding is due, by severity; zero days: no due day. Findings that opened before the first day count from it',
      value: await config.findings.serviceLevels.get(db),
      set: config.findings.serviceLevels.set,
    },
    {
      id: 18,
      key: 'findings.acceptance',
      name: 'Accepting risks',
      description:
        'Whether accepting a risk needs a second approver, and after how many days a request without a decision expires',
      value: await config.findings.acceptance.get(db),
      set: config.findings.acceptance.set,
    },
    ...FIXED,
  ];
}

export function configHandlers(
  db: Db,
  config: ShownConfig,
): Handlers<'ListAppConfigParams' | 'SetAppConfigParam'> {
  return {
    async ListAppConfigParams({ rawQuery }) {
      const { filters } = parseListQuery(rawQuery, CONFIG_COLUMNS);
      const shown = filterRows(await parametersOf(db, config), filters, ({ key }) => key);
      const data = shown.map(({ variable, set: _, ...parameter }) => ({
        ...parameter,
        ...(variable !== undefined && { fixed_by: variable }),
        created_at: ZERO_TIME,
        updated_at: ZERO_TIME,
        deleted_at: NOT_DELETED,
      }));
      return { status: 200, json: { data } };
    },

    async SetAppConfigParam({ body }, context) {
      const { key, value } = body;
      const parameter = (await parametersOf(db, config)).find((one) => one.key === key);
      if (parameter === undefined) throw apiError('unknownConfigParameter', { key: key.slice(0, 100) });
      if (parameter.variable !== undefined)
        throw apiError('fixedConfigParameter', { key, by: byWhat(parameter.variable) });
      await db.transaction().execute(async (transaction) => {
        await parameter.set?.(transaction, withSmallKeys(value));
        const fields = { key, value: JSON.stringify(value) };
        await recordSuccess(transaction, context, 'UpdateParameter', fields);
      });
      return { status: 200, json: { data: { key, value } } };
    },
  };
}

/** A variable that is not set has its default value from the start of the service, too. */
const byWhat = (variable: string): string =>
  variable === '' ? 'the service itself' : `${variable} when the service starts`;

/** Keys of values are case-insensitive, like those of the body. */
const withSmallKeys = (value: Values): Values =>
  Object.fromEntries(Object.entries(value).map(([key, member]) => [key.toLowerCase(), member]));

const MAX_DAYS = 3650;

function wantedSwitch({ enabled, ...others }: Values): boolean {
  if (typeof enabled !== 'boolean' || Object.keys(others).length > 0)
    throw apiError('invalidConfigValue', { limits: 'enabled is true or false' });
  return enabled;
}

function wantedDays({ duration, ...others }: Values): number {
  const [, days] = /^P(\d{1,4})D$/.exec(typeof duration === 'string' ? duration : '') ?? [];
  if (days === undefined || Number(days) > MAX_DAYS || Object.keys(others).length > 0)
    throw apiError('invalidConfigValue', { limits: `duration is P0D to P${MAX_DAYS}D, whole days` });
  return Number(days);
}
