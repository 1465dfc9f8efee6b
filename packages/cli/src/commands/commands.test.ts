import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { CompletedTask, FileUploadJob, SearchResult, SimulationRecord } from '@clew/api';
import type { ClewClient } from '@clew/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testScreen } from '../../test/testScreen.ts';
import { userDirectory } from '../context.ts';
import type { IngestOutcome } from '../upload.ts';
import { collectionPaths, formatReport, succeeded } from './ingest.ts';
import { resolveObject } from './path.ts';
import { simulationText } from './plan.ts';
import { formatCounts } from './status.ts';

describe('relative paths', () => {
  const repository = resolve(import.meta.dirname, '../../../..');

  it('start in the directory of the user, even if npm changes to the root of the repository', () => {
    expect(userDirectory({ INIT_CWD: '/home/ada' }, repository)).toBe('/home/ada');
    expect(userDirectory({ INIT_CWD: '/home/ada' }, '/elsewhere')).toBe('/elsewhere');
    expect(userDirectory({}, repository)).toBe(repository);
  });
});

describe('the files to ingest', () => {
  let directory: string;
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'clew-ingest-'));
    await mkdir(join(directory, 'run', 'nested'), { recursive: true });
    await mkdir(join(directory, 'empty'));
    for (const name of ['b_users.json', 'a.ZIP', 'notes.txt', 'c_groups.json.gz', 'd.gz', '.hidden'])
      await writeFile(join(directory, 'run', name), '');
  });
  afterAll(() => rm(directory, { recursive: true }));

  it('are the given files, and the collection files in directories', async () => {
    const { screen, text } = testScreen();
    const found = await collectionPaths({ directory, err: screen }, ['run', 'run/notes.txt', './run/a.ZIP']);
    expect(found).toEqual(
      ['run/a.ZIP', 'run/b_users.json', 'run/c_groups.json.gz', 'run/notes.txt'].map((name) =>
        join(directory, name),
      ),
    );
    expect(text()).toBe(`not uploaded from ${join(directory, 'run')}: d.gz, nested, notes.txt\n`);
  });

  it('must exist, and a directory must contain some', async () => {
    const user = { directory, err: testScreen().screen };
    await expect(collectionPaths(user, ['missing.zip'])).rejects.toMatchObject({ code: 'ENOENT' });
    await expect(collectionPaths(user, ['empty'])).rejects.toThrow(
      'contains no .json, .json.gz, or .zip file',
    );
  });
});

