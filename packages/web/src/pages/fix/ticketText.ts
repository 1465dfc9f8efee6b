/** A card as Markdown for ticket systems. Names are masked if the page masks them. */
import type { CardRecord, PackageRecord } from '@clew/api';
import { costText, principalsText } from '@clew/model';
import { cleanText } from '../../text/cleanText.ts';
import { counted } from '../../text/formats.ts';
import { cardTitle, fallOf, zoneText } from './planFigures.ts';

interface TicketFacts {
  readonly card: CardRecord;
  readonly zone: number;
  /** Address of the card's page. */
  readonly address: string;
  /** @returns the phrase of a relationship, as on the page */
  phraseOf(kind: string): string;
}

export function ticketText({ card, zone, address, phraseOf }: TicketFacts): string {
  const fall = fallOf(card);
  const closed = card.closed_count ?? 0;
  const effect = [
    fall === '' ? cleanText(card.effect.text) : `Exposure of ${zoneText(zone)}: ${fall}.`,
    closed > 0 && `Closes ${counted(closed, 'finding')}.`,
    card.affected_count > 0 &&
      `${principalsText(card.affected_count)} ${card.affected_count === 1 ? 'loses' : 'lose'} access.`,
    card.packages.length > 1 && `All ${card.packages.length} repairs are needed: none helps on its own.`,
  ].filter((one) => typeof one === 'string' && one !== '');
  const sections = [
    [`# ${plain(cardTitle(card))}`, effect.join(' ')],
    ...card.packages.map((one, at) => repairLines(one, card.packages.length === 1 ? undefined : at + 1)),
    pathLines(card, phraseOf),
    [`Details: ${address}`],
  ];
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n\n'))
    .join('\n\n')}\n`;
}

/** @param number position in a set of several repairs */
function repairLines(one: PackageRecord, number: number | undefined): string[] {
  const { title, fix, check, risk, why, cost, uses, questions } = one;
  const facts = [
    ['Apply', fix],
    ['Verify', check],
    ['Risk', risk],
    ['Why this', why],
    ['Who uses it', uses?.text ?? ''],
    ...questions.map(({ question, needed }) => ['Ask first', `${question} ${needed}`]),
    ['Cost', costText(cost)],
  ] as const;
  return [
    number === undefined ? '## Repair' : `## Repair ${number}: ${plain(title)}`,
    facts
      .filter(([, text]) => text !== '')
      .map(([name, text]) => `- **${name}**: ${plain(text ?? '')}`)
      .join('\n'),
  ];
}

function pathLines({ paths: [path] }: CardRecord, phraseOf: TicketFacts['phraseOf']): string[] {
  if (path === undefined) return [];
  const { before, cut } = path;
  const nameOf = (at: number): string => plain(before.nodes[at]?.name ?? '');
  return [
    '## Attack path that it cuts',
    before.steps
      .map(
        ({ kind }, at) =>
          `${at + 1}. ${nameOf(at)} ${phraseOf(kind)} ${nameOf(at + 1)}${at === cut ? ' (**cut here**)' : ''}`,
      )
      .join('\n'),
  ];
}

/** Escapes text of a directory for Markdown, in one line. */
const plain = (text: string): string => cleanText(text).replace(/[\\`*_[\]<>#|]/g, '\\$&');
