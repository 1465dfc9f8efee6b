/** The summary of the report for decision makers: one score with its parts, the contents, and the changes. */

import type { DifferenceRecord, PostureSummary } from '@clew/api';
import type { PhraseOf } from '@clew/connector';
import { counted, formatShare, phrasesText, unreadSentence } from '@clew/model';
import { changeNotes } from '../findings/changeNotes.ts';
import { formatCount } from '../terminal/text.ts';
import { type Html, html } from './html.ts';

const PART_NAMES = { exposure: 'Exposure', findings: 'Findings', coverage: 'Coverage' } as const;

export function scoreSection({
  score,
  environments,
  analysis_changes,
  authority_answers,
  not_reported,
}: PostureSummary): Html {
  const parts = score.parts.map(
    ({ name, points, most, because }) =>
      html`<tr><td>${PART_NAMES[name]}</td><td class="count">${points === null ? 'unknown' : `${points} of ${most}`}</td><td>${because}</td></tr>`,
  );
  const value = score.value === null ? html`not known` : html`<b>${score.value}</b> of 100`;
  // Unread data must not look like good results, with or without a plan.
  const unread = environments.flatMap(({ name, not_read }) => unreadSentence(name, not_read) ?? []);
  const notes = [
    ...unread.map((sentence) => `${sentence}.`),
    ...changeNotes(analysis_changes).map((note) => `Note: ${note}`),
    ...authority_answers.map(({ text }) => `Note: ${text}.`),
    ...not_reported.map(({ text }) => `Note: ${text}`),
  ];
  return html`<h2>Summary</h2><p class="score">${value}</p><table>${parts}</table>${notes.map((note) => html`<p>${note}</p>`)}`;
}

export function inventorySection({ environments }: PostureSummary): Html {
  const cell = (value: number): Html => html`<td class="count">${formatCount(value)}</td>`;
  const [known, collected] = [false, true].map((is) => environments.filter((each) => each.collected === is));
  const rows = collected?.map(
    (each) => html`<tr><td class="name">${each.name}</td>
<td class="count">${each.exposure === null ? '' : formatShare(each.exposure)}</td>
${cell(each.users)}${cell(each.computers)}${cell(each.groups)}${cell(each.controllers)}${cell(each.authorities)}${cell(each.administrators)}${cell(each.trusts)}
<td class="count">${scanned(each)}</td></tr>`,
  );
  const others = known?.map(({ name }) => name).join(', ') ?? '';
  return html`<h2>Environments</h2><table><tr><th>Environment</th>${HEADS.map((head) => html`<th class="count">${head}</th>`)}</tr>${rows}</table>
${others === '' ? undefined : html`<p>Only known of, and not collected: ${others}</p>`}`;
}

const HEADS = [
  ...['Exposed', 'Users', 'Computers', 'Groups', 'Domain controllers'],
  ...['CAs', 'Administrators', 'Trusts', 'Scanned'],
];

/** The share of active computers on which sessions were read. */
function scanned({ active_computers, session_computers }: PostureSummary['environments'][number]): string {
  return active_computers === 0 ? '' : formatShare(session_computers / active_computers);
}

export function typesSection({ types }: PostureSummary, days: number): Html {
  const byCategory = Map.groupBy(types, ({ category }) => category);
  const rows = [...byCategory].flatMap(([category, some]) => [
    html`<tr><th colspan="6">${category}</th></tr>`,
    ...some.map(
      ({ title, techniques, count, part_count, came_count, went_count }) => html`<tr><td>${title}</td>
<td class="count">${formatCount(count - part_count)}</td><td class="count">${part_count === 0 ? '' : formatCount(part_count)}</td><td class="count">${came_count === 0 ? '' : `+${formatCount(came_count)}`}</td>
<td class="count">${went_count === 0 ? '' : `-${formatCount(went_count)}`}</td><td>${techniques.join(', ')}</td></tr>`,
    ),
  ]);
  return html`<table><tr><th>Type</th><th class="count">Open</th><th class="count">In other rows</th><th class="count">New in ${days} days</th><th class="count">Resolved</th><th>MITRE ATT&amp;CK</th></tr>${rows}</table>`;
}

/** Changes since the compared analysis, and those that affected the exposure. */
export function changesSection(difference: DifferenceRecord, phraseOf: PhraseOf): Html {
  const { from, to, objects, relations, settings, findings, exposure, moved_by } = difference;
  if (from.generation === to.generation)
    return html`<h2>Changes</h2><p>There is no earlier analysis to compare with.</p>`;
  const share = (value: number | null): string => (value === null ? 'unknown' : formatShare(value));
  const moves = exposure
    .filter(({ before, after }) => before !== after)
    .map(
      (each) =>
        html`<li>${each.environment_name}: exposed ${share(each.before)} -> ${share(each.after)}</li>`,
    );
  const movers = moved_by.map(
    ({ change, source, kinds, target, principal_count }) =>
      html`<li>${source.name} -${phrasesText(kinds, phraseOf)}-> ${target.name} ${change === 'came' ? 'new: lets in' : 'removed: keeps out'} ${counted(principal_count, 'principal')}</li>`,
  );
  const values = settings.changed.map(
    ({ name, property, before, after }) =>
      html`<li>${name}: ${property} ${JSON.stringify(before)} -> ${JSON.stringify(after)}</li>`,
  );
  const counts = [objects, relations, findings].map(
    ({ came_count, went_count }) => `+${formatCount(came_count)} -${formatCount(went_count)}`,
  );
  return html`<h2>Changes</h2><p>Since ${from.published_at.slice(0, 10)}: objects ${counts[0]}, relationships ${counts[1]}, findings ${counts[2]}, ${counted(settings.changed_count, 'setting')} changed.</p>
<ul>${moves}${movers}${values}</ul>`;
}
