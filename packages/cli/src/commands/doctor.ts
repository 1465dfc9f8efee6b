/** `clew doctor`: working but unsafe or slow settings of the service, its machine and its database. */
import type { Context } from '../context.ts';
import { EXIT } from '../failure.ts';
import { jsonText, printable } from '../terminal/text.ts';
import { withMachineFaults } from './machineFaults.ts';

/** @returns 1 if there is advice, for scripts */
export async function doctor(context: Context, { json }: { readonly json?: boolean }): Promise<number> {
  const service = await import('@clew/service');
  const advice = await withMachineFaults(() =>
    service.diagnose(service.readConfig(context.env), service.createLogger('error')),
  );
  if (json) context.out.write(jsonText(advice));
  else if (advice.length === 0) context.out.write('No recommendations.\n');
  else for (const { text } of advice) context.out.write(`${printable(text)}\n`);
  return advice.length === 0 ? 0 : EXIT.failed;
}
