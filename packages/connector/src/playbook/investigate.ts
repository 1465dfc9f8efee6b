/**
 * The playbook of an investigation: whether an alert is still true, the zones it reaches, and what to do with it. Closes only on
 * an answer of the service, never on an error. Rule: `docs/integration.md#playbook`.
 */

import type { UnifiedFindingRow } from '@clew/api';
import type { ClewClient } from '@clew/client';
import { counted } from '@clew/model';
import { doesPathExist, type PathItem } from '../actions/doesPathExist.ts';
import { messageOf } from '../actions/faults.ts';
import { type AssetItem, fetchAssets } from '../actions/fetchAssets.ts';
import { findFinding } from '../actions/findFinding.ts';
import { getObjectId } from '../actions/getObjectId.ts';
import { type PhraseOf, phrasesOf } from '../actions/phrases.ts';
import { type ItemResult, inOrder } from '../actions/results.ts';
import { type AlertContent, type EventContent, readAlert } from './alertFile.ts';

export type Verdict =
  /** All facts still hold. */
  | 'confirmed'
  /** Some facts still hold. */
  | 'partly fixed'
  /** The service no longer has the finding, and gives the reason. */
  | 'fixed'
  /** The risk is accepted. */
  | 'accepted'
  /** The path no longer exists; the next analysis decides. */
  | 'pending'
  /** The service could not answer. */
  | 'undecided';

export interface InvestigatedEvent {
  readonly name: string;
  readonly findingId: number | undefined;
  /** Current status of the finding; absent if the service does not have it, or could not answer. */
  readonly status: string | undefined;
  readonly severity: string | undefined;
  readonly from: string | undefined;
  readonly to: string | undefined;
  /** Whether a path between the ends exists; absent for list findings, and if the service could not answer. */
  readonly path: PathItem | undefined;
  readonly outcome: 'exists' | 'gone' | 'accepted' | 'pending' | 'undecided';
  readonly reason: string;
}

export interface Investigation {
  readonly alert: string;
  readonly verdict: Verdict;
  readonly action: string;
  readonly events: readonly InvestigatedEvent[];
  /** Data of both ends, by object id. */
  readonly assets: Readonly<Record<string, ItemResult<AssetItem>>>;
  /** For users, as Markdown. */
  readonly summary: string;
}

const ACTIONS: Readonly<Record<Verdict, string>> = {
  confirmed: 'Keep the alert open and repair its findings.',
  'partly fixed': 'Keep the alert open for the remaining findings.',
  fixed: 'Close the alert as resolved.',
  accepted: 'Close the alert as accepted risk.',
  pending:
    'Leave the alert open: the path no longer exists, but the finding is still active, and the next analysis will decide.',
  undecided: 'Leave the alert open and try again later; assign it to an analyst if this fails three times.',
};

/** Objects whose details are fetched. */
const MAX_ASSETS = 20;

/** @throws InputError for a text without an alert */
export async function investigate(
  client: ClewClient,
  text: string,
  signal?: AbortSignal,
): Promise<Investigation> {
  const alert = readAlert(text);
  const events = await inOrder(alert.events, (event) => look(client, event, signal));
  const verdict = verdictOf(events);
  const ends = events
    .filter(({ outcome }) => outcome === 'exists')
    .flatMap(({ from, to }) => [from, to])
    .filter((id) => id !== undefined);
  const wanted = [...new Set(ends)].slice(0, MAX_ASSETS);
  const assets =
    wanted.length === 0
      ? {}
      : (await fetchAssets(client, JSON.stringify(wanted), { signal })).json.assets_info;
  const action = ACTIONS[verdict];
  const kinds = events.flatMap(({ path }) => path?.edges ?? []);
  const phraseOf = await phrasesOf(client, kinds, signal);
  const summary = summarize(alert, verdict, action, events, assets, phraseOf);
  return { alert: alert.name, verdict, action, events, assets, summary };
}

async function look(
  client: ClewClient,
  event: EventContent,
  signal: AbortSignal | undefined,
): Promise<InvestigatedEvent> {
  const known = { name: event.name, findingId: event.findingId };
  let finding: UnifiedFindingRow | undefined;
  try {
    finding = event.findingId === undefined ? undefined : await findFinding(client, event.findingId, signal);
  } catch (error) {
    const reason = messageOf(error);
    return { ...known, ...NOTHING, outcome: 'undecided', reason };
  }
  const ends = await endsOf(client, event, signal);
  const seen = {
    ...known,
    status: finding?.status,
    severity: finding?.severity ?? event.severity,
    from: ends.from,
    to: ends.to,
  };
  if (finding?.status === 'accepted')
    return { ...seen, path: undefined, outcome: 'accepted', reason: 'the risk is accepted' };
  if (event.isList || (ends.from === undefined && ends.to !== undefined))
    return { ...seen, ...ofList(finding) };
  if (ends.from === undefined || ends.to === undefined)
    return { ...seen, path: undefined, outcome: 'undecided', reason: ends.reason };
  const pair = `${ends.from} -> ${ends.to}`;
  const { path_info } = (await doesPathExist(client, pair, signal)).json;
  const path = Object.values(path_info)[0];
  if (path === undefined || path.data === null)
    return { ...seen, path, outcome: 'undecided', reason: path?.message ?? 'the path was not checked' };
  // The status of a finding in an analysis covers all its paths, so other paths may exist.
  if (finding !== undefined && isOver(finding.status))
    return path.data
      ? {
          ...seen,
          path,
          outcome: 'pending',
          reason: `the finding is ${finding.status}, but there is another path`,
        }
      : { ...seen, path, outcome: 'gone', reason: `the finding is ${finding.status}` };
  if (path.data) return { ...seen, path, outcome: 'exists', reason: 'the way exists' };
  return {
    ...seen,
    path,
    outcome: 'pending',
    reason:
      finding === undefined
        ? 'no path exists, and the finding is unknown'
        : 'no path exists, the finding is active',
  };
}

