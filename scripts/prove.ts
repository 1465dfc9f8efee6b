/**
 * `npm run prove`: checks whether plans are true. For each organization, the first packages of its plan are applied to the collection
 * files, which are read and analyzed again. Exactly the promised number of principals must then be exposed, and no random set of the same
 * number of packages and the same cost may be better by more than five points.
 *
 *   npm run prove                                            twelve generated organizations
 *   npm run prove -- collection.zip                          a collected organization
 *   npm run prove -- --users 3000 --seed 22 --domains 3 --shape 2
 *   npm run prove -- --small-sets [sample.zip]               organizations with known small sets
 *   npm run prove -- --first-findings [sample.zip]           the subjects of the first page of the list
 *   npm run prove -- --planted                               changes of plans against planted flaws, for 36 organizations
 *   npm run prove -- --planted 1500-604-3-2 700-605-x-3-ad   users, seed, domains, shape; -ad: without a tenant
 *   npm run prove -- --planted --new-seeds                   36 organizations that were never measured
 *   npm run prove -- --planted --breaks 0.5                  with half of the effect of each reason of a price
 *   npm run prove -- --planted --unnamed                     without names of groups as signs of their purpose
 *
 * `--tries` sets the number of random sets (500), `--json` prints all figures. Exits with 1 if a requirement is violated.
 */
import { parseArgs } from 'node:util';
import {
  checkFirstFindings,
  FIRST_ROWS,
  type FirstFindingsResult,
  repairsOf,
} from './prove/firstFindings.ts';
import {
  archived,
  DEFAULT_ORGANIZATIONS,
  type Generated,
  generated,
  type Organization,
} from './prove/organizations.ts';
import { plantedFaults, storedBaseline } from './prove/plantedBars.ts';
import { organizationNamed, plantedOrganization, plantedSeeds } from './prove/plantedOrganizations.ts';
import { verdictOf } from './prove/plantedVerdicts.ts';
import { type Proof, proveOrganization } from './prove/proveOrganization.ts';
import { type PlantedResult, provePlanted } from './prove/provePlanted.ts';
import { checkSmallSet, type SmallSetResult, smallSets } from './prove/smallSets.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    users: { type: 'string' },
    seed: { type: 'string', default: '1' },
    domains: { type: 'string' },
    shape: { type: 'string', default: '2' },
    tries: { type: 'string', default: '500' },
    json: { type: 'boolean', default: false },
    'small-sets': { type: 'boolean', default: false },
    'first-findings': { type: 'boolean', default: false },
    planted: { type: 'boolean', default: false },
    'new-seeds': { type: 'boolean', default: false },
    breaks: { type: 'string', default: '1' },
    unnamed: { type: 'boolean', default: false },
  },
});

const log = (text: string): void => {
  process.stderr.write(`${text}\n`);
};

async function provePlans(): Promise<boolean> {
  const tries = number('tries', values.tries);
  const proofs: Proof[] = [];
  for (const organization of organizations()) {
    const proof = await proveOrganization(organization, { tries, log });
    for (const fault of proof.faults) log(`  ${fault}`);
    proofs.push(proof);
  }
  if (values.json) process.stdout.write(`${JSON.stringify(proofs, null, 2)}\n`);
  else print(PROOF_COLUMNS, proofs);
  return proofs.every(({ faults }) => faults.length === 0);
}

async function proveSmallSets(): Promise<boolean> {
  const [sample] = positionals;
  const results: SmallSetResult[] = [];
  for (const set of smallSets(sample === undefined ? undefined : archived(sample))) {
    log(set.organization.name);
    results.push(await checkSmallSet(set));
  }
  if (values.json) process.stdout.write(`${JSON.stringify(results, null, 2)}\n`);
  else print(SET_COLUMNS, results);
  return results.every(({ isReached }) => isReached);
}