describe('the report of an ingest', () => {
  const job = (over: Partial<FileUploadJob>) =>
    ({
      id: 7,
      status: 2,
      status_message: 'Complete',
      total_files: 2,
      failed_files: 0,
      ...over,
    }) as FileUploadJob;
  const task = (file: string, parent: string, ...errors: string[]) =>
    ({ file_name: file, parent_file_name: parent, errors }) as CompletedTask;
  const outcome = (over: Partial<IngestOutcome>): IngestOutcome => ({
    ...{ job: job({}), tasks: [], rejected: [], milliseconds: 1234 },
    ...over,
  });

  it('has the outcome of the job first, then the errors of each file', () => {
    const broken = outcome({
      job: job({ status: 8, status_message: '1 File(s) failed to ingest as JSON Content', failed_files: 1 }),
      tasks: [
        task('users.json', 'all.zip'),
        task('groups\u001b.json', 'all.zip', 'ends in the middle\nof it'),
      ],
      rejected: [{ name: 'x.json', reasons: ['no valid meta tag found'] }],
    });
    expect(formatReport(testScreen().screen, broken)).toBe(
      [
        '✗ Job 7: partially complete, 2 files, 1 failed, 1 more with errors, 1.2 s',
        '',
        '✗ x.json',
        '    no valid meta tag found',
        '✗ all.zip: groups\u{fffd}.json',
        '    ends in the middle\u{fffd}of it',
        '✓ 1 other file without errors or warnings',
        '',
        'Clew reads collections of SharpHound and AzureHound, and OpenGraph files. Collect or copy a damaged file again.',
        '',
        'Collect or copy a file with errors again, and ingest it: this adds the missing data.',
        '',
      ].join('\n'),
    );
    expect(succeeded(broken)).toBe(false);
  });

  it('reports that nothing was ingested if no file was accepted', () => {
    const refused = outcome({
      job: job({ status: 5, status_message: 'No file was accepted: x.txt: it is a letter' }),
      rejected: [{ name: 'x.txt', reasons: ['it is a letter'] }],
    });
    expect(formatReport(testScreen().screen, refused)).toMatch(
      /^✗ Nothing was ingested: the service accepted no file, 1\.2 s\n\n✗ x\.txt\n {4}it is a letter\n\nClew reads [^\n]+\n$/,
    );
  });

  it('has the message of the job if its counts do not explain it', () => {
    const message = (status_message: string) =>
      formatReport(testScreen().screen, outcome({ job: job({ status: 8, status_message }) })).split('\n')[0];
    expect(message('1 File(s) partially failed to ingest as JSON Content')).toContain(
      '(1 file was read in part)',
    );
    expect(message('12 File(s) partially failed to ingest as JSON Content')).toContain(
      '(12 files were read in part)',
    );
    expect(message('Analysis failed')).toContain('(Analysis failed)');
  });

  it('is one line without errors, whatever the number of files', () => {
    const tasks = Array.from({ length: 31 }, (_, n) => task(`${n}.json`, 'all.zip'));
    const report = formatReport(testScreen().screen, outcome({ job: job({ total_files: 31 }), tasks }));
    expect(report).toBe('✓ Job 7: complete, 31 files, 1.2 s\n');
  });

  it('names each file with errors among many good ones, before those with warnings', () => {
    const tasks = Array.from({ length: 200 }, (_, n) => ({
      ...task(`${n}.json`, '', ...(n % 10 === 3 ? ['broken'] : [])),
      warnings: n === 0 ? ['odd'] : [],
    }));
    const lines = formatReport(testScreen().screen, outcome({ tasks })).trimEnd().split('\n');
    const named = lines.filter((line) => line.endsWith('.json'));
    expect(named).toEqual([...Array.from({ length: 20 }, (_, n) => `✗ ${n * 10 + 3}.json`), '✓ 0.json']);
    expect(lines.at(-3)).toBe('✓ 179 other files without errors or warnings');
  });

  it('names a file that was refused without a reason', () => {
    const report = formatReport(
      testScreen().screen,
      outcome({ rejected: [{ name: 'x.json', reasons: [] }] }),
    );
    expect(report).toContain('✗ x.json\n    the service did not accept it\n');
  });

  it.each([3, 4, 5])('marks no file of a job of status %i as read', (status) => {
    const report = formatReport(
      testScreen().screen,
      outcome({
        job: job({ status, status_message: 'over' }),
        tasks: [task('a.json', ''), task('b.json', '', 'no')],
      }),
    );
    expect(report).not.toContain('✓');
    expect(report).toContain('✗ a.json\n    not in the graph: the job ');
    expect(report).toContain('✗ b.json\n    no\n');
  });

  it('has warnings under a successful file, and counts those after the twentieth', () => {
    const warnings = Array.from({ length: 22 }, (_, n) => `reason ${n}`);
    const lines = formatReport(
      testScreen().screen,
      outcome({ tasks: [{ ...task('a.json', ''), warnings }] }),
    ).split('\n');
    expect(lines.slice(2, 4)).toEqual(['✓ a.json', '    warning: reason 0']);
    expect(lines).toContain('    and 2 more warnings; --json shows all');
    expect(succeeded(outcome({ tasks: [{ ...task('a.json', ''), warnings }] }))).toBe(true);
  });

  it('counts problems after the twentieth', () => {
    const many = outcome({
      tasks: [task('a.json', '', ...Array.from({ length: 120 }, (_, n) => `problem ${n}`))],
    });
    const lines = formatReport(testScreen().screen, many).split('\n');
    expect(lines).toContain('    and 100 more problems; --json shows all');
    expect(lines).toHaveLength(27);
  });

  it('succeeds only without any problem', () => {
    expect(succeeded(outcome({ tasks: [task('a.json', '')] }))).toBe(true);
    expect(succeeded(outcome({ tasks: [task('a.json', '', 'one record')] }))).toBe(false);
    expect(succeeded(outcome({ job: job({ status: 5 }) }))).toBe(false);
    expect(succeeded(outcome({ rejected: [{ name: 'b', reasons: [] }] }))).toBe(false);
  });
});

it('counts by kind are sorted by size, then by name, without zeros', () => {
  const counts = formatCounts(testScreen().screen, 'NODES', { User: 10, Group: 1200, OU: 10, GPO: 0 });
  expect(counts).toBe(['', 'NODES  COUNT', 'Group  1,200', 'OU        10', 'User      10', ''].join('\n'));
});

