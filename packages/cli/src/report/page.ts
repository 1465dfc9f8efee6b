/** The report: one self-contained page, for screen and print. */

import type { DifferenceRecord, PackageRecord, PlanRecord, PostureSummary } from '@clew/api';
import type { PhraseOf } from '@clew/connector';
import { counted, decisionsSentence, formatShare, minuteText, phrasesText } from '@clew/model';
import type { Story } from '../findings/readFindings.ts';
import type { Posture } from '../findings/readPosture.ts';
import { cardHeading, headline } from '../plan/planPages.ts';
import { summarizePaths } from '../terminal/drawPath.ts';
import { formatCount } from '../terminal/text.ts';
import { chart } from './chart.ts';
import { type Html, html } from './html.ts';
import { markdownToHtml } from './markdown.ts';
import { changesSection, inventorySection, scoreSection, typesSection } from './summary.ts';

export interface TypeTexts {
  /** Anchor of the remedies of these findings on the page. */
  readonly anchor: string;
  readonly title: string;
  readonly description: string;
  readonly remediation: string;
}

export interface Report {
  readonly madeAt: Date;
  readonly server: string;
  /** Number of days over which changes are counted. */
  readonly days: number;
  readonly summary: PostureSummary;
  readonly postures: readonly Posture[];
  /** Number of all findings, by severity. */
  readonly counts: readonly (readonly [severity: string, count: number])[];
  readonly stories: readonly Story[];
  /** Texts of the finding types in the stories. */
  readonly texts: readonly TypeTexts[];
  /** Absent for users who may not see it. */
  readonly plan?: PlanRecord;
  /** Absent for users who may not see it. */
  readonly difference?: DifferenceRecord;
  /** The phrase for each kind of relationship. */
  readonly phraseOf: PhraseOf;
}

const STYLE = `
body{font:15px/1.5 system-ui,sans-serif;color:#1d2430;max-width:60rem;margin:2rem auto;padding:0 1rem}
h1,h2,h3{line-height:1.2}h2{border-bottom:2px solid #d5dae2;padding-bottom:.3rem;margin-top:2.5rem}
.charts{display:flex;flex-wrap:wrap;gap:1rem}figure{margin:0;border:1px solid #d5dae2;border-radius:6px;padding:.6rem}
figcaption{font-size:.85rem}.figure{font-size:1.6rem;margin:.3rem 0}svg{width:260px;height:80px;display:block}.axis{stroke:#b5bdc9}
.line{fill:none;stroke:#2459c3;stroke-width:2}.dot{fill:#2459c3}
.counts span{display:inline-block;margin-right:1.2rem}.severity{font-weight:700}
.critical{color:#a4071b}.high{color:#bc4c00}.moderate{color:#8a6100}.low{color:#4a5568}
article{border:1px solid #d5dae2;border-radius:6px;padding:.4rem 1rem;margin:1rem 0;break-inside:avoid}
article h3,td,.node{overflow-wrap:anywhere}table{border-collapse:collapse}td,th{padding:.1rem .8rem .1rem 0;vertical-align:top;text-align:left}td.count,th.count{text-align:right;white-space:nowrap}td.name{min-width:9rem}.score{font-size:2.6rem;margin:.2rem 0}
.path{list-style:none;padding:0}.node{display:inline-block;border:1px solid #8792a3;border-radius:6px;padding:.15rem .5rem}
.zone{border:2px solid #a4071b}.edge{color:#586273;padding-left:1rem}code{background:#eef1f5;padding:0 .2rem}
@media print{body{margin:0;max-width:none}h2{break-after:avoid}a{color:inherit}}`;

