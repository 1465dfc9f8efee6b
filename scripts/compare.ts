/**
 * `npm run compare -- --against COMMIT`: compares the answers of this tree with those of a commit. Each runs on a separate empty database,
 * ingests the sample and a hybrid organization, and receives about 370 requests. Answers have to be equal byte for byte, except for the
 * differences in `compare/allowed.ts`; members that only this tree has are counted, but are not faults.
 *
 *   npm run compare -- --against COMMIT [--users 200] [--seed 31] [--json FILE]
 *
 * It checks the commit out in a temporary directory and always removes it at the end.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { forestFiles, generateForest, generateTenant, writeZip } from '@clew/synthetic';
import { allowedBy, RENAMED } from './compare/allowed.ts';
import { checkOut } from './compare/checkOut.ts';
import { type Difference, differencesOf, type Kept, placeOf, withoutRun } from './compare/differences.ts';
import { questionsAbout, type StoredGraph } from './compare/questions.ts';
import { ServiceOf } from './compare/serviceOf.ts';

const ROOT = resolve(import.meta.dirname, '..');
/** The options of the sample that is part of the web interface. */
const SAMPLE = { users: 300, seed: 1 };

const { values } = parseArgs({
  options: {
    against: { type: 'string' },
    users: { type: 'string', default: '200' },
    seed: { type: 'string', default: '31' },
    json: { type: 'string' },
  },
});
const [users, seed] = [Number(values.users), Number(values.seed)];
if (
  values.against === undefined ||
  !Number.isSafeInteger(users) ||
  !Number.isSafeInteger(seed) ||
  users < 50
) {
  console.error('usage: npm run compare -- --against COMMIT [--users 200] [--seed 31] [--json FILE]');
  process.exit(2);
}

type Answers = ReadonlyMap<string, Kept>;

/** Zip files to upload in sequence. */
async function makeCollections(directory: string): Promise<readonly string[]> {
  const collectedAt = Math.floor(Date.now() / 86_400_000) * 86_400;
  const organizations = [SAMPLE, { users, seed, domains: 2 }].map((each) => ({ ...each, collectedAt }));
  return Promise.all(
    organizations.map(async (options, at) => {
      const archive = join(directory, `collection-${at}.zip`);
      await writeZip(
        [...forestFiles(generateForest(options)), generateTenant(options).file],
        archive,
        () => {},
      );
      return archive;
    }),
  );
}

async function answersOf(
  tree: string,
  directory: string,
  archives: readonly string[],
  questions: (graph: StoredGraph) => readonly string[],
): Promise<Answers> {
  const begun = Date.now();
  const service = await ServiceOf.start(tree, directory);
  try {
    for (const archive of archives) await service.upload(archive);
    await service.rest();
    const whole = await service.ask('/api/v2/graphs/export');
    const answers = new Map<string, Kept>([['/api/v2/graphs/export', whole]]);
    for (const question of questions(JSON.parse(whole.text) as StoredGraph))
      answers.set(question, await service.ask(question));
    return new Map(
      [...answers].map(([question, { status, text }]) => [
        question,
        { status, text: withoutRun(text, begun, RENAMED) },
      ]),
    );
  } finally {
    await service.stop();
  }
}

interface Finding extends Difference {
  readonly question: string;
  readonly allowed: string | undefined;
}

function compared(before: Answers, after: Answers): readonly Finding[] {
  return [...before].flatMap(([question, old]) => {
    const now = after.get(question);
    if (now === undefined) throw new Error(`${question} was not asked again`);
    return differencesOf(old, now).map((difference) => ({
      ...difference,
      question,
      allowed: allowedBy(question, difference),
    }));
  });
}

/** Prints one line for each place in answers of the same form. */
function printed(findings: readonly Finding[]): void {
  const groups = Map.groupBy(findings, ({ question, kind, path }) => `${kind} ${placeOf(question, path)}`);
  for (const [group, same] of [...groups].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const [{ before, after, question, allowed }] = same;
    console.log(`${String(same.length).padStart(6)} ${group}`);
    if (allowed !== undefined) console.log(`         allowed: ${allowed}`);
    console.log(`         ${question}: ${before} → ${after}`);
  }
}

const directory = mkdtempSync(join(tmpdir(), 'clew-compare-'));
let exitCode = 1;
const tree = join(directory, 'tree');
const release = checkOut(ROOT, values.against, tree);
try {
  const archives = await makeCollections(directory);
  let asked: readonly string[] = [];
  const before = await answersOf(tree, join(directory, 'before'), archives, (graph) => {
    asked = questionsAbout(graph);
    return asked;
  });
  const after = await answersOf(ROOT, join(directory, 'after'), archives, () => asked);
  const findings = compared(before, after);
  const added = findings.filter(({ kind }) => kind === 'added');
  const faults = findings.filter(({ kind, allowed }) => kind !== 'added' && allowed === undefined);
  const differing = new Set(findings.map(({ question }) => question));
  printed(findings);
  console.log(
    `${before.size} answers: ${before.size - differing.size} the same, ${added.length} new members, ` +
      `${findings.length - added.length - faults.length} allowed differences, ${faults.length} others`,
  );
  if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(findings, null, 1)}\n`);
  exitCode = faults.length === 0 ? 0 : 1;
} finally {
  release();
  rmSync(directory, { recursive: true, force: true });
}
process.exit(exitCode);
