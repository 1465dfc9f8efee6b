/** Accounts that do not belong into a zone, by what is known of them. */
import type { AnalysisContext } from '@clew/analysis';
import { encodeText, hasKind, textEndsWith } from '@clew/graph';
import { NodeKind } from '@clew/model';
import { isSynchronized } from './cloudRights.ts';

/** Administrator, Guest and krbtgt: Windows made them what they are. */
const BUILT_IN = ['-500', '-501', '-502'].map(encodeText);

/** Disabled, the account of a service, or the everyday account of a person: a user of Entra ID that is also one of Active Directory. */
export type Misplaced = 'disabled' | 'service' | 'everyday';

/** Why an account does not belong into a zone. @returns nothing for one that may, and for built-in ones */
export function misplacedAs({ graph, properties }: AnalysisContext, account: number): Misplaced | undefined {
  if (BUILT_IN.some((end) => textEndsWith(graph.objectIds, account, end))) return undefined;
  if (properties.flag('enabled', account) === false) return 'disabled';
  const isService = (['hasspn', 'gmsa', 'msa'] as const).some(
    (key) => properties.flag(key, account) === true,
  );
  if (isService) return 'service';
  return hasKind(graph, account, NodeKind.AZUser) && isSynchronized(graph, account) ? 'everyday' : undefined;
}
