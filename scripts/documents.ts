/**
 * `npm run docs`: writes the generated parts of the documentation between marks in the files. A test checks that they are up to date. `npm
 * run docs -- --check` only compares.
 */
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  EFFORT_MODIFIERS,
  FINDING_CATEGORIES,
  FINDING_TYPES,
  type FindingType,
  SEVERITY_BANDS,
  SEVERITY_ROWS,
  type SeverityRow,
} from '@clew/analysis';
import { type RouteContract, routes } from '@clew/api';
import { ATTACK_EFFORTS, CUSTOM_KIND_EFFORT, EDGE_KINDS, EFFORT_CLASSES } from '@clew/model';
import { systemContext } from '../packages/cli/src/context.ts';
import { commandReference } from '../packages/cli/src/program/commandReference.ts';
import { buildProgram } from '../packages/cli/src/program/program.ts';
import { CONFIGURATION_TABLE } from '../packages/common/src/config/config.ts';
import { type BenchReport, formatFigure } from './benchReport.ts';
import { clientTable } from './clientTable.ts';
import { directoryFieldTable, tenantFieldTable } from './collectorFieldTables.ts';
import { curlExample } from './curlExamples.ts';
import { libraryTables } from './dependencies.ts';
import { packageTable, roomTable } from './layers.ts';
import { kindRules, ruleSections } from './rules/ruleSections.ts';
import { tourPage } from './tour/tourPage.ts';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));

const RULES = await kindRules();

interface GeneratedPart {
  readonly file: string;
  readonly name: string;
  readonly text: () => string;
}

/** Add a row for another generated part; its marks must already be in the file. */
export const PARTS: readonly GeneratedPart[] = [
  { file: 'docs/architecture.md', name: 'packages', text: packageTable },
  { file: 'docs/architecture.md', name: 'rooms', text: roomTable },
  { file: 'docs/architecture.md', name: 'libraries', text: () => libraryTables(ROOT) },
  { file: 'docs/configuration.md', name: 'configuration', text: configurationTable },
  { file: 'docs/cli.md', name: 'commands', text: commandPages },
  { file: 'docs/api.md', name: 'operations', text: operationTables },
  { file: 'docs/findings.md', name: 'finding types', text: findingTables },
  { file: 'docs/findings.md', name: 'severities', text: severityTable },
  { file: 'docs/performance.md', name: 'benchmarks', text: benchmarkTable },
  { file: 'docs/reference/collections.md', name: 'counts of kinds', text: countsOfKinds },
  { file: 'docs/reference/collections.md', name: 'fields of directories', text: directoryFieldTable },
  { file: 'docs/reference/collections.md', name: 'fields of tenants', text: tenantFieldTable },
  { file: 'docs/rules.md', name: 'attack efforts', text: effortTables },
  ...(['certificate services', 'Active Directory', 'Entra ID and Azure'] as const).map((chapter) => ({
    ...{ file: 'docs/rules.md', name: `rules of ${chapter}` },
    text: () => `\n${ruleSections(RULES, chapter)}\n`,
  })),
  { file: 'docs/clients.md', name: 'clients', text: clientTable },
  { file: 'docs/tour.md', name: 'tour', text: () => tourPage(ROOT) },
];

function configurationTable(): string {
  const rows = CONFIGURATION_TABLE.map(({ name, byDefault, meaning }) => {
    const isWord = /^[\w.,-]+$/.test(byDefault) && byDefault !== 'none';
    return `| \`${name}\` | ${isWord ? `\`${byDefault}\`` : cell(byDefault)} | ${cell(meaning)} |`;
  });
  return ['| Variable | Default | Meaning |', '| --- | --- | --- |', ...rows].join('\n');
}

function commandPages(): string {
  const context = systemContext(new AbortController().signal, () =>
    Promise.reject(new Error('nobody is asked')),
  );
  return commandReference(buildProgram(context, () => {}));
}

function operationTables(): string {
  const tags = [...new Set(routes.map((route) => route.tag))];
  return tags
    .map((tag) => {
      const rows = routes.filter((route) => route.tag === tag).map(operationRow);
      const head = ['| Operation | Description | Permission |', '| --- | --- | --- |'];
      return [`#### ${tag}`, '', ...head, ...rows, '', curlExample(tag)].join('\n');
    })
    .join('\n\n');
}

function operationRow({ method, path, aliases = [], summary, access, editions }: RouteContract): string {
  const paths = [path, ...aliases].map((each) => `\`${method} ${each}\``).join('<br>');
  const permission =
    access === 'none'
      ? 'none, also without credentials'
      : access === 'any'
        ? 'any user'
        : access.join(' or ');
  const edition = editions === undefined ? '' : ` (${editions.join(', ')} only)`;
  return `| ${paths} | ${cell(summary)}${edition} | ${permission} |`;
}

function findingTables(): string {
  const categories = Map.groupBy(FINDING_TYPES, ({ category }) => category);
  return Object.entries(FINDING_CATEGORIES)
    .filter(([category]) => categories.has(category as FindingType['category']))
    .map(([category, name]) => {
      const types = categories.get(category as FindingType['category']) ?? [];
      const rows = types.map((type) => `| \`${type.id}\` | ${cell(type.title)} | ${basisOf(type)} |`);
      return [`#### ${name}`, '', '| Id | Title | Severity |', '| --- | --- | --- |', ...rows].join('\n');
    })
    .join('\n\n');
}