export function reportPage(report: Report): string {
  const { madeAt, server, postures, counts, stories, texts, plan, summary, days, difference, phraseOf } =
    report;
  const total = counts.reduce((sum, [, count]) => sum + count, 0);
  const page = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Attack path report</title>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width"><meta name="referrer" content="no-referrer"><style>${{ html: STYLE }}</style></head><body>
<h1>Attack path report</h1>
<p>${minuteText(madeAt.toISOString())}, from ${server}</p>
${scoreSection(summary)}
${plan === undefined ? undefined : planSection(plan)}
${difference === undefined ? undefined : changesSection(difference, phraseOf)}
<h2>Posture</h2>${postures.map(postureSection)}
${inventorySection(summary)}
<h2>Findings</h2>
<p class="counts">${counts.map(([severity, count]) => html`<span><b class="${severity}">${formatCount(count)}</b> ${severity}</span>`)}</p>
${typesSection(summary, days)}
<p>The ${formatCount(stories.length)} most urgent of ${formatCount(total)}:</p>${stories.map((story) => storySection(story, phraseOf))}
<h2>How to fix them</h2>${texts.map(textSection)}
</body></html>
`;
  return page.html;
}

function planSection(plan: PlanRecord): Html {
  const cards = plan.cards.map(
    (card) =>
      html`<li><b>${cardHeading(card)}</b><br>${card.effect.text}<ul>${card.packages.map(packageItem)}</ul></li>`,
  );
  const more = plan.card_count - plan.cards.length;
  return html`<h2>What to do first</h2><p><b>${headline(plan)}</b></p><ol>${cards}</ol>
${more > 0 ? html`<p>And ${counted(more, 'more card')}: <code>clew plan</code> shows them.</p>` : undefined}<p>${plan.end.text} ${plan.not_read.join(' ')}</p>
${plan.decisions.length === 0 ? undefined : html`<p>Decisions: ${decisionsSentence(plan.decisions)}</p><ul>${plan.decisions.map(({ text }) => html`<li>${text}</li>`)}</ul>`}`;
}

const packageItem = ({
  title,
  fix,
  check,
  risk,
  why,
  not_this,
}: PackageRecord): Html => html`<li>${title}<br>${fix}<br>
<span class="edge">Check: ${check}<br>Risk: ${risk}${why === '' ? '' : html`<br>Why: ${why}`}${not_this.map(({ text }) => html`<br>${text}`)}</span></li>`;

function postureSection({ environment, measures }: Posture): Html {
  const charts = measures.map(({ title, unit, days }) => chart(title, unit, days));
  return html`<h3>${environment.name}</h3><div class="charts">${charts}</div>`;
}

function storySection(story: Story, phraseOf: PhraseOf): Html {
  const { row } = story;
  const isRelationship = row.finding_type === 'relationship';
  const rows = [
    ...(isRelationship ? [fact('Source', row.source_principal_name || row.source_principal_id)] : []),
    fact(isRelationship ? 'Target' : 'What', row.target_principal_name || row.target_principal_id),
    ...(isRelationship ? [fact('Exposed', formatShare(row.exposure_percentage))] : []),
    fact('Impact', formatShare(row.impact_percentage)),
    fact('Environment', row.environment_name),
    fact('First seen', row.first_seen.slice(0, 10)),
    ...(row.due === undefined ? [] : [fact('Due', row.overdue ? `${row.due}, overdue` : row.due)]),
  ];
  return html`<article><h3>${row.title} <span class="severity ${row.severity}">${row.severity}</span></h3>
<table>${rows}</table>${pathSection(story, phraseOf)}<p><a href="#${anchorOf(row)}">How to fix it</a> (finding ${row.id})</p></article>`;
}

const fact = (name: string, value: string): Html => html`<tr><td>${name}</td><td>${value}</td></tr>`;

function pathSection({ path }: Story, phraseOf: PhraseOf): Html | undefined {
  if (path === undefined) return undefined;
  const { nodes, edges } = path.graph;
  const keyed = (objectId: string) =>
    Object.keys(nodes).find((key) => nodes[key]?.objectId === objectId) ?? '';
  const { route } = summarizePaths(path.graph, keyed(path.from), keyed(path.to));
  const steps = route.map((key, at) => {
    const kinds = edges.filter(({ source, target }) => source === route[at - 1] && target === key);
    const edge =
      at === 0
        ? undefined
        : html`<div class="edge">↓ ${phrasesText(
            kinds.map(({ kind }) => kind),
            phraseOf,
          )}</div>`;
    const node = nodes[key];
    const label = node?.hidden ? '(hidden)' : (node?.label ?? '');
    return html`<li>${edge}<span class="node${node?.isTierZero ? ' zone' : ''}">${node?.kind} <b>${label}</b></span></li>`;
  });
  return html`<ol class="path">${steps}</ol>`;
}

/** Texts differ by type and zone. */
export function anchorOf({ finding, asset_group_tag_id }: Story['row']): string {
  return `${finding}-${asset_group_tag_id}`;
}

function textSection({ anchor, title, description, remediation }: TypeTexts): Html {
  return html`<section id="${anchor}"><h3>${title}</h3>${markdownToHtml(description)}${markdownToHtml(remediation)}</section>`;
}
