/** `clew finding ID`: the story of a finding: its source, relationship and target, and its repair. */

import type { AcceptanceEvidence, EvidenceRecord, UnifiedFindingRow } from '@clew/api';
import { ApiError, type ClewClient } from '@clew/client';
import { type PhraseOf, phrasesOf } from '@clew/connector';
import { costWords, exposureBase, formatShare, minuteText, principalsText } from '@clew/model';
import { type ConnectionOptions, connect, type ThingCommand } from '../connection.ts';
import { readStory, readText, type Story } from '../findings/readFindings.ts';
import { WAIT_SECONDS } from '../plan/planPages.ts';
import { scriptText } from '../plan/writeKits.ts';
import { drawPath } from '../terminal/drawPath.ts';
import { pathLine } from '../terminal/pathLine.ts';
import type { Screen } from '../terminal/screen.ts';
import { formatCount, jsonText, printable, shownName } from '../terminal/text.ts';
import { styledSeverity } from './findings.ts';
import { keyOf } from './path.ts';

export interface FindingOptions extends ConnectionOptions {
  readonly json?: boolean;
  /** Writes only the script of the first repair, or of the remedy. */
  readonly script?: boolean;
}

export const finding: ThingCommand<FindingOptions, number> = async (context, id, options) => {
  const { out, signal } = context;
  const client = await connect(context, options);
  const story = await readStory(client, id, signal);
  if (options.script) {
    out.writeData(await scriptOf(client, id, signal));
    return;
  }
  const evidence = await readEvidence(client, id, signal);
  const acceptance = await readAcceptance(client, story, signal);
  if (options.json) {
    const { row, finding: details, path } = story;
    const known = { path: path?.graph ?? null, evidence: evidence ?? null };
    out.write(jsonText({ ...row, details, ...known, acceptance_evidence: acceptance ?? null }));
    return;
  }
  const [why, how] = await Promise.all([
    readText(client, story.row.finding, story.row.asset_group_tag_id, 'short_description', signal),
    readText(client, story.row.finding, story.row.asset_group_tag_id, 'long_remediation', signal),
  ]);
  const phraseOf = await phrasesOf(client, kindsOf(story, evidence), signal);
  out.write(formatStory(out, story, { why, how, phraseOf, acceptance }, evidence));
};

/** @returns the scripts of the repairs or of the remedy, or steps as comments */
async function scriptOf(client: ClewClient, finding_id: number, signal: AbortSignal): Promise<string> {
  const options = { signal, wait: WAIT_SECONDS };
  const { data } = await client.call('GetFindingKit', { params: { finding_id } }, options);
  const note = data.note === undefined ? [] : [`# ${data.note}\n`];
  return [...note, ...data.changes.map(scriptText)].join('\n');
}

/** @returns `undefined` for users who may not see it, and from services without it */
async function readEvidence(
  client: ClewClient,
  finding_id: number,
  signal: AbortSignal,
): Promise<EvidenceRecord | undefined> {
  try {
    const options = { signal, wait: WAIT_SECONDS };
    return (await client.call('GetFindingEvidence', { params: { finding_id } }, options)).data;
  } catch (error) {
    // 400: the newest graph lacks its objects.
    if (error instanceof ApiError && [400, 403, 404, 501].includes(error.status)) return undefined;
    throw error;
  }
}

/** @returns the template and the files of its acceptance; `undefined` without any */
async function readAcceptance(
  client: ClewClient,
  { row }: Story,
  signal: AbortSignal,
): Promise<AcceptanceEvidence | undefined> {
  if (row.accepted_evidence !== true) return undefined;
  return (await client.call('GetAcceptanceEvidence', { params: { attack_path_id: row.id } }, { signal }))
    .data;
}

const acceptanceTexts = ({ template, attachments }: AcceptanceEvidence = NO_EVIDENCE): string[] => [
  ...(template === null ? [] : [`accepted with the template ${template}`]),
  ...attachments.map(
    ({ id, name, uploaded_by }) => `file ${id} of its acceptance: ${name}, attached by ${uploaded_by}`,
  ),
];

const NO_EVIDENCE: AcceptanceEvidence = { template: null, attachments: [] };

/** Kinds of relationships in the story. */
function kindsOf({ row, finding, path, ownPath }: Story, evidence?: EvidenceRecord): string[] {
  return [
    ...('FromPrincipal' in finding ? [String(finding.RelProps.kind ?? row.finding)] : []),
    ...(path?.graph.edges ?? []).map(({ kind }) => kind),
    ...(ownPath?.relations ?? []),
    ...(evidence?.attack_path?.relations ?? []),
    ...(evidence?.relations ?? []).map(({ kind }) => kind),
  ];
}

export interface StoryTexts {
  readonly why: string;
  readonly how: string;
  readonly phraseOf: PhraseOf;
  readonly acceptance?: AcceptanceEvidence | undefined;
}

