/** Classifies accounts that do not belong in a zone by their properties. */
import type { AnalysisContext } from '@clew/analysis';
import { encodeText, hasKind, textEndsWith } from '@clew/graph';
import { NodeKind } from '@clew/model';
import { isSynchronized } from './cloudRights.ts';

/** Administrator, Guest and krbtgt, which Windows creates. */
const BUILT_IN = ['-500', '-501', '-502'].map(encodeText);

/** Disabled, a service account, or an everyday account: a user of Entra ID that is also a user of Active Directory. */
export type Misplaced = 'disabled' | 'service' | 'everyday';

/** The reason why an account does not belong in a zone. @returns undefined if it may belong there, and for built-in accounts */
export function misplacedAs({ graph, properties }: AnalysisContext, account: number): Misplaced | undefined {
  if (BUILT_IN.some((end) => textEndsWith(graph.objectIds, account, end))) return undefined;
  if (properties.flag('enabled', account) === false) return 'disabled';
  const isService = (['hasspn', 'gmsa', 'msa'] as const).some(
    (key) => properties.flag(key, account) === true,
  );
  if (isService) return 'service';
  return hasKind(graph, account, NodeKind.AZUser) && isSynchronized(graph, account) ? 'everyday' : undefined;
}
