/**
 * `clew collect-entra`: reads an Entra ID tenant from Microsoft Graph, uploads it, and shows the first card of the plan. An application
 * signs in with a certificate or a secret; a user, to try it, with a code.
 */
import { collectTenant, type GraphCredentials } from '@clew/collect';
import { readCertificate } from '../collector/collectCredentials.ts';
import { takenByService } from '../collector/collectSource.ts';
import { durationOf } from '../collector/durationOf.ts';
import { readTenantState, writeTenantState } from '../collector/tenantStateFile.ts';
import { serviceUrl } from '../connection.ts';
import type { Context } from '../context.ts';
import { CommandError, EXIT } from '../failure.ts';
import { secretFile } from '../secretFile.ts';
import { Progress } from '../terminal/progress.ts';
import { printable } from '../terminal/text.ts';
import { VERSION } from '../version.ts';
import { type RunOptions, runCollector } from './collectRun.ts';

export interface CollectEntraOptions extends RunOptions {
  readonly tenant: string;
  readonly clientId: string;
  readonly secretFile?: string;
  readonly certificate?: string;
  readonly key?: string;
  readonly deviceCode?: boolean;
  /** False for `--no-resources`. */
  readonly resources?: boolean;
  /** File with the state between runs: with it, a run reads only changes. */
  readonly state?: string;
  /** Age of the last full run after which everything is read again; 0 for never. */
  readonly full?: string;
}

export async function collectEntra(context: Context, options: CollectEntraOptions): Promise<number> {
  const { tenant, clientId, state: path } = options;
  if (options.full !== undefined && path === undefined)
    throw new CommandError('--full needs --state', EXIT.usage);
  if (path !== undefined && options.out !== undefined)
    throw new CommandError(
      '--state and --out cannot be combined: files of a later run would replace changes that were not uploaded yet',
      EXIT.usage,
    );
  const fullMs = durationOf('full', options.full ?? '7d');
  const service = path === undefined ? '' : await serviceUrl(context.env, options);
  const earlier = path === undefined ? undefined : await readTenantState(context, path, { service, fullMs });
  const credentials = await readGraphCredentials(context, options);
  const progress = new Progress(context.err);
  return runCollector(context, options, async (directory) => {
    const result = await collectTenant({
      account: { tenant, clientId, credentials, signal: context.signal },
      ...{ directory, collector: `clew ${VERSION}`, readsResources: options.resources !== false },
      ...{ ...earlier, keepsState: path !== undefined },
      onProgress: (part) => progress.show({ label: `Reading: ${part}` }),
    }).finally(() => progress.clear());
    const subject = `the tenant ${result.tenantName} (${result.tenantId})`;
    const reading = {
      ...takenByService({
        ...{ name: result.tenantName, controller: 'Microsoft Graph' },
        ...{ account: `application ${clientId}`, notes: result.notes },
      }),
      ...{ usn: null, is_full: result.isFull },
    };
    return {
      parts: [
        {
          ...{ ...result, reading: [result.tenantId, reading] },
          subject: result.isFull ? subject : `changes of ${subject}`,
        },
      ],
      files: result.files,
      ...(path !== undefined && {
        onKept: () => writeTenantState(context, path, { service }, result.state),
      }),
    };
  });
}

async function readGraphCredentials(
  context: Context,
  options: CollectEntraOptions,
): Promise<GraphCredentials> {
  const { certificate, key, deviceCode } = options;
  if ([options.secretFile, certificate, deviceCode].filter((one) => one !== undefined).length > 1)
    throw new CommandError('--secret-file, --certificate and --device-code cannot be combined', EXIT.usage);
  if ((certificate === undefined) !== (key === undefined))
    throw new CommandError('--certificate and --key must be used together', EXIT.usage);
  if (deviceCode)
    return { kind: 'deviceCode', onCode: (message) => context.err.write(`${printable(message)}\n`) };
  if (certificate !== undefined && key !== undefined) return readCertificate(context, certificate, key);
  const path = options.secretFile ?? context.env.CLEW_COLLECT_SECRET_FILE;
  const secret =
    path === undefined || path === ''
      ? await context.askSecret(`Secret of the application ${options.clientId}: `)
      : (await secretFile(context, path)).toString('utf8').replace(/\r?\n$/, '');
  if (secret === '') throw new CommandError('the secret of the application is empty');
  return { kind: 'secret', secret };
}
