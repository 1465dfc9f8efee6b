/** The readme of a kit: its changes and their order, affected principals, required rights, and what has not been tested. */
import { isScripted } from './change.ts';
import { ADVICE_HEAD, CARE_HEAD, type FindingAdvice, FURTHER_HEAD } from './changeNotes.ts';
import { type PlannedChange, ruleName } from './plannedChange.ts';
import { ASK_FIRST, REMEDY_HEAD } from './scriptNotes.ts';

/** Escapes untrusted names in Markdown: one line, without markup and mentions, with visible control and direction marks. */
export const plain = (text: string): string =>
  text
    .replace(/[\\`*_{}[\]()<>#+!|~&@]/g, (found) => `\\${found}`)
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, (found) => `\\\\u${hexOf(found.codePointAt(0) ?? 0)}`);

const hexOf = (point: number): string => point.toString(16).padStart(4, '0');

const INTRODUCTION = `# Change kit

Each change has four modes. **Preview** reads and shows the state (the default), **Apply** makes the change, **Verify** shows whether it is made, and
**Undo** restores only what Apply removed. Exit codes: 0 as wanted, 2 not yet, 3 not as collected and nothing was changed, 4 failed.

    powershell -File change-01.ps1
    powershell -File change-01.ps1 -Mode Apply -WhatIf
    powershell -File change-01.ps1 -Mode Apply
    powershell -File change-01.ps1 -Mode Verify
    powershell -File change-01.ps1 -Mode Undo

Read a script before you run it. The table at its top contains all names and IDs of a change. The engines are the same files in every kit, so you
can review and sign them once. Compare the files with SHA256SUMS. Each script writes backups and transcripts into the folder given with -Folder, or into
the current folder: keep them until the next collection. Only the script that wrote a backup can undo it.

Tests check the text of the engines. **The developers never ran them on Windows or under any PowerShell**: try them in a test domain first.
`;

const numbered = (steps: readonly string[]): string[] => steps.map((step, at) => `${at + 1}. ${plain(step)}`);

function section(change: PlannedChange, at: number): string {
  const { title, risk, check, affected, plan, id, watch, before, questions = [] } = change;
  const audience =
    affected === null
      ? 'Not counted.'
      : `${affected} ${affected === 1 ? 'principal loses' : 'principals lose'} access.`;
  const head = [
    ...[`## ${at + 1}. ${plain(title)}`, '', `- Affected: ${audience}`, `- May stop: ${plain(risk)}`],
    ...questions.map((question) => `- **${ASK_FIRST}**: ${plain(question)}`),
    ...(before === undefined
      ? []
      : [
          `- **Before the change**, for ${before.days} days: ${plain(before.record)} What to check: ${plain(before.events)}. Make the change when: ${plain(before.empty)}`,
        ]),
    ...watch.rules.map(
      (rule, number) =>
        `- Until then, \`${ruleName(id, number)}.yml\`: ${plain(rule.title)}. Required auditing: ${plain(rule.needs)}.`,
    ),
    ...watch.unwatched.map((text) => `- Not detected: ${plain(text)}`),
  ];
  const tail = [`- Successful if: ${plain(check)}`, ''];
  if (!isScripted(plan))
    return [
      ...head,
      ...tail,
      `There is no script: ${plain(plan.why)}`,
      '',
      ...numbered([change.change, ...plan.steps]),
      '',
    ].join('\n');
  return [
    ...head,
    ...(plan.remedy === undefined ? [`- Change: ${plain(change.change)}`] : []),
    `- Script: \`${id}.ps1\`, engine \`${plan.engine}\``,
    `- Rights: ${plain(plan.needs)}`,
    `- Undo restores: ${plan.undo === null ? '**nothing: this change cannot be undone**' : plain(plan.undo)}`,
    ...(plan.asks === undefined ? [] : [`- Requires: ${plain(plan.asks)}`]),
    ...(plan.option === undefined ? [] : [`- Optional: ${plain(plan.option.text)}`]),
    ...tail,
    ...(plan.further === undefined ? [] : [FURTHER_HEAD, '', ...numbered(plan.further), '']),
    ...(plan.remedy === undefined ? [] : [REMEDY_HEAD, '', ...numbered(plan.remedy), '']),
  ].join('\n');
}

const ORDER = `Make the changes in this order, at a time when affected users can report problems. After the last change, collect and upload
again: the plan then shows the result.
`;

const advised = ({ steps, care }: FindingAdvice): readonly string[] => [
  ...['## The finding', '', ADVICE_HEAD, '', ...numbered(steps), ''],
  `${CARE_HEAD} ${plain(care)}\n`,
];

export const readmeOf = (changes: readonly PlannedChange[], note?: string, advice?: FindingAdvice): string =>
  [
    ...[INTRODUCTION, ORDER],
    ...(note === undefined ? [] : [`**${plain(note)}**\n`]),
    ...(advice === undefined ? [] : advised(advice)),
    ...changes.map(section),
  ].join('\n');