/** Sizes and shapes whose first page is checked by default, in all languages of shape 3. */
const FIRST_PAGES: readonly Generated[] = [1000, 1500, 2000, 5000, 10_000].flatMap((users, at) =>
  ([2, 3] as const).map((shape) => ({ users, shape, seed: 12 + at })),
);

async function proveFirstFindings(): Promise<boolean> {
  const asked = values.users === undefined ? FIRST_PAGES : [askedOrganization()];
  const results: FirstFindingsResult[] = [];
  for (const one of positionals.length > 0 ? positionals : asked) {
    const result = await checkFirstFindings(one);
    log(result.name);
    for (const fault of result.faults) log(`  ${fault}`);
    results.push(result);
  }
  if (values.json) process.stdout.write(`${JSON.stringify(results, null, 2)}\n`);
  else print(PAGE_COLUMNS, results);
  return results.every(({ faults }) => faults.length === 0);
}

async function provePlantedChanges(): Promise<boolean> {
  const seeds = plantedSeeds(values['new-seeds'] ? new Date() : undefined);
  const asked = positionals.length > 0 ? positionals.map(organizationNamed) : seeds.map(plantedOrganization);
  const results: PlantedResult[] = [];
  const otherPrices = { breaks: multiple(values.breaks), readsNames: !values.unnamed };
  for (const organization of asked) {
    const result = await provePlanted(organization, verdictOf, otherPrices);
    log(`${result.name}: ${result.changes.map(({ mark }) => mark).join('')}`);
    for (const { card, mark, reason, title } of result.changes)
      if (mark !== 'a') log(`  card ${card}, ${mark}: ${title} (${reason})`);
    results.push(result);
  }
  if (values.json) process.stdout.write(`${JSON.stringify(results, null, 2)}\n`);
  else print(PLANTED_COLUMNS, [...results, totalOf(results)]);
  const faults = plantedFaults(results, storedBaseline());
  for (const fault of faults) log(fault);
  return faults.length === 0;
}

function organizations(): readonly Organization[] {
  if (positionals.length > 0) return positionals.map(archived);
  if (values.users === undefined) return DEFAULT_ORGANIZATIONS.map(generated);
  return [generated(askedOrganization())];
}

function askedOrganization(): Generated {
  const shape = number('shape', values.shape);
  if (shape !== 2 && shape !== 3) throw new RangeError('--shape is 2 or 3');
  return {
    ...{ users: number('users', values.users ?? ''), seed: number('seed', values.seed), shape },
    ...(values.domains !== undefined && { domains: number('domains', values.domains) }),
  };
}

function number(name: string, text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 0) throw new RangeError(`--${name} is a number, not ${text}`);
  return value;
}

function multiple(text: string): number {
  const value = Number(text);
  if (!Number.isFinite(value) || value < 0) throw new RangeError(`--breaks is a number, not ${text}`);
  return value;
}

const PROOF_COLUMNS: Readonly<Record<string, (proof: Proof) => string | number>> = {
  organization: ({ name }) => name,
  principals: ({ principals }) => principals,
  exposed: ({ before }) => before,
  packages: ({ packages }) => packages,
  changes: ({ changes }) => changes,
  cost: ({ cost }) => cost,
  bound: ({ bound }) => bound ?? '',
  promised: ({ promised }) => promised,
  real: ({ real }) => real,
  chance: ({ chance }) => chance ?? '',
  'plan (s)': ({ seconds }) => seconds.toFixed(1),
  holds: ({ faults }) => (faults.length === 0 ? 'yes' : `NO: ${faults.length}`),
};

const SET_COLUMNS: Readonly<Record<string, (result: SmallSetResult) => string | number>> = {
  organization: ({ name }) => name,
  'known changes': ({ known }) => known.changes,
  'known packages': ({ known }) => known.packages ?? '',
  'known exposed': ({ known }) => known.exposed,
  changes: ({ changes }) => changes,
  packages: ({ packages }) => packages,
  exposed: ({ exposed }) => exposed,
  'changes needed': ({ changesNeeded }) => changesNeeded ?? 'more than the plan has',
  holds: ({ isReached }) => (isReached ? 'yes' : 'NO'),
};

