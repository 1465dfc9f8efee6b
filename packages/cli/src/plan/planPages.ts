/** The plan for users and ticket systems: terminal, Markdown, CSV. */

import {
  type CardPathRecord,
  type CardRecord,
  csvLine,
  type EffortRecord,
  type PackageRecord,
  type PlanRecord,
} from '@clew/api';
import type { PhraseOf } from '@clew/connector';
import {
  COST_SUM_UNIT,
  COST_UNIT,
  costText,
  counted,
  decisionsSentence,
  effortWords,
  hiddenFall,
  minuteText,
  principalsText,
  shareOf,
} from '@clew/model';
import { CUT_LEGEND, pathLine } from '../terminal/pathLine.ts';
import type { Screen } from '../terminal/screen.ts';
import { capitalized, formatCount, padTo, printable, shownName } from '../terminal/text.ts';

/** After an ingest of a large organization, a request may take minutes. */
export const WAIT_SECONDS = 600;

/** Maximum number of cards in one answer of the service. */
export const MAX_CARDS = 50;

type Exposures = PlanRecord['before'];

const total = (exposures: Exposures) => ({
  exposed: exposures.reduce((sum, { exposed_count }) => sum + exposed_count, 0),
  principals: exposures.reduce((sum, { principal_count }) => sum + principal_count, 0),
});

/** "98.9% of 92 users and computers can reach the zone. For 88 of them, one action is enough." */
export function headline({ before, effort, not_shown }: PlanRecord): string {
  const { exposed, principals: all } = total(before);
  if (before.length === 0) return not_shown[0]?.reason ?? 'The zone has no members in any environment.';
  if (exposed === 0) return 'No user or computer outside the zone can reach it.';
  const one = effort.reduce((sum, { one_action_count }) => sum + one_action_count, 0);
  const easy = one === 0 ? '' : ` For ${formatCount(one)} of them, one action is enough.`;
  return `Exposure ${shareOf(exposed, all)}: ${formatCount(exposed)} of ${principalsText(all)} can reach the zone.${easy}`;
}

const BANDS = [
  ['trivial', 'Trivial'],
  ['easy', 'Easy'],
  ['moderate', 'Moderate'],
  ['hard', 'Hard'],
  ['none', 'No path'],
] as const;

export function bandsText(effort: readonly EffortRecord[]): string {
  return BANDS.map(([key, name]) => {
    const count = effort.reduce((sum, { bands }) => sum + bands[key], 0);
    return count === 0 ? '' : `${name} ${formatCount(count)}`;
  })
    .filter(Boolean)
    .join(' | ');
}

/** "98.9% -> 21.7%" if a card lowers the exposure of all shown environments. */
export function fallText(card: CardRecord): string {
  const { exposed_before: from, principals_before: ofAll, exposed_after: to } = card;
  const { principals: all } = total(card.exposure);
  if (from === null || ofAll === null || to === null || from === to) return '';
  return `${shareOf(from, ofAll)} -> ${shareOf(to, all)}`;
}

export function cardHeading(card: CardRecord): string {
  const fall = fallText(card);
  const [only] = card.packages;
  const title = card.packages.length === 1 && only !== undefined ? only.title : card.title;
  return fall === '' ? title : `${title}: ${fall}`;
}

export function planText(
  screen: Pick<Screen, 'style' | 'width'>,
  plan: PlanRecord,
  phraseOf: PhraseOf,
): string {
  const bands = bandsText(plan.effort);
  const lines = [
    screen.style('bold', headline(plan)),
    ...(bands === '' ? [] : [`Attack effort: ${bands}`]),
    ...notShownLines(plan),
    ...computingLines(plan),
    '',
  ];
  for (const [at, card] of plan.cards.entries())
    lines.push(...hiddenLines(plan, at), ...cardLines(screen, card, at + 1, phraseOf), '');
  const hasPaths = plan.cards.some(({ paths }) => paths.length > 0);
  return `${[...lines, ...(hasPaths ? [CUT_LEGEND] : []), ...endLines(plan)].join('\n')}\n`;
}

const hiddenLines = (plan: PlanRecord, at: number): string[] => {
  const text = hiddenFall(plan, at);
  return text === undefined ? [] : [text];
};

/** Environments whose figures are left out of a plan with other figures; without any, the heading says so. */
const notShownLines = ({ before, not_shown }: PlanRecord): string[] =>
  before.length === 0
    ? []
    : not_shown.map(({ environment_name, reason }) => `${shownName(environment_name)}: ${printable(reason)}`);

