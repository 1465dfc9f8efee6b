/** `clew finding ID`: the story of a finding: who, over what, to where, and how to fix it. */
import { type ConnectionOptions, connect } from '../connection.ts';
import type { Context } from '../context.ts';
import { percent, readStory, readText, type Story } from '../findings/readFindings.ts';
import { drawPath } from '../terminal/drawPath.ts';
import type { Screen } from '../terminal/screen.ts';
import { formatCount, printable, shownName } from '../terminal/text.ts';
import { styledSeverity } from './findings.ts';
import { keyOf } from './path.ts';

export interface FindingOptions extends ConnectionOptions {
  readonly json?: boolean;
}

export async function finding(context: Context, id: number, options: FindingOptions): Promise<void> {
  const { out, signal } = context;
  const client = await connect(context, options);
  const story = await readStory(client, id, signal);
  if (options.json) {
    out.write(
      `${JSON.stringify({ ...story.row, details: story.finding, path: story.path?.graph ?? null }, null, 2)}\n`,
    );
    return;
  }
  const [why, how] = await Promise.all([
    readText(client, story.row.finding, story.row.asset_group_tag_id, 'short_description', signal),
    readText(client, story.row.finding, story.row.asset_group_tag_id, 'long_remediation', signal),
  ]);
  out.write(formatStory(out, story, why, how));
}

export function formatStory(screen: Screen, story: Story, why: string, how: string): string {
  const { row, path } = story;
  const parts = [
    `${screen.style('bold', printable(row.title))}  ${styledSeverity(screen, row.severity)}\n`,
    formatFacts(screen, story),
    paragraph(why),
  ];
  if (path !== undefined) {
    const [from, to] = [path.from, path.to].map((objectid) => keyOf(path.graph, { objectid }));
    const over = row.finding_type === 'relationship' ? ' over this relation' : '';
    const drawing = drawPath(screen, path.graph, from as string, to as string, over);
    parts.push(`${screen.style('bold', 'The way')}\n\n${drawing}`);
  }
  parts.push(`${screen.style('bold', 'How to fix it')}\n\n${paragraph(how)}`);
  return parts.join('\n');
}

function formatFacts(screen: Pick<Screen, 'style'>, { row, finding }: Story): string {
  const name = (text: string, id: string, kind: string) =>
    `${shownName(text || id)} ${screen.style('dim', `(${printable(kind)}, ${shownName(id)})`)}`;
  const target = name(row.target_principal_name, row.target_principal_id, row.target_principal_kind);
  const facts: [string, string][] =
    'FromPrincipal' in finding
      ? [
          ['who', name(row.source_principal_name, row.source_principal_id, row.source_principal_kind)],
          [
            'over what',
            `${printable(String(finding.RelProps.kind ?? row.finding))}${finding.IsInherited ? ', inherited' : ''}`,
          ],
          ['to where', target],
          ['exposed', share(finding.ExposurePercentage, finding.ExposureCount, 'can use it')],
        ]
      : [['what', target]];
  facts.push(
    ['impact', share(finding.ImpactPercentage, finding.ImpactCount, 'can be taken over with it')],
    ['environment', shownName(row.environment_name)],
    ['zone', printable(row.zone_name)],
    ['status', printable(row.status)],
    ['first seen', row.first_seen.slice(0, 19).replace('T', ' ')],
  );
  const width = Math.max(...facts.map(([label]) => label.length));
  return facts.map(([label, value]) => `  ${screen.style('cyan', label.padEnd(width))}  ${value}\n`).join('');
}

const share = (fraction: number, count: number, what: string): string =>
  `${percent(fraction)} of users and computers (${formatCount(count)}) ${what}`;

/** Markdown reads well as it is; only its characters must be harmless. */
function paragraph(markdown: string): string {
  return `${markdown.split('\n').map(printable).join('\n')}\n`;
}