export function formatStory(
  screen: Screen,
  story: Story,
  { why, how, phraseOf, acceptance }: StoryTexts,
  evidence?: EvidenceRecord,
): string {
  const { row, path, ownPath } = story;
  const reasons = [
    row.severity_reason,
    row.closed_by,
    row.lowered_by,
    row.not_closed,
    ...rowTexts(row),
    ...acceptanceTexts(acceptance),
  ].filter((text) => text !== undefined);
  const parts = [
    `${screen.style('bold', printable(row.title))}  ${styledSeverity(screen, row.severity)}\n`,
    formatFacts(screen, story, phraseOf),
    ...(reasons.length === 0 ? [] : [reasons.map((text) => `  ${printable(text)}\n`).join('')]),
    ...(evidence?.closed ? [closedText(evidence.closed)] : []),
    paragraph(why),
  ];
  if (path !== undefined) {
    const [from, to] = [path.from, path.to].map((objectid) => keyOf(path.graph, { objectid }));
    const over = row.finding_type === 'relationship' ? ' over this relationship' : '';
    const drawing = drawPath(screen, path.graph, { from: from as string, to: to as string }, phraseOf, over);
    parts.push(`${screen.style('bold', 'Direct path')}\n\n${drawing}`);
  }
  if ([row.source_principal_id, row.target_principal_id].includes(HIDDEN_ID))
    parts.push('The direct path is not shown: it covers environments outside your access.\n');
  if (ownPath !== undefined) {
    const title = screen.style('bold', `Direct path: effort ${ownPath.effort}`);
    parts.push(`${title}\n\n${pathLine(screen, ownPath, phraseOf, { lead: '  ', indent: 4 })}\n`);
  }
  if (evidence?.attack_path) {
    const { attack_path: whole } = evidence;
    const forests = whole.through.map(({ name }) => shownName(name)).join(', ');
    const through = forests === '' ? '' : `, through ${forests}`;
    const title = screen.style('bold', `The whole attack path: effort ${whole.effort}${through}`);
    parts.push(`${title}\n\n${pathLine(screen, whole, phraseOf, { lead: '  ', indent: 4 })}\n`);
  }
  if (evidence !== undefined) parts.push(...formatEvidence(screen, evidence, phraseOf));
  parts.push(`${screen.style('bold', 'Remediation')}\n\n${paragraph(how)}`);
  return parts.join('\n');
}

/** Object id instead of those outside the user's access. */
const HIDDEN_ID = 'HIDDEN';

/** Maximum number of finding ids in a sentence. */
const NAMED = 10;

/** References from a part to its row and back, and the finding with which it was accepted. */
function rowTexts({
  part_of,
  part_of_id,
  part_count = 0,
  part_ids = [],
  accepted_through,
}: Story['row']): string[] {
  const more = part_count > NAMED ? ` and ${formatCount(part_count - NAMED)} more` : '';
  return [
    ...(part_of_id === undefined ? [] : [`part of finding ${part_of_id} (${part_of})`]),
    ...(part_count === 0 ? [] : [`represents findings ${part_ids.slice(0, NAMED).join(', ')}${more}`]),
    ...(accepted_through === undefined ? [] : [`accepted with finding ${accepted_through}`]),
  ];
}

const closedText = ({ status, at }: NonNullable<EvidenceRecord['closed']>): string =>
  `  Closed (${printable(status)}) since ${printable(at.slice(0, 10))}, so it has no path in the current graph.\n`;

/** Number of listed relationships that are shown; `--json` has all. */
const SHOWN_RELATIONS = 12;

function formatEvidence(
  screen: Pick<Screen, 'style'>,
  { values, relations, advice, seen, repairs, ...more }: EvidenceRecord,
  phraseOf: PhraseOf,
): string[] {
  const parts: string[] = [];
  const lines = [
    ...values.map(
      ({ name, property, value }) => `  ${shownName(name)}  ${property} = ${valueText(property, value)}\n`,
    ),
    ...relations
      .slice(0, SHOWN_RELATIONS)
      .map(
        ({ source, kind, target, ...entry }) =>
          `  ${shownName(source.name)} -${printable(phraseOf(kind))}-> ${shownName(target.name)}${inheritance(entry)}\n`,
      ),
    ...(relations.length > SHOWN_RELATIONS
      ? [
          `  ... and ${more.relations_are_complete ? '' : 'at least '}${formatCount(relations.length - SHOWN_RELATIONS)} more relationships\n`,
        ]
      : []),
  ];
  for (const { name, last_seen, is_described } of seen)
    if (last_seen !== null)
      lines.push(
        `  ${shownName(name)}  last ${is_described ? 'collected' : 'mentioned'} ${minuteText(last_seen)}\n`,
      );
  if (lines.length > 0) parts.push(`${screen.style('bold', 'Evidence')}\n\n${lines.join('')}`);
  if (advice.length > 0)
    parts.push(
      `${screen.style('bold', 'About these objects')}\n\n${advice.map((text) => `  ${printable(text)}\n`).join('')}`,
    );
  if (repairs.length > 0) {
    const texts = repairs.map(repairText);
    if (!more.repairs_are_complete) texts.push('  Other repairs may exist that are not listed.\n');
    parts.push(`${screen.style('bold', 'Repairs')}\n\n${texts.join('')}`);
  }
  return parts;
}

