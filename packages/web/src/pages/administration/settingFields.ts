/** Settings in words and units. Scripts use their API names, which pages show on hover. */
import { formatCount } from '../../text/formats.ts';

export interface SettingField {
  readonly label: string;
  /** Shown after the number. */
  readonly unit?: string;
  /** A duration of whole days (`P7D`) is shown as a number. */
  readonly isDays?: boolean;
  /** Accepted values, if not obvious. */
  readonly help?: string;
  /** The lowest and the highest accepted number; default: at least 0. */
  readonly min?: number;
  readonly max?: number;
}

/** The highest number of days that the service accepts. */
const MAX_DAYS = 3650;

const FIELDS: Readonly<Record<string, SettingField>> = {
  'auth.password_expiration_window duration': {
    label: 'Passwords expire after',
    isDays: true,
    max: MAX_DAYS,
  },
  'auth.session_ttl_hours hours': { label: 'Sessions end after', unit: 'hours' },
  'prune.ttl base_ttl': { label: 'Keep stale objects', isDays: true },
  'prune.ttl has_session_edge_ttl': { label: 'Keep sessions', isDays: true },
  'findings.service_levels critical': {
    label: 'Critical findings are due after',
    unit: 'days',
    max: MAX_DAYS,
  },
  'findings.service_levels high': { label: 'High findings are due after', unit: 'days', max: MAX_DAYS },
  'findings.service_levels moderate': {
    label: 'Moderate findings are due after',
    unit: 'days',
    max: MAX_DAYS,
  },
  'findings.service_levels low': { label: 'Low findings are due after', unit: 'days', max: MAX_DAYS },
  'findings.service_levels since': {
    label: 'Count from',
    help: 'A day, such as 2026-12-31. Empty: the day on which you save. Findings that opened earlier count from this day.',
  },
  'findings.acceptance second_approver': { label: 'Another user has to approve each acceptance' },
  'findings.acceptance approval_days': {
    label: 'Without a decision, it expires after',
    unit: 'days',
    min: 1,
    max: 365,
  },
  'analysis.scheduled rrule': {
    label: 'Times of the analysis',
    help: 'Empty: after each upload. Otherwise a recurrence rule (RFC 5545), for example RRULE:FREQ=DAILY;INTERVAL=1 (every day) or RRULE:FREQ=HOURLY;INTERVAL=4 (every 4 hours).',
  },
  'http.trusted_proxies trusted_proxies': { label: 'Proxies in front of the service' },
  'analysis.tiering multi_tier_analysis_enabled': { label: 'Analyze all zones' },
  'analysis.tiering tier_limit': { label: 'At most', unit: 'zones' },
  'analysis.tiering label_limit': { label: 'At most', unit: 'labels' },
  'analysis.tagging selector_worker_limit': { label: 'Selectors at a time' },
  'analysis.tagging expansion_worker_limit': { label: 'Expansions at a time' },
  'analysis.tagging dawgs_worker_limit': { label: 'Queries at a time' },
  'eula.custom_text custom_text': { label: 'Text' },
  'neo4j.configuration write_flush_size': { label: 'Flush size (not used here)' },
  'neo4j.configuration batch_write_size': { label: 'Batch size (not used here)' },
};

/** @returns the label of a member of a setting; an unknown member keeps its name */
export function settingField(key: string, member: string): SettingField {
  const known = FIELDS[`${key} ${member}`];
  if (known !== undefined) return known;
  return { label: member === 'enabled' ? 'On' : member.replaceAll('_', ' ') };
}

const DAYS = /^P(\d+)D$/;

/** @returns whole days; `undefined` for other durations, which are shown unchanged */
export const daysIn = (duration: unknown): number | undefined => {
  const found = typeof duration === 'string' ? DAYS.exec(duration)?.[1] : undefined;
  return found === undefined ? undefined : Number(found);
};

export const durationOf = (days: number): string => `P${days}D`;

/** @returns the accepted numbers as text; `undefined` without a highest number */
export const limitsText = ({ min = 0, max }: SettingField): string | undefined =>
  max === undefined ? undefined : `A whole number from ${min} to ${formatCount(max)}`;

/** @param by the variables that set the value at the start of the service; empty for a fixed value */
export const fixedReason = (by: string): string =>
  by === ''
    ? 'This value is fixed and cannot be changed.'
    : `Cannot be changed here: ${by} ${by.includes(' and ') ? 'set' : 'sets'} it when the service starts. A variable that is not set has the shown default.`;

/**
 * Returns the value of a setting with the typed text of a field. `Number('')` is 0, which turns settings such as the expiration of
 * passwords off, so an empty field keeps the value.
 */
export function typedValue(field: SettingField, before: unknown, typed: FormDataEntryValue | null): unknown {
  if (typeof before === 'boolean') return typed !== null;
  const isDuration = field.isDays === true && daysIn(before) !== undefined;
  const text = String(typed ?? '').trim();
  if (isDuration || typeof before === 'number') {
    if (text === '') return before;
    return isDuration ? durationOf(Number(text)) : Number(text);
  }
  if (typeof before === 'object') return JSON.parse(String(typed));
  return String(typed);
}
