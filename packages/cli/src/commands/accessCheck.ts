/** `clew access check`: asks everything that a user may read, as this user, and reports objects that the user may not see. */

import type { User } from '@clew/api';
import type { ClewClient } from '@clew/client';
import { counted } from '@clew/model';
import { accessRequests } from '../access/accessRequests.ts';
import { accessValues } from '../access/accessValues.ts';
import { type AccessReport, checkAccess, type Leak } from '../access/checkAccess.ts';
import { chosenUser } from '../chosenUser.ts';
import { type ConnectionOptions, connect } from '../connection.ts';
import type { Context } from '../context.ts';
import { EXIT } from '../failure.ts';
import { formatTable } from '../terminal/table.ts';
import { formatCount, jsonText, printable } from '../terminal/text.ts';

export interface AccessCheckOptions extends ConnectionOptions {
  readonly json?: boolean;
  readonly minutes: number;
}

/** Time for the end of the check, before the view ends by itself. */
const SPARE_MINUTES = 5;
export const MAX_CHECK_MINUTES = 55;
export const DEFAULT_CHECK_MINUTES = 10;
const SHOWN_LEAKS = 20;
/** Requests between two lines of progress. */
const STEP = 250;

/** @returns the exit code: 0 only if everything was asked and nothing hidden was shown */
export async function accessCheck(
  context: Context,
  name: string,
  options: AccessCheckOptions,
): Promise<number> {
  const { out, err, signal } = context;
  const until = Date.now() + options.minutes * 60_000;
  const admin = await connect(context, options);
  const found = await chosenUser(admin, name, signal);
  const { environments, report } = await checked(context, { admin, found, options, until });
  const isClean = report.leaks.length === 0 && report.failed.length === 0 && report.not_asked === 0;
  if (options.json) {
    out.write(jsonText({ user_id: found.id, user_name: found.principal_name, ...environments, ...report }));
    return isClean ? 0 : EXIT.failed;
  }
  describe(context, found, environments, report);
  if (report.not_asked > 0)
    err.write(`There was no time for ${counted(report.not_asked, 'request')}: --minutes gives more.\n`);
  return isClean ? 0 : EXIT.failed;
}

interface Environments {
  readonly seen_environments: readonly string[];
  readonly hidden_environments: readonly string[];
}

interface Checked {
  readonly admin: ClewClient;
  readonly found: User;
  readonly options: AccessCheckOptions;
  readonly until: number;
}

async function checked(
  context: Context,
  { admin, found, options, until }: Checked,
): Promise<{ readonly environments: Environments; readonly report: AccessReport }> {
  const { err, signal } = context;
  const environments = await environmentsOf(admin, found, signal);
  const { seen_environments: seen, hidden_environments: hidden } = environments;
  const values = await accessValues(admin, { id: found.id, seen, hidden }, signal);
  const permissions = new Set(
    found.roles.flatMap((role) => role.permissions.map(({ authority, name }) => `${authority}/${name}`)),
  );
  const requests = accessRequests(permissions, values);
  const user = await connect(context, options);
  const end = await user.viewAs(found.id, { signal, minutes: options.minutes + SPARE_MINUTES });
  try {
    const report = await checkAccess({
      ...{ user, admin, requests, until, signal },
      // Without limits, every object is seen, also of an environment that is not known.
      isSeen: found.all_environments ? () => true : (id) => id !== null && seen.includes(id),
      onProgress: (asked) => {
        if (asked % STEP === 0) err.write(`${asked} of ${counted(requests.length, 'request')} asked\n`);
      },
    });
    return { environments, report };
  } finally {
    await end().catch(() => undefined);
  }
}

async function environmentsOf(admin: ClewClient, user: User, signal: AbortSignal): Promise<Environments> {
  const { data } = await admin.call('GetAvailableDomains', {}, { signal });
  const all = data.map(({ id }) => id);
  if (user.all_environments) return { seen_environments: all, hidden_environments: [] };
  const own = user.environment_targeted_access_control.environments.map(
    ({ environment_id }) => environment_id,
  );
  return { seen_environments: own, hidden_environments: all.filter((id) => !own.includes(id)) };
}

function describe(
  { out, err }: Context,
  user: User,
  { hidden_environments: hidden }: Environments,
  { operations, requests, texts, leaks, failed, cut }: AccessReport,
): void {
  const name = printable(user.principal_name);
  err.write(
    `${counted(requests, 'request')} to ${counted(operations, 'operation')} were asked as ${name}; ${formatCount(texts)} texts of the answers were looked up.\n`,
  );
  if (user.all_environments) err.write(`${name} may see all environments, so nothing is hidden.\n`);
  else err.write(`${counted(hidden.length, 'environment')} and their objects are hidden from ${name}.\n`);
  if (cut > 0) err.write(`Of ${counted(cut, 'large answer')}, only the first 8 MiB were read.\n`);
  for (const { request, reason } of failed.slice(0, SHOWN_LEAKS))
    err.write(`no answer: ${printable(request)}: ${printable(reason)}\n`);
  if (failed.length > SHOWN_LEAKS) err.write(`and ${failed.length - SHOWN_LEAKS} more without an answer\n`);
  if (leaks.length === 0) {
    out.write('No answer names a hidden object.\n');
    return;
  }
  out.write(`${counted(leaks.length, 'hidden object is', 'hidden objects are')} named in answers:\n`);
  out.write(formatTable(out, COLUMNS, leaks.slice(0, SHOWN_LEAKS).map(rowOf)));
  if (leaks.length > SHOWN_LEAKS) out.write(`and ${leaks.length - SHOWN_LEAKS} more; --json lists all\n`);
}

const COLUMNS = [
  { title: 'TEXT' },
  { title: 'ENVIRONMENT' },
  { title: 'REQUEST' },
  { title: 'MORE', align: 'right' },
] as const;

const rowOf = ({ text, environment_id, request, more }: Leak) => [
  text,
  environment_id ?? 'unknown',
  request,
  more,
];