/** A repair with the facts that choose among several: what it closes, its cost, who loses access, and its risk. */
function repairText({
  title,
  change,
  risk,
  closes,
  cost,
  affected_count,
}: EvidenceRecord['repairs'][number]): string {
  const facts = [
    closes ? 'closes the finding' : 'removes one of several ways',
    `cost ${costWords(cost)}`,
    ...(affected_count === null || affected_count === 0
      ? []
      : [`${principalsText(affected_count)} ${affected_count === 1 ? 'loses' : 'lose'} access`]),
  ];
  return [`  - ${title}`, `    ${facts.join(', ')}`, `    ${change}`, `    Risk: ${risk}`]
    .map((line) => `${printable(line)}\n`)
    .join('');
}

function inheritance({
  is_inherited,
  inherited_from,
}: Pick<EvidenceRecord['relations'][number], 'is_inherited' | 'inherited_from'>): string {
  if (!is_inherited) return '';
  return inherited_from === null ? '  (inherited)' : `  (inherited from ${shownName(inherited_from.name)})`;
}

/** Maximum seconds since the epoch that are a valid date. */
const MAX_SECONDS = 8.64e12;
const TIMES: readonly string[] = ['pwdlastset', 'lastlogon', 'lastlogontimestamp', 'whencreated'];

function valueText(property: string, value: unknown): string {
  if (TIMES.includes(property) && typeof value === 'number' && value <= MAX_SECONDS)
    return value > 0 ? new Date(value * 1000).toISOString().slice(0, 10) : 'never';
  return printable(typeof value === 'string' ? value : JSON.stringify(value)).slice(0, 300);
}

function formatFacts(screen: Pick<Screen, 'style'>, { row, finding }: Story, phraseOf: PhraseOf): string {
  const name = (text: string, id: string, kind: string) =>
    `${shownName(text || id)} ${screen.style('dim', `(${printable(kind)}, ${shownName(id)})`)}`;
  const target = name(row.target_principal_name, row.target_principal_id, row.target_principal_kind);
  const facts: [string, string][] =
    'FromPrincipal' in finding
      ? [
          ['who', name(row.source_principal_name, row.source_principal_id, row.source_principal_kind)],
          [
            'how',
            `${printable(phraseOf(String(finding.RelProps.kind ?? row.finding)))}${finding.IsInherited ? ', inherited' : ''}`,
          ],
          ['to where', target],
          [
            'exposed',
            share(
              finding.ExposurePercentage,
              finding.ExposureCount,
              `${exposureBase(row.asset_group_tag_id)} can use it`.trimStart(),
            ),
          ],
        ]
      : [['what', target]];
  facts.push(
    [
      'impact',
      share(finding.ImpactPercentage, finding.ImpactCount, 'fall with it, those in the zone included'),
    ],
    ['environment', shownName(row.environment_name)],
    ['zone', printable(row.zone_name)],
    ['status', statusText(row)],
    ...(row.owner_name ? [['owner', shownName(row.owner_name)] as [string, string]] : []),
    ...(row.due ? [['due', row.overdue ? `${row.due}, overdue` : row.due] as [string, string]] : []),
    ...(row.changed_because ? [['because', printable(row.changed_because)] as [string, string]] : []),
    ['first seen', row.first_seen.slice(0, 19).replace('T', ' ')],
  );
  const width = Math.max(...facts.map(([label]) => label.length));
  return facts.map(([label, value]) => `  ${screen.style('cyan', label.padEnd(width))}  ${value}\n`).join('');
}

/** The start of the time that stands for no end. */
const WITHOUT_END = '9999';

function statusText(row: UnifiedFindingRow): string {
  const { status, accepted_by, approved_by, accepted_through, accepted_until, accepted_reason } = row;
  const end = accepted_until?.startsWith(WITHOUT_END) ? undefined : accepted_until?.slice(0, 10);
  return printable(
    [
      status,
      accepted_by && ` by ${accepted_by}`,
      approved_by && `, approved by ${approved_by}`,
      accepted_through && `, with finding ${accepted_through}, which represents it`,
      end && `, until ${end}`,
      accepted_reason && `: ${accepted_reason}`,
    ]
      .filter(Boolean)
      .join(''),
  );
}

const share = (fraction: number, count: number, what: string): string =>
  count === 0
    ? `no user or computer ${what.replace(/^fall /, 'falls ')}`
    : `${formatShare(fraction)} of users and computers (${formatCount(count)}) ${what}`;

/** Markdown is readable as it is; only its characters must be made safe. */
function paragraph(markdown: string): string {
  return `${markdown.split('\n').map(printable).join('\n')}\n`;
}