const NOTHING = {
  status: undefined,
  severity: undefined,
  from: undefined,
  to: undefined,
  path: undefined,
} as const;

const isOver = (status: string): boolean => ['remediated', 'orphaned', 'deprecated'].includes(status);

/** List findings have no start, so only their status counts. */
function ofList(
  finding: UnifiedFindingRow | undefined,
): Pick<InvestigatedEvent, 'path' | 'outcome' | 'reason'> {
  if (finding === undefined)
    return { path: undefined, outcome: 'undecided', reason: 'the finding is unknown to the service' };
  if (isOver(finding.status))
    return { path: undefined, outcome: 'gone', reason: `the finding is ${finding.status}` };
  return { path: undefined, outcome: 'exists', reason: 'the finding is active' };
}

interface Ends {
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly reason: string;
}

/** Ids in the event; without ids, those of the objects with exactly these names. */
async function endsOf(
  client: ClewClient,
  event: EventContent,
  signal: AbortSignal | undefined,
): Promise<Ends> {
  const { from, to, names } = event;
  if (to !== undefined) return { from, to, reason: '' };
  if (names.length === 0) return { from, to, reason: 'the event contains no object' };
  const { objects_info } = (await getObjectId(client, JSON.stringify(names), signal)).json;
  const ids = names.map(
    (name) =>
      objects_info[name]?.data?.find((hit) => hit.name.toUpperCase() === name.toUpperCase())?.objectid,
  );
  const missing = names.find((_, at) => ids[at] === undefined);
  if (missing !== undefined) return { from: undefined, to: undefined, reason: `object ${missing} not found` };
  return ids.length === 1
    ? { from: undefined, to: ids[0], reason: '' }
    : { from: ids[0], to: ids[1], reason: '' };
}

function verdictOf(events: readonly InvestigatedEvent[]): Verdict {
  const outcomes = new Set(events.map(({ outcome }) => outcome));
  if (outcomes.has('undecided')) return 'undecided';
  if (outcomes.has('exists')) return outcomes.size === 1 ? 'confirmed' : 'partly fixed';
  if (outcomes.has('pending')) return 'pending';
  return outcomes.has('gone') ? 'fixed' : 'accepted';
}

/** Escapes special characters of Markdown in texts of the directory. */
const plain = (text: string): string =>
  text.replaceAll(/[\r\n]+/g, ' ').replaceAll(/[\\`*_{}[\]<>|#]/g, '\\$&');

function summarize(
  alert: AlertContent,
  verdict: Verdict,
  action: string,
  events: readonly InvestigatedEvent[],
  assets: Investigation['assets'],
  phraseOf: PhraseOf,
): string {
  const lines = [`# ${plain(alert.name)}`, '', `**${verdict}**. ${action}`, ''];
  if (alert.shortRemediation !== '') lines.push(`Remediation: ${plain(alert.shortRemediation)}`, '');
  lines.push('| Event | Severity | Status | Path | Finding |', '| --- | --- | --- | --- | --- |');
  for (const event of events) {
    const path =
      event.path?.data === true
        ? `${counted(event.path.hops ?? 0, 'step')}: ${pathText(event.path, phraseOf)}`
        : event.path?.data === false
          ? 'none'
          : event.path === undefined
            ? '-'
            : 'unknown';
    lines.push(
      `| ${plain(event.name)} | ${event.severity ?? '-'} | ${event.status ?? '-'} | ${path} | ${plain(event.reason)} |`,
    );
  }
  const shown = Object.entries(assets);
  if (shown.length > 0) {
    lines.push('', '## Objects', '');
    for (const [id, { data, message }] of shown)
      lines.push(`- ${data === null ? `${plain(id)}: ${plain(message)}` : describeAsset(id, data)}`);
  }
  return `${lines.join('\n')}\n`;
}

/** "ALICE – is a member of → HELPDESK" */
function pathText({ nodes = [], edges = [] }: PathItem, phraseOf: PhraseOf): string {
  return nodes
    .map((name, at) =>
      at === 0 ? plain(name) : `– ${plain(phraseOf(edges[at - 1] as string))} → ${plain(name)}`,
    )
    .join(' ');
}

function describeAsset(id: string, asset: AssetItem): string {
  const counts = Object.entries(asset).filter(([, value]) => typeof value === 'number' && value > 0);
  const figures = counts.map(([name, value]) => `${name} ${value}`).join(', ');
  return `${plain(String(asset.name ?? id))} (${plain(String(asset.type ?? ''))})${figures === '' ? '' : `: ${figures}`}`;
}