const PAGE_COLUMNS: Readonly<Record<string, (result: FirstFindingsResult) => string | number>> = {
  organization: ({ name }) => name,
  'first rows': ({ rows }) => Math.min(FIRST_ROWS, rows.length),
  'different repairs': (result) => repairsOf(result).length,
  cards: ({ cards }) => cards,
  'critical and high relationships': ({ rows }) => severe(rows).length,
  'closed by a card': ({ rows }) => severe(rows).filter(({ closed_by }) => closed_by !== undefined).length,
  'says why not': ({ rows }) => severe(rows).filter(({ not_closed }) => not_closed !== undefined).length,
  'whole (s)': ({ seconds }) => seconds.toFixed(0),
  holds: ({ faults }) => (faults.length === 0 ? 'yes' : `NO: ${faults.length}`),
};

type PlantedRow = Omit<PlantedResult, 'isFirstWrong' | 'end'> & {
  readonly isFirstWrong: number;
  readonly end: string;
};

/** All organizations as one row. */
function totalOf(results: readonly PlantedResult[]): PlantedRow {
  const sum = (of: (result: PlantedResult) => number) =>
    results.reduce((total, result) => total + of(result), 0);
  return {
    ...{ name: 'all', end: '', changes: results.flatMap(({ changes }) => changes) },
    ...{ principals: sum((one) => one.principals), before: sum((one) => one.before) },
    ...{ afterFirst: sum((one) => one.afterFirst), atEnd: sum((one) => one.atEnd) },
    ...{ cards: sum((one) => one.cards), packages: sum((one) => one.packages) },
    rightPackages: sum((one) => one.rightPackages),
    isFirstWrong: sum((one) => Number(one.isFirstWrong)),
    seconds: sum((one) => one.seconds),
  };
}

const marks = ({ changes }: PlantedRow | PlantedResult, mark: string): number =>
  changes.filter((change) => change.mark === mark).length;

const PLANTED_COLUMNS: Readonly<Record<string, (row: PlantedRow | PlantedResult) => string | number>> = {
  organization: ({ name }) => name,
  principals: ({ principals }) => principals,
  exposed: ({ before }) => before,
  'after card 1': ({ afterFirst }) => afterFirst,
  'at the end': ({ atEnd }) => atEnd,
  cards: ({ cards }) => cards,
  packages: ({ packages }) => packages,
  'all right': ({ rightPackages }) => rightPackages,
  changes: ({ changes }) => changes.length,
  a: (row) => marks(row, 'a'),
  b: (row) => marks(row, 'b'),
  c: (row) => marks(row, 'c'),
  d: (row) => marks(row, 'd'),
  'first card wrong': ({ isFirstWrong }) => Number(isFirstWrong),
  end: ({ end }) => end,
  'processor (s)': ({ seconds }) => seconds.toFixed(0),
};

const severe = (rows: FirstFindingsResult['rows']): FirstFindingsResult['rows'] =>
  rows.filter(
    ({ severity, finding_type }) =>
      finding_type === 'relationship' && (severity === 'critical' || severity === 'high'),
  );

/** Prints a Markdown table. */
function print<Row>(
  columns: Readonly<Record<string, (row: Row) => string | number>>,
  rows: readonly Row[],
): void {
  const lines = [
    Object.keys(columns),
    Object.keys(columns).map(() => '---'),
    ...rows.map((row) => Object.values(columns).map((of) => String(of(row)))),
  ];
  for (const cells of lines) process.stdout.write(`| ${cells.join(' | ')} |\n`);
}

function prove(): Promise<boolean> {
  if (values.planted) return provePlantedChanges();
  if (values['first-findings']) return proveFirstFindings();
  return values['small-sets'] ? proveSmallSets() : provePlans();
}

process.exitCode = (await prove()) ? 0 : 1;