function countsOfKinds(): string {
  const ofDirectory = EDGE_KINDS.filter(({ platform }) => platform === 'ad');
  const rights = ofDirectory.filter(({ acl }) => acl);
  const walked = ofDirectory.filter(({ traversable }) => traversable);
  return (
    `There are ${EDGE_KINDS.length} kinds of edges, ${ofDirectory.length} of Active Directory: ${rights.length} of these are rights of ` +
    `access lists, and ${walked.length} are walked as attack paths.`
  );
}

function effortTables(): string {
  const classes = EFFORT_CLASSES.map(({ effort, name, means }) => `| ${effort} | ${name} | ${means} |`);
  const steps = Map.groupBy(ATTACK_EFFORTS, ([, { effort, reason }]) => `| ${effort} | ${reason} |`);
  const rows = [...steps].map(([row, kinds]) => `${row} ${kinds.map(([kind]) => kind).join(', ')} |`);
  const { effort, reason } = CUSTOM_KIND_EFFORT;
  const facts = EFFORT_MODIFIERS.map(({ fact, effect }) => `| ${fact} | ${effect} |`);
  return [
    ...['| Effort | Class | Means |', '| ---: | --- | --- |', ...classes, ''],
    ...['| Effort | Reason | Kinds |', '| ---: | --- | --- |', ...rows, `| ${effort} | ${reason} | |`, ''],
    ...['| Fact about the ends | Effort |', '| --- | --- |', ...facts],
  ].join('\n');
}

/** The table of severities. */
function severityTable(): string {
  const bands = SEVERITY_BANDS.map((least, at) => (at === 0 ? 'less' : `${least} % and more`));
  const head = ['Finding', 'Counted', ...bands.toReversed()];
  const basis = {
    users: 'principals that can use it',
    falling: 'principals that fall with it',
    lesser: 'the lesser of both',
  };
  const rows = (SEVERITY_ROWS as readonly SeverityRow[]).map(({ of, basis: by, severities, hasFloor }) => {
    const shown = severities.toReversed().map((severity) => (hasFloor ? `${severity} *` : severity));
    return `| ${[cell(of), basis[by], ...shown].join(' | ')} |`;
  });
  return [`| ${head.join(' | ')} |`, `|${' --- |'.repeat(head.length)}`, ...rows].join('\n');
}

/** Describes the basis of the severity of a type. */
function basisOf(type: FindingType): string {
  if (type.kind === 'relationship') {
    const basis = type.boundary.startsWith('large') ? 'impact' : 'exposure';
    return type.optional === true ? `${basis}; off by default` : basis;
  }
  if (type.nature === 'opening') {
    const luck = type.effort === 8 ? ', at most high' : '';
    return (type.floor === 'low' ? 'lesser of both' : `lesser of both, at least ${type.floor}`) + luck;
  }
  return type.floor === 'low' && type.scope === 'tier-zero' ? 'low or moderate, by impact' : type.floor;
}

/** Written by `npm run bench -- --scale SCALE --json docs/figures-SCALE.json`, on a machine without other load. */
const readFigures = (scale: 'small' | 'large'): BenchReport =>
  JSON.parse(readDocument(`docs/figures-${scale}.json`)) as BenchReport;

function benchmarkTable(): string {
  const reports = [readFigures('small'), readFigures('large')];
  const peakOf = ({ runs }: BenchReport, name: string): string => {
    const run = runs.find((each) => each.name === name);
    return run === undefined ? '' : formatFigure(Math.round(run.peakMb));
  };
  const rows = globSync('packages/*/bench/*.bench.ts', { cwd: ROOT })
    .toSorted()
    .map((file) => {
      const name = benchmarkName(readDocument(file), file);
      const peaks = reports.map((report) => peakOf(report, name));
      return `| ${cell(name)} | \`${file.replace('.bench.ts', '')}\` | ${peaks.join(' | ')} |`;
    });
  const measured = reports.map(
    ({ scale, date, machine, node, load }) =>
      `\`${scale}\`: ${date}, ${machine}, Node.js ${node}, load ${load}.`,
  );
  return [
    ...[measured.join(' '), ''],
    '| Benchmark | `npm run bench -- --only` | Peak memory, small (MB) | Peak memory, large (MB) |',
    ...['| --- | --- | ---: | ---: |', ...rows],
  ].join('\n');
}

/** @throws Error for a benchmark without a name */
function benchmarkName(source: string, file: string): string {
  const name = /^ {2}name: '([^']+)',$/m.exec(source)?.[1];
  if (name === undefined) throw new Error(`${file} exports no name`);
  return name;
}

const cell = (text: string): string => text.replaceAll('|', '\\|');

const begin = (name: string): string => `<!-- ${name}: written by "npm run docs" -->`;
const end = (name: string): string => `<!-- end of ${name} -->`;

/** @returns the document with the replaced part @throws Error if its marks are missing */
export function withPart(document: string, { file, name, text }: GeneratedPart): string {
  const from = document.indexOf(begin(name));
  const to = document.indexOf(end(name));
  if (from < 0 || to < from) throw new Error(`${file} lacks the marks of ${name}`);
  return `${document.slice(0, from)}${begin(name)}\n${text()}\n${document.slice(to)}`;
}

export const readDocument = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const part of PARTS) {
    const document = readDocument(part.file);
    const written = withPart(document, part);
    if (written === document) continue;
    if (process.argv.includes('--check')) {
      console.error(`${part.file}: ${part.name} is out of date; "npm run docs" writes it`);
      process.exitCode = 1;
    } else {
      writeFileSync(join(ROOT, part.file), written);
      console.log(`${part.file}: wrote ${part.name}`);
    }
  }
}