/** The cards may contain changes that a constraint excludes. */
export const OUTDATED =
  'These cards were computed before the latest change of constraints or costs. The plan is being computed again.';

function computingLines({ computing, generation, published_at, excluded }: PlanRecord): string[] {
  if (computing === null) return [];
  if (excluded.is_outdated) return [OUTDATED];
  if (computing.generation === generation)
    return [
      `These are the first cards. ${computing.fault === null ? 'The search for more changes and for proof continues' : printable(computing.fault)}.`,
    ];
  return [
    `This is the plan for the analysis of ${minuteText(published_at)}; the plan for the analysis of ${minuteText(computing.published_at)} is being created.`,
  ];
}

/** Kinds of relationships in the paths of a card. */
export function kindsOfCard({ paths }: Pick<CardRecord, 'paths'>): string[] {
  return paths
    .flatMap(({ before, after }) => [...before.steps, ...(after?.steps ?? [])])
    .map(({ kind }) => kind);
}

export function cardLines(
  screen: Pick<Screen, 'style' | 'width'>,
  card: CardRecord,
  number: number,
  phraseOf: PhraseOf,
): string[] {
  const line = (name: string, text: string) => `     ${padTo(name, 9)} ${printable(text)}`;
  return [
    `${padTo(String(number), 3, 'right')}. ${screen.style('bold', printable(cardHeading(card)))}`,
    line('effect', card.effect.text),
    line(
      'cost',
      `${costText(card.cost)}${number === 1 ? ` (${card.packages.length > 1 ? COST_SUM_UNIT : COST_UNIT})` : ''}${card.bound === null ? '' : `. ${card.bound.text}`}`,
    ),
    ...(card.affected_count > 0
      ? [
          line(
            'loses',
            `${principalsText(card.affected_count)} ${card.affected_count === 1 ? 'loses' : 'lose'} access`,
          ),
        ]
      : []),
    ...(card.closed_count === 0 ? [] : [line('closes', closings(card))]),
    ...((card.accepted_count ?? 0) > 0
      ? [
          line(
            'accepted',
            `${counted(card.accepted_count ?? 0, 'finding')} that it closes${acceptedBy(card)}: see "clew plan review"`,
          ),
        ]
      : []),
    ...((card.opened_count ?? 0) > 0
      ? [line('brings', withTypes(counted(card.opened_count ?? 0, 'other finding'), card.opened))]
      : []),
    ...(card.rests_on_sessions ? [line('note', 'Depends on observed sessions.')] : []),
    ...card.packages.flatMap((one, at) => packageLines(card, one, at)),
    ...card.paths.flatMap((path) => pathLines(screen, path, phraseOf)),
  ];
}

function packageLines(card: CardRecord, one: PackageRecord, at: number): string[] {
  const count = card.packages.length;
  const part = (name: string, text: string) => `         ${padTo(name, 6)} ${printable(text)}`;
  const left = one.cost_still_needed ?? 0;
  // Less than a tenth would be rounded to nothing.
  const isHalfWay = at < count - 1 && left >= 0.05;
  return [
    ...(count > 1 ? [`     [ ] ${printable(one.title)} (cost ${costText(one.cost)})`] : []),
    part('fix', one.fix),
    // For several changes, the terminal shows only their titles; other formats are complete.
    ...(count > 1 ? [] : [part('check', one.check), part('risk', one.risk)]),
    ...reasonLines(one).map(([name, text]) => part(name, text)),
    ...(one.change_count > 1 ? [part('has', counted(one.change_count, 'change'))] : []),
    ...(isHalfWay
      ? [
          part(
            'then',
            `${at + 1} of ${count} done: before exposure falls, at least cost ${costText(left)} remains`,
          ),
        ]
      : []),
  ];
}

/** The reason for this change, its users, the alternatives, and questions for the team. */
function reasonLines({ why, uses, not_this, questions }: PackageRecord): [name: string, text: string][] {
  return [
    ...(why === '' ? [] : [['why', why] as [string, string]]),
    ...(uses === null || uses.text === '' ? [] : [['uses', uses.text] as [string, string]]),
    ...not_this.map(({ text }): [string, string] => ['not', withoutNot(text)]),
    ...questions.map(({ question, unneeded, needed }): [string, string] => [
      'asks',
      `${question} ${unneeded.text} ${needed.text}`,
    ]),
  ];
}

