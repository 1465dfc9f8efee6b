/** Settings in words and units. Scripts use their API names, which pages show on hover. */

export interface SettingField {
  readonly label: string;
  /** Shown after the number. */
  readonly unit?: string;
  /** A duration of whole days (`P7D`) is shown as a number. */
  readonly isDays?: boolean;
  /** Accepted values, if not obvious. */
  readonly help?: string;
}

const FIELDS: Readonly<Record<string, SettingField>> = {
  'auth.password_expiration_window duration': { label: 'Passwords expire after', isDays: true },
  'auth.session_ttl_hours hours': { label: 'Sessions end after', unit: 'hours' },
  'prune.ttl base_ttl': { label: 'Keep stale objects', isDays: true },
  'prune.ttl has_session_edge_ttl': { label: 'Keep sessions', isDays: true },
  'findings.service_levels critical': { label: 'Critical findings are due after', unit: 'days' },
  'findings.service_levels high': { label: 'High findings are due after', unit: 'days' },
  'findings.service_levels moderate': { label: 'Moderate findings are due after', unit: 'days' },
  'findings.service_levels low': { label: 'Low findings are due after', unit: 'days' },
  'findings.service_levels since': {
    label: 'Count from',
    help: 'A day, such as 2026-12-31. Empty: the day on which you save. Findings that opened earlier count from this day.',
  },
  'findings.acceptance second_approver': { label: 'Another user has to approve each acceptance' },
  'findings.acceptance approval_days': { label: 'Without a decision, it expires after', unit: 'days' },
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
