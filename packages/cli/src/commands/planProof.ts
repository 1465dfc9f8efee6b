/** `clew plans proof`: what was changed of a started plan, by which upload, who said so, and what it reached. */

import type { PlanProof, ProofChange, ProofEvent, ProofMonth } from '@clew/api';
import { counted } from '@clew/model';
import { type ConnectionOptions, connect, type ThingCommand } from '../connection.ts';
import { shownBy } from '../plan/shownBy.ts';
import { formatTable } from '../terminal/table.ts';
import { printable, writeJson } from '../terminal/text.ts';
import { known } from './savedPlans.ts';

export interface PlanProofOptions extends ConnectionOptions {
  /** `YYYY-MM`: only what happened in this month. */
  readonly month?: string;
  readonly json?: boolean;
}

/** Changes of one answer. */
const PAGE = 1000;

export const planProof: ThingCommand<PlanProofOptions, number> = async (context, id, options) => {
  const { out, signal } = context;
  const client = await connect(context, options);
  const month = options.month === undefined ? {} : { month: options.month };
  const page = async (skip: number): Promise<PlanProof> => {
    const query = { ...month, skip, limit: PAGE };
    const asked = client.call('GetPlanProof', { params: { plan_id: id }, query }, { signal });
    return (await known(`started plan ${id}`, asked)).data;
  };
  const proof = await page(0);
  const pages: [PlanProof, ...PlanProof[]] = [proof];
  const changes = [...proof.changes];
  while (changes.length < proof.change_count) {
    const more = await page(changes.length);
    if (more.changes.length === 0) break;
    pages.push(more);
    changes.push(...more.changes);
  }
  const evidence = withClaims(pages);
  if (options.json) return writeJson(out, { ...proof, evidence, changes });
  out.write(
    `${out.style('bold', `${proof.plan_id}  ${printable(proof.name)}`)}\n  ${printable(proof.text)}\n`,
  );
  const months = proof.months.filter((one) => options.month === undefined || one.month === options.month);
  if (months.length > 0) out.write(`\n${formatTable(out, MONTH_COLUMNS, months.map(monthRow))}`);
  for (const repair of proof.repairs) {
    const own = changes.filter((change) => change.repair === repair.number);
    if (own.length === 0) continue;
    const due = repair.due === null ? '' : ` (due ${repair.due}${repair.overdue ? ', overdue' : ''})`;
    out.write(`\nRepair ${repair.number}: ${printable(repair.title)}${due}\n`);
    const card = proof.cards?.find(({ repairs }) => repairs[0] === repair.number);
    if (card !== undefined && card.text !== '') out.write(`  Card ${card.number}: ${printable(card.text)}\n`);
    for (const change of own) out.write([...changeLines(change), ...claimLines(evidence, change)].join(''));
  }
};

/** Each page has all files, with their claims about its changes. @returns the files of the first page with all claims */
export const withClaims = (pages: readonly [PlanProof, ...PlanProof[]]): PlanProof['evidence'] =>
  pages[0].evidence.map((file) => ({
    ...file,
    claims: pages.flatMap(({ evidence }) => evidence.find(({ id }) => id === file.id)?.claims ?? []),
  }));

/** @returns lines with the claims of transcripts and backups about the change */
const claimLines = (evidence: PlanProof['evidence'], { number }: ProofChange): string[] =>
  evidence.flatMap(({ id, claims }) =>
    claims
      .filter(({ change }) => change === number)
      .map(({ verdict, text }) => `     evidence ${id}, ${verdict}: ${printable(text)}\n`),
  );

const MONTH_COLUMNS = [
  { title: 'MONTH' },
  { title: 'DONE', align: 'right' },
  { title: 'EXISTS AGAIN', align: 'right' },
  { title: 'NOT SEEN', align: 'right' },
  { title: 'CONTRADICTED', align: 'right' },
  { title: 'OVERDUE', align: 'right' },
] as const;

const monthRow = (one: ProofMonth): (string | number)[] => [
  ...[one.month, one.done_count, one.came_back_count, one.not_seen_count],
  ...[one.contradicted_count, one.overdue_count],
];

const changeLines = ({ number, title, text, said, events }: ProofChange): string[] => [
  `  ${number}. ${printable(title)}\n     ${printable(text)}\n`,
  ...(said === null || said.note === '' ? [] : [`     note: ${printable(said.note)}\n`]),
  ...events.flatMap(eventLines),
];

function eventLines({ state, at, since, facts, fact_count, jobs }: ProofEvent): string[] {
  const between = since === null ? at.slice(0, 10) : `${since.slice(0, 10)} to ${at.slice(0, 10)}`;
  const more = (fact_count ?? 0) - facts.length;
  return [
    `     ${between}  ${state}${jobs.length === 0 ? '' : `, ${printable(shownBy(jobs))}`}\n`,
    ...facts.map((fact) => `       ${printable(fact.text)}\n`),
    ...(more > 0 && facts.length > 0 ? [`       and ${counted(more, 'more fact')}\n`] : []),
  ];
}