/** The column title already contains "Not". */
const withoutNot = (text: string): string => text.replace(/^Not: /, '');

function pathLines(
  screen: Pick<Screen, 'width'>,
  { environment_name, before, cut, after, through }: CardPathRecord,
  phraseOf: PhraseOf,
): string[] {
  const name = shownName(environment_name);
  const others = through.length === 0 ? '' : ` (through ${through.map(shownName).join(', ')})`;
  const drawn = (
    { nodes, steps }: CardPathRecord['before'],
    lead: string,
    options: { readonly cut?: number } = {},
  ): string => {
    const path = { nodes, relations: steps.map(({ kind }) => kind) };
    return pathLine(screen, path, phraseOf, { lead: `     ${name} ${lead}: `, indent: 7, ...options });
  };
  return [
    drawn(before, `before, ${effortWords(before.effort)}${others}`, { cut }),
    after === null
      ? `     ${name} after: no path remains`
      : drawn(after, `after, ${effortWords(after.effort)}`),
  ];
}

function closings({ closed, closed_count }: CardRecord): string {
  if (closed_count === null) return 'not known yet';
  return withTypes(counted(closed_count, 'finding'), closed);
}

/** Adds the first types of the findings. */
function withTypes(text: string, findings: CardRecord['closed']): string {
  const types = [...new Set(findings.map(({ title }) => title))];
  return types.length === 0
    ? text
    : `${text}: ${types.slice(0, 3).join('; ')}${types.length > 3 ? '; ...' : ''}`;
}

/** @returns how to show the cards after the given ones; `undefined` if all are given */
export function moreCards({
  cards,
  card_count,
}: Pick<PlanRecord, 'cards' | 'card_count'>): string | undefined {
  const more = card_count - cards.length;
  if (more <= 0) return undefined;
  return `${counted(more, 'more card')}: --limit ${Math.min(card_count, MAX_CARDS)} shows ${card_count > MAX_CARDS ? `the first ${MAX_CARDS}` : 'them'}.`;
}

function endLines(plan: PlanRecord): string[] {
  const { cards, card_count, end, not_read, excluded } = plan;
  const more = card_count - cards.length;
  const isWhole = more === 0;
  return [
    moreCards(plan) ?? end.text,
    ...(more > 0 ? [] : leftLines(plan)),
    ...(isWhole ? decisionLines(plan) : []),
    ...questionLines(plan),
    ...(plan.no_short_list ? ['No short list closes every path. These cut the most-used ones.'] : []),
    ...(excluded.constraints.some(({ subject }) => subject !== 'unneeded') ? [leftOut(plan)] : []),
    ...not_read,
    ...(plan.exceptions ?? []).map(({ text }) => text),
  ].map(printable);
}

/** Names the groups and principals with remaining paths. */
function leftLines({ left }: PlanRecord): string[] {
  if (left == null) return [];
  const lines = left.holders.map(({ holder, principal_count: count, actions, effort, cut }) => {
    const who = shownName(holder.name);
    const through =
      holder.kind !== 'Group' && holder.kind !== 'AZGroup' && count === 1
        ? who
        : `${principalsText(count)} through ${who}`;
    const change =
      cut === null
        ? 'no known change cuts it'
        : `cheapest cut: ${cut.changes.join('; ')} (cost ${costText(cut.cost)})`;
    return `  ${through}: ${counted(actions, 'step')}, ${effortWords(effort)}; ${change}`;
  });
  const rest = left.holder_count - left.holders.length;
  return lines.length === 0 ? [] : ['Left:', ...lines, ...(rest > 0 ? [`  and ${rest} more`] : [])];
}

/** Changes that break something, or exclude few principals: the team decides. */
function decisionLines({ decisions }: PlanRecord): string[] {
  if (decisions.length === 0) return [];
  return [
    `Decisions: ${decisionsSentence(decisions)}`,
    ...decisions.map(({ text }, at) => `  ${at + 1}. ${text}`),
  ];
}

