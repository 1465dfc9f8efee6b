/** `clew ingest`: uploads collection files, waits for their job and reports the results. */

import { ACCEPTED_FILES, type CompletedTask, type FileUploadJob, JOB_STATUS, jobMessage } from '@clew/api';
import { counted } from '@clew/model';
import { type ConnectionOptions, connect } from '../connection.ts';
import type { Context } from '../context.ts';
import { EXIT } from '../failure.ts';
import { givenFiles } from '../givenFiles.ts';
import type { Screen } from '../terminal/screen.ts';
import { formatDuration, jsonText, printable } from '../terminal/text.ts';
import { type IngestOutcome, ingestFiles } from '../upload.ts';
import { statusName } from './status.ts';

export interface IngestOptions extends ConnectionOptions {
  readonly json?: boolean;
}

/** Maximum number of problems shown per file; the rest is counted. */
const SHOWN_PROBLEMS = 20;

/** Endings of collection files in directories. The service decides by their contents. */
const ENDINGS = ['.json', '.json.gz', '.zip'];

/** Maximum number of unused files shown per directory; the rest is counted. */
const SHOWN_UNUSED = 10;

export async function ingest(
  context: Context,
  files: readonly string[],
  options: IngestOptions,
): Promise<number> {
  const paths = await collectionPaths(context, files);
  const client = await connect(context, options);
  const outcome = await ingestFiles(client, paths, context.err, context.signal);
  if (options.json) context.out.write(jsonText(jsonReport(outcome)));
  else context.out.write(formatReport(context.out, outcome));
  return succeeded(outcome) ? 0 : EXIT.failed;
}

/** The given files, and the collection files in given directories. @throws CommandError for a directory without any */
export const collectionPaths = (
  { directory, err }: Pick<Context, 'directory' | 'err'>,
  files: readonly string[],
): Promise<string[]> =>
  givenFiles(directory, files, ENDINGS, (path, names) => {
    const shown = names.slice(0, SHOWN_UNUSED).map(printable).join(', ');
    const more = names.length > SHOWN_UNUSED ? ` and ${names.length - SHOWN_UNUSED} more` : '';
    err.write(`not uploaded from ${printable(path)}: ${shown}${more}\n`);
  });

export function succeeded({ job, tasks, rejected }: IngestOutcome): boolean {
  return (
    job.status === JOB_STATUS.complete &&
    rejected.length === 0 &&
    tasks.every((task) => task.errors.length === 0)
  );
}

/** Formats the most important part first: the job, then files with errors, then files with warnings; other files are counted. */
export function formatReport(screen: Screen, outcome: IngestOutcome): string {
  const { job, tasks, rejected, milliseconds } = outcome;
  const [good, bad] = screen.hasUnicode ? ['✓', '✗'] : ['ok  ', 'FAIL'];
  const mark = (isGood: boolean): string => (isGood ? screen.style('green', good) : screen.style('red', bad));
  const files: readonly FileReport[] = [
    ...rejected.map(({ name, reasons }) => ({ name, problems: orUnknown(reasons), warnings: [] })),
    ...tasks.map((task) => ({
      ...{ name: taskName(task), problems: problemsOf(job, task), warnings: task.warnings ?? [] },
    })),
  ];
  const faulty = files.filter(({ problems }) => problems.length > 0);
  const warned = files.filter(({ problems, warnings }) => problems.length === 0 && warnings.length > 0);
  const others = files.length - faulty.length - warned.length;
  const named = [...faulty, ...warned].flatMap(({ name, problems, warnings }) => [
    `${mark(problems.length === 0)} ${printable(name)}`,
    ...firstOf(problems, '', 'more problem'),
    ...firstOf(warnings, 'warning: ', 'more warning'),
  ]);
  const isNoneAccepted = tasks.length === 0 && rejected.length > 0;
  const first = isNoneAccepted
    ? `Nothing was ingested: the service accepted no file, ${formatDuration(milliseconds)}`
    : summary(job, faulty.length, milliseconds);
  const lines = [
    `${mark(succeeded(outcome))} ${first}`,
    ...(job.warnings ?? []).map((warning) => `${screen.style('yellow', 'Warning:')} ${printable(warning)}`),
  ];
  if (named.length > 0) {
    lines.push('', ...named);
    if (others > 0) lines.push(`${mark(true)} ${counted(others, 'other file')} without errors or warnings`);
    if (rejected.length > 0) lines.push('', ACCEPTED_FILES);
    if (faulty.length > rejected.length) lines.push('', AFTER_ERRORS);
  }
  return lines.map((line) => `${line}\n`).join('');
}

const AFTER_ERRORS = 'Collect or copy a file with errors again, and ingest it: this adds the missing data.';

interface FileReport {
  readonly name: string;
  readonly problems: readonly string[];
  readonly warnings: readonly string[];
}

/** A rejected file is reported even without a reason. */
const orUnknown = (reasons: readonly string[]): readonly string[] =>
  reasons.length > 0 ? reasons : ['the service did not accept it'];

function firstOf(texts: readonly string[], prefix: string, rest: string): string[] {
  const lines = texts.slice(0, SHOWN_PROBLEMS).map((text) => `    ${prefix}${printable(text)}`);
  const more = texts.length - SHOWN_PROBLEMS;
  return more > 0 ? [...lines, `    and ${counted(more, rest)}; --json shows all`] : lines;
}

/** Jobs with these statuses left nothing in the graph, even if files were read. */
const LEFT_NOTHING: readonly number[] = [JOB_STATUS.failed, JOB_STATUS.canceled, JOB_STATUS.timedOut];

function problemsOf({ status }: FileUploadJob, { errors }: CompletedTask): readonly string[] {
  if (errors.length > 0 || !LEFT_NOTHING.includes(status)) return errors;
  return [`not in the graph: the job ${status === JOB_STATUS.failed ? 'failed' : 'was ended'}`];
}

const taskName = ({ parent_file_name: parent, file_name: name }: CompletedTask): string =>
  parent === '' ? name : `${parent}: ${name}`;

/** @param faulty number of files with errors, failed or partly read */
function summary(job: FileUploadJob, faulty: number, milliseconds: number): string {
  const failed = job.failed_files > 0 ? `, ${job.failed_files} failed` : '';
  const more = faulty - job.failed_files;
  const partly = job.failed_files > 0 && more > 0 ? `, ${more} more with errors` : '';
  const files = `${counted(job.total_files, 'file')}${failed}${partly}`;
  const isSaid = job.status === JOB_STATUS.complete || job.failed_files > 0;
  const message = isSaid ? '' : ` (${printable(jobMessage(job))})`;
  return `Job ${job.id}: ${statusName(job.status)}${message}, ${files}, ${formatDuration(milliseconds)}`;
}

function jsonReport({ job, tasks, rejected }: IngestOutcome): object {
  return {
    job: job.id,
    status: statusName(job.status),
    total_files: job.total_files,
    failed_files: job.failed_files,
    warnings: job.warnings ?? [],
    files: [
      ...rejected.map(({ name, reasons }) => ({ file: name, archive: null, errors: reasons, warnings: [] })),
      ...tasks.map((task) => ({
        file: task.file_name,
        archive: task.parent_file_name || null,
        errors: problemsOf(job, task),
        warnings: task.warnings ?? [],
      })),
    ],
  };
}