describe('an object named on the command line', () => {
  const hit = (objectid: string, name: string): SearchResult => ({
    ...{ objectid, name, type: 'User', distinguishedname: '', system_tags: '' },
  });
  const clientOf = (...hits: SearchResult[]) => ({ search: async () => hits }) as unknown as ClewClient;
  const named = (text: string, ...hits: SearchResult[]) => resolveObject(clientOf(...hits), text);

  it('is the one with that id, even if others have this name', async () => {
    const hits = [hit('S-1', 'S-2'), hit('S-2', 'ADA@CORP')];
    expect((await named(' s-2 ', ...hits)).objectid).toBe('S-2');
  });

  it('is the one with exactly that name, else the only similar one', async () => {
    expect((await named('ada@corp', hit('S-1', 'ADA@CORP'), hit('S-2', 'ADA@CORP2'))).objectid).toBe('S-1');
    expect((await named('ada', hit('S-1', 'ADA@CORP'))).objectid).toBe('S-1');
  });

  it('must be unambiguous', async () => {
    await expect(named('x')).rejects.toThrow('no object is named x');
    await expect(named(' ')).rejects.toThrow('needs a name or an id');
    await expect(named('ada', hit('S-1', 'ADA@A'), hit('S-2', 'ADA@B'))).rejects.toThrow(
      'ada is ambiguous: ADA@A (User, S-1), ADA@B (User, S-2)',
    );
    await expect(named('ada@a', hit('S-1', 'ADA@A'), hit('S-2', 'ADA@A'))).rejects.toThrow('is ambiguous');
    const seven = Array.from({ length: 6 }, (_, n) => hit(`S-${n}`, `ADA${n}`));
    await expect(named('ada', ...seven)).rejects.toThrow(/S-4\), and more$/);
  });
});

describe('the effect of changes', () => {
  const exposure = (environment_name: string, exposed_count: number) => ({
    ...{ environment_id: environment_name, environment_name, asset_group_tag_id: 1, zone_name: 'Tier Zero' },
    ...{ exposed_count, principal_count: 10, exposure: exposed_count / 10 },
  });
  const titled = (title: string) => ({ title }) as SimulationRecord['closed'][number];
  const effect = (more: Partial<SimulationRecord> = {}): string =>
    simulationText(
      {
        before: [
          exposure('A', 5),
          exposure('B', 8),
          exposure('C', 0),
          { ...exposure('A', 9), asset_group_tag_id: 7 },
        ],
        after: [exposure('A', 2), exposure('B', 0), exposure('C', 0)],
        ...{ closed_count: 3, opened_count: 0, closed: [titled('One'), titled('Two'), titled('One')] },
        ...{ remaining_path: null, not_shown: [], not_computed: [] },
        ...more,
      } as unknown as SimulationRecord,
      (kind) => `has ${kind} over`,
      { width: Number.POSITIVE_INFINITY },
      {},
    );

  it('is the exposure of the zone in the shown environments and in each, with its base, and the closed findings', () => {
    expect(effect()).toBe(
      [
        'Exposure of 3 environments: 43.3% -> 6.7% of 30 users and computers',
        '  A: 50.0% -> 20.0% of 10 users and computers',
        '  B: 80.0% -> 0% of 10 users and computers',
        '  1 other environment: 0%',
        '\n3 findings would close: One; Two\nNo path into the zone would remain.\n',
      ].join('\n'),
    );
    // A change can also expose an environment.
    expect(effect({ after: [exposure('A', 2), exposure('B', 0), exposure('C', 1)] })).toContain(
      '\n  C: 0% -> 10.0% of 10 users and computers\n',
    );
    expect(effect({ before: [exposure('A', 5)] })).toMatch(
      /^Exposure of A: 50.0% -> 20.0% of 10 users and computers\n\n/,
    );
    expect(effect({ closed: [], closed_count: 0 })).toContain('\n0 findings would close\n');
  });

  it('has new findings, a remaining path, and hidden or uncomputed parts', () => {
    const remaining_path = {
      nodes: [{ name: 'EVE' }, { name: 'ADMINS' }],
      relations: ['AddMember'],
    } as unknown as SimulationRecord['remaining_path'];
    expect(effect({ opened_count: 1, remaining_path, not_computed: ['A pattern took too long.'] })).toMatch(
      /\n1 finding would open\nRemaining paths include: EVE -has AddMember over-> ADMINS\nA pattern took too long\.\n$/,
    );
    const not_shown = [{ environment_id: 'D', environment_name: 'D', reason: 'is not visible as a whole' }];
    const limited = effect({ not_shown } as Partial<SimulationRecord>);
    expect(limited).toContain('D  is not visible as a whole\n');
    expect(limited).toContain('No path through objects that you can see would remain.');
  });
});
