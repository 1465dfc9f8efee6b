/** `clew serve`: runs the service until it is stopped. */
import type { RunningService } from '@clew/service';
import type { Context } from '../context.ts';
import { startConfigured } from '../hostService.ts';
import { printable } from '../terminal/text.ts';

export async function serve(context: Context): Promise<void> {
  const { signal } = context;
  const service = await startConfigured(context, context.env);
  try {
    context.out.write(greeting(service));
    await untilAborted(signal);
  } finally {
    await service.stop(signal.aborted ? (signal.reason as Error).message : undefined);
  }
}

/** The address, and the generated password of the first administrator until the first sign-in. */
function greeting({ url, firstAdministrator }: RunningService): string {
  const lines = [`Clew is ready at ${url}`];
  if (firstAdministrator?.generatedPassword !== undefined) {
    lines.push(
      '',
      'The first administrator. The password is shown until it is used for the first time:',
      `  name      ${printable(firstAdministrator.name)}`,
      `  password  ${firstAdministrator.generatedPassword}`,
      '',
    );
  }
  return lines.map((line) => `${line}\n`).join('');
}

export function untilAborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}
