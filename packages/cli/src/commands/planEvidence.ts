/** `clew plans evidence`: adds transcripts and backups of change kits to a started plan, and compares them with collections. */

import type { PlanEvidence } from '@clew/api';
import { counted } from '@clew/model';
import { type ConnectionOptions, connect } from '../connection.ts';
import type { Context } from '../context.ts';
import { CommandError } from '../failure.ts';
import { printable, writeJson } from '../terminal/text.ts';
import { uploadAttachment } from '../uploadAttachment.ts';
import { known } from './savedPlans.ts';

export interface PlanEvidenceOptions extends ConnectionOptions {
  readonly json?: boolean;
}

/** Files before one that is refused stay added. */
export async function addPlanEvidence(
  context: Context,
  plan: number,
  files: readonly string[],
  options: PlanEvidenceOptions,
): Promise<void> {
  const { out, signal } = context;
  const client = await connect(context, options);
  const added: PlanEvidence[] = [];
  for (const file of files) {
    const attachment = await uploadAttachment(context, client, file);
    const params = { plan_id: plan };
    try {
      const asked = client.call('AddPlanEvidence', { params, body: { attachment } }, { signal });
      added.push((await known(`started plan ${plan}`, asked)).data);
    } catch (error) {
      await client.call('DeleteAttachment', { params: { attachment_id: attachment } }).catch(() => {});
      const more = added.length === 0 ? '' : ` (${counted(added.length, 'file')} before it added)`;
      throw new CommandError(`${printable(file)}: ${printable((error as Error).message)}${more}`);
    }
  }
  if (options.json) return writeJson(out, added);
  for (const { id, kind, claims } of added) {
    out.write(`Evidence ${id}, a ${kind}:\n`);
    for (const { change, verdict, text } of claims)
      out.write(`  change ${change}, ${verdict}: ${printable(text)}\n`);
  }
}