/** Asks for facts about CAs that collectors do not report. */
export function questionLines({
  authority_questions: asked,
}: Pick<PlanRecord, 'authority_questions'>): string[] {
  return asked.map(({ authority, question, template_count: templates, principal_count, answer }) => {
    const who = `${principalsText(principal_count)} can enroll in ${counted(templates, 'template')} there`;
    if (answer === null)
      return `${question} ${who}; without an answer ADCSESC15 counts. "clew plan answer ${authority.object_id}" records an answer.`;
    const said = answer.is_updated
      ? 'yes, so ADCSESC15 does not count there'
      : 'no, so ADCSESC15 counts there';
    return `${question} ${answer.answered_by} answered on ${answer.answered_at.slice(0, 10)}: ${said}.`;
  });
}

/** Exposure after the last card. */
export function planReach({ cards, before }: PlanRecord): string {
  const { exposed, principals: all } = total(cards.at(-1)?.exposure ?? before);
  return shareOf(exposed, all);
}

export const planCost = ({ cards }: PlanRecord): string =>
  costText(cards.reduce((sum, { cost }) => sum + cost, 0));

/** Describes the cost of the constraints. */
export function leftOut({ excluded, before }: PlanRecord): string {
  const { without, with: reached } = excluded;
  const constraints = excluded.constraints.filter(({ subject }) => subject !== 'unneeded');
  const count = counted(constraints.length, 'constraint', 'constraints');
  if (without === null || reached === null) return `Left out: ${count}.`;
  const { principals: all } = total(before);
  const outcome = (one: typeof reached) =>
    `${shareOf(one.exposed_count, all)} for cost ${costText(one.cost)}`;
  return `Left out: ${count}. The plan reaches ${outcome(reached)}; without them, it would reach ${outcome(without)}.`;
}

export function planMarkdown(plan: PlanRecord): string {
  const lines = [
    `# ${escaped(headline(plan))}`,
    '',
    '| Environment | Before | After |',
    '| --- | ---: | ---: |',
  ];
  const after = plan.cards.at(-1)?.exposure ?? plan.before;
  for (const one of plan.before) {
    const left = after.find(({ environment_id }) => environment_id === one.environment_id) ?? one;
    lines.push(
      `| ${escaped(one.environment_name)} | ${shareOf(one.exposed_count, one.principal_count)} | ${shareOf(left.exposed_count, left.principal_count)} |`,
    );
  }
  lines.push(...notShownLines(plan).map((line) => `\n${escaped(line)}`));
  for (const [at, card] of plan.cards.entries()) {
    lines.push(...hiddenLines(plan, at).map((line) => `\n${escaped(line)}`));
    lines.push('', `## ${at + 1}. ${escaped(cardHeading(card))}`, '', escaped(card.effect.text), '');
    for (const one of card.packages) {
      lines.push(`- [ ] **${escaped(one.title)}**`);
      for (const [name, text] of [
        ['Fix', one.fix],
        ['Verify', one.check],
        ['Risk', one.risk],
        ...reasonLines(one).map(([name, text]) => [capitalized(name), text] as const),
      ] as const)
        lines.push(`  - ${name}: ${escaped(text)}`);
    }
  }
  lines.push('', ...endLines(plan).map((line) => `${escaped(line)}  `));
  return `${lines.join('\n')}\n`;
}

/** Escapes names from the directory, so that they never become markup. */
const escaped = (text: string): string =>
  printable(text)
    .replaceAll('\n', ' ')
    .replaceAll(/[\\`*_{}[\]<>#|~]/g, (mark) => `\\${mark}`);

const CSV_COLUMNS = [
  ...(['card', 'rank', 'title', 'fix', 'check', 'risk', 'cost', 'principals that lose access'] as const),
  ...(['exposure after the card', 'findings closed by the card', 'effect of the card', 'why'] as const),
];

export function planCsv(plan: PlanRecord): string {
  let rank = 0;
  const rows = plan.cards.flatMap((card, at) =>
    card.packages.map((one) => [
      ...[at + 1, ++rank, one.title, one.fix, one.check, one.risk, one.cost, one.affected_count],
      ...[fallText(card).split(' -> ')[1] ?? '', card.closed_count ?? '', card.effect.text, one.why],
    ]),
  );
  return [CSV_COLUMNS, ...rows].map(csvLine).join('');
}

/** ", by alice until 2026-12-31, by bob without an end" */
const acceptedBy = ({ acceptances = [] }: CardRecord): string =>
  acceptances
    .map(({ by, until }) => {
      const who = by === null ? '' : ` by ${shownName(by)}`;
      return `,${who} ${until === null ? 'without an end' : `until ${until.slice(0, 10)}`}`;
    })
    .join('');
