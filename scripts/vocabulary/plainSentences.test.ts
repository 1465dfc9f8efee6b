import { describe, expect, it, test } from 'vitest';
import { unplainProseIn } from './plainSentences.ts';
import { STANDARD_TERMS } from './standardTerms.ts';

const betterFor = (source: string): string[] => unplainProseIn(source).map(({ better }) => better);

describe('comments without a subject', () => {
  it.each([
    ...['Of', 'By', 'As', 'From', 'What', 'Who', 'Whom', 'Whose'].map((word) => `/** ${word} each node. */`),
    '/**\n * What it reads,\n * and more.\n */',
    '// Who asks first.\nconst a = 1;',
    'const a = 1; // By number.',
    '/** @returns what is known */',
    '/** The reader. @throws what the source throws */',
    '/**\n * Reads.\n * @param facts what was read\n */',
  ])('are found: %j', (comment) => {
    expect(betterFor(comment)).toContain('a sentence with a subject');
  });

  it.each([
    '/** Keyed by number. */',
    '/** Bytes\n * of each node. */',
    '// Each of them\n// By number.',
    "it('of a user', () => {});",
    'const whose = from(By);',
  ])('are none of these: %j', (source) => {
    expect(betterFor(source)).toEqual([]);
  });
});

describe('words that are not plain', () => {
  it.each([
    ['It stands in for a domain.', 'replaces'],
    ['It is kept beside the graph.', 'next to" or "in addition to'],
    ['Two names look alike.', 'similar" or "in the same way'],
    ['The file is gone.', 'removed" or "missing'],
    ['The client is told so.', 'reported" or "gets'],
    ['A mark tells them of it; it tells apart the two.', 'reports" or "distinguishes'],
    ['It is no number.', 'is not a'],
    ['It is none of the words.', 'is not one of the'],
    ['Where there is none, it fails.', 'is missing" or "not found'],
    ['Where no user is to be had.', 'is available'],
    ['Many ways that come to the zone.', 'paths reach'],
    ['It says what was wrong in it.', 'its faults" or "the rest'],
    ['It counts what became of each.', 'the outcome of'],
  ])('are found in comments and texts: %s', (sentence, better) => {
    expect(betterFor(`/** ${sentence} */`)).toEqual([better]);
    expect(betterFor(`throw new Error(\`${sentence}\`);`)).toEqual([better]);
    expect(betterFor(`/**\n * Over\n * ${sentence.replaceAll(' ', '\n * ')}\n */`)).toEqual([better]);
  });

  it.each([
    '/** There is no path, it is no longer than that, and no one is no less a user. */',
    '/** Answers 410 (Gone). */',
    "const gone = new Set(['gone']); const beside = told(alike);",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the code of a template
    'const text = `${told.start} ${gone}`;',
  ])('are none of these: %s', (source) => {
    expect(betterFor(source)).toEqual([]);
  });
});

describe('words about plans', () => {
  it.each([
    ['/** Plans that are being carried out. */', 'started plan" or "started plans'],
    ['/** A plan in\n * progress. */', 'started plan" or "started plans'],
    ["throw new Error('no adopted plan');", 'started plan" or "started plans'],
    ['/** Starts when the plan was adopted. */', 'start" or "started plan'],
    ['/** Owned by the label of a team. */', 'label zone'],
  ])('have one form: %j', (source, better) => {
    expect(betterFor(source)).toContain(better);
  });

  it.each([
    '/** `clew plans adopt` starts a plan. */',
    "const row = query('select adoption from saved_plan');",
    '/** Labels of steps, and the repair is carried out. */',
    'const adopted = await client.call(AdoptPlan);',
  ])('may be so: %j', (source) => {
    expect(betterFor(source)).toEqual([]);
  });
});

test('a finding names its line', () => {
  const source = 'const a = 1;\n/**\n * Reads a file.\n *\n * It is\n * no file.\n */\n';
  expect(unplainProseIn(source)).toEqual([{ line: 5, found: 'is no', better: 'is not a' }]);
});

describe('standard terms', () => {
  const betterIn = (source: string): string[] =>
    unplainProseIn(source, STANDARD_TERMS).map(({ better }) => better);

  it.each([
    ['So that each is read once.', 'a sentence with a subject'],
    ['@returns nothing for a missing name', '`undefined` if" or "the items that'],
    ['Most bytes of a text.', 'Maximum number of'],
    ['A list of at most so many items.', 'this many" or "this long'],
    ['It has nothing but words.', 'only'],
    ['The time that is worked out.', 'compute" or "evaluate'],
    ['Nodes that come to the zone.', 'reach'],
    ['The labels that are there.', 'exists'],
    ['A list in place of a map.', 'instead of'],
    ['Digits as the standard has them.', 'as in'],
    ['Lists the parts in their order.', 'in order'],
    ['The row is not read any more.', 'no longer'],
    ['The lists are united.', 'merge'],
    ['Undefined where none is known.', 'if no'],
    ['@throws ApiError 404 when the job is missing', '@throws ... if'],
    ['Compares names without regard to case.', 'case-insensitive'],
    ['Edges that take part in a path.', 'is part of'],
    ['Reads some 3,000 files.', 'about'],
    ['The change that is under way.', 'running'],
    ['Waits for ever.', 'forever'],
    ['Rows that are put into a list.', 'add to" or "write to'],
    ['Figures that are held against others.', 'compared with'],
  ])('are asked for in comments of rewritten packages: %s', (sentence, better) => {
    expect(betterIn(`/** ${sentence} */`)).toEqual([better]);
    expect(betterIn(`/**\n * ${sentence.replaceAll(' ', '\n * ')}\n */`)).toEqual([better]);
    expect(betterIn(`throw new Error(\`${sentence}\`);`)).toEqual([]);
    expect(betterFor(`/** ${sentence} */`)).toEqual([]);
  });

  it.each([
    '/** Most nodes have any more of them, so there is a unit of work. */',
    '/** So many nodes have a quickly computed outcome, in order. */',
    '/** @returns no value */',
    '/** None of the files is read twice, a case where one node has two owners. */',
    '/** Two threads come to different results at the very end. */',
    '/** Describes what is stored, and who carries it out meanwhile. */',
  ])('leave sentences that only look like these: %s', (source) => {
    expect(betterIn(source)).toEqual([]);
  });
});
