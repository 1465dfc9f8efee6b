/**
 * `clew generate`: writes a synthetic organization: a forest as SharpHound files, its Entra tenant as an AzureHound file, a source without
 * a definition as an OpenGraph file, and platforms as OpenGraph files with their definitions.
 */

import { join, resolve } from 'node:path';
import { counted } from '@clew/model';
import type { FlawChoice, GeneratedFile, WrittenFile } from '@clew/synthetic';
import type { Context } from '../context.ts';
import { CommandError, EXIT } from '../failure.ts';
import { Progress } from '../terminal/progress.ts';
import { formatTable } from '../terminal/table.ts';
import { formatBytes, formatCount, formatDuration, printable } from '../terminal/text.ts';

export const PARTS = ['ad', 'entra', 'opengraph', 'platforms'] as const;

/** The choices of `@clew/synthetic`, which is loaded later. */
export const FLAWS: readonly FlawChoice[] = ['all', 'none'];

/** Subdirectory for definitions, which are not collection files. */
const DEFINITIONS = 'extensions';

export type Part = (typeof PARTS)[number];

export interface GenerateOptions {
  readonly users: number;
  readonly seed: number;
  /** Collection time in epoch seconds. */
  readonly collectedAt: number;
  readonly domains?: number;
  readonly shape?: 1 | 2 | 3;
  readonly flaws?: FlawChoice;
  readonly out: string;
  /** One in this many users, groups and computers differs from the result without this option. */
  readonly changedEvery?: number;
  readonly zip?: boolean;
  /** Parts to write; all by default. */
  readonly parts?: readonly Part[];
}

/** Approximate number of objects in a forest per user, for progress bars; shape 3 has more groups. */
export const OBJECTS_PER_USER = 2.55;
const OBJECTS_PER_USER_OF_SHAPE_3 = 3.05;
/** Number of tenant items per user of the forest. */
const ITEMS_PER_USER = 1.9;
/** Number of platform objects and relationships per user. */
export const PLATFORM_ITEMS_PER_USER = 3.7;

/** Epoch seconds. A synthetic organization looks current today, and is equal during the whole day. */
export function startOfDay(now = Date.now()): number {
  return Math.floor(now / 86_400_000) * 86_400;
}

export async function generate(context: Context, options: GenerateOptions): Promise<void> {
  const { out, err, directory } = context;
  // Loaded on demand, so that other commands start fast.
  const {
    driftedForest,
    FLAWS: ROWS,
    forestFiles,
    generateForest,
    generateOpenGraph,
    generatePlatforms,
    generateTenant,
    writeFiles,
    writeZip,
  } = await import('@clew/synthetic');
  const start = performance.now();
  const asPlanned = planned(() => generateForest(options));
  const { changedEvery: every } = options;
  const forest = every === undefined ? asPlanned : driftedForest(asPlanned, { every, round: 0 });
  const progress = new Progress(err);
  const parts = options.parts ?? PARTS;
  const tenant = generateTenant(options);
  const platforms = generatePlatforms(options);
  const files: GeneratedFile[] = [
    ...(parts.includes('ad') ? forestFiles(forest) : []),
    ...(parts.includes('entra') ? [tenant.file] : []),
    ...(parts.includes('opengraph') ? [generateOpenGraph(options)] : []),
    ...(parts.includes('platforms') ? platforms.payloads : []),
  ];
  const perUser =
    (parts.includes('ad') ? (options.shape === 3 ? OBJECTS_PER_USER_OF_SHAPE_3 : OBJECTS_PER_USER) : 0) +
    (parts.includes('entra') ? ITEMS_PER_USER : 0.1) +
    (parts.includes('platforms') ? PLATFORM_ITEMS_PER_USER : 0);
  const expected = options.users * perUser;
  const onProgress = (objects: number): void => {
    context.signal.throwIfAborted();
    progress.show({
      label: 'Generating',
      fraction: Math.min(1, objects / expected),
      detail: counted(objects, 'object'),
    });
  };
  const target = resolve(directory, options.out);
  const archive = join(target, `clew-forest-${options.users}-${options.seed}.zip`);
  const written = options.zip
    ? await writeZip(files, archive, onProgress)
    : await writeFiles(files, target, onProgress);
  if (parts.includes('platforms')) await writeFiles(platforms.definitions, join(target, DEFINITIONS));
  progress.clear();

  out.write(countTable(context, written));
  const objects = sum(written.map((file) => file.objects));
  const bytes = sum(written.map((file) => file.bytes));
  const where = printable(options.zip ? archive : target);
  out.write(`\n${counted(objects, 'object')}, ${formatBytes(bytes)} in ${counted(written.length, 'file')}, `);
  out.write(`${formatDuration(performance.now() - start)}: ${where}\n`);
  if (options.flaws === 'none') {
    out.write(
      '\nNo flaws are planted: the same organization with flaws has more relationships and weaker settings.\n',
    );
    if (parts.includes('platforms')) out.write(definitionsText(target));
    return;
  }
  if (parts.includes('ad')) {
    out.write(`
Planted flaws that create attack paths:
`);
    for (const { name, description } of ROWS) {
      const count = forest.flaws.get(name) ?? 0;
      if (count > 0) out.write(`${formatCount(count).padStart(7)}  ${description}\n`);
    }
    const { from, to, fromName, toName, exists } = forest.route;
    // A synced user of the tenant has the same name, so with a tenant only ids are unambiguous.
    const ends = parts.includes('entra') ? `${from} ${to}` : `${fromName} "${toName}"`;
    if (exists) {
      out.write(`\nOne of these paths, after ingestion: clew path ${ends}\n`);
      if (parts.includes('entra')) out.write(`It leads from ${fromName} to ${toName}.\n`);
    }
  }
  if (parts.includes('entra')) {
    out.write(`One path into the cloud: clew path ${tenant.route.from} ${tenant.route.to}\n`);
  }
  if (parts.includes('platforms')) {
    const { from, to, fromName, toName } = platforms.route;
    out.write(definitionsText(target));
    out.write(`Then one path leads across them, from ${fromName} (${from}) to ${toName} (${to}).\n`);
  }
}

const definitionsText = (target: string): string =>
  `\nDefinitions of the platforms; install them before the upload: ${printable(join(target, DEFINITIONS))}\n`;

/** Reports incompatible options, found by the code with the rule, as a usage error. */
function planned<Made>(make: () => Made): Made {
  try {
    return make();
  } catch (error) {
    if (error instanceof RangeError) throw new CommandError(error.message, EXIT.usage);
    throw error;
  }
}

/** One row per type, one column per domain. */
function countTable({ out }: Context, written: readonly WrittenFile[]): string {
  const domains = [...new Set(written.map((file) => file.domain))];
  const types = [...new Set(written.map((file) => file.type))];
  const columns = [
    { title: 'OBJECTS' },
    ...domains.map((domain) => ({ title: domain, align: 'right' as const })),
  ];
  const rows = types.map((type) => [
    type,
    ...domains.map((domain) =>
      formatCount(
        sum(
          written.filter((file) => file.type === type && file.domain === domain).map((file) => file.objects),
        ),
      ),
    ),
  ]);
  return formatTable(out, columns, rows);
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
