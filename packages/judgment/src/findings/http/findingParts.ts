/** Services that the handlers of findings and zones use. */

import type { Exports } from '@clew/common';
import type { CypherRunner } from '@clew/explore';
import type { GenerationSource } from '@clew/generation';
import type { RulesMode } from '@clew/model';
import type { Db } from '@clew/store';
import type { PlanLeaving } from './leavingOut.ts';
import type { Walks } from './walks.ts';

export interface FindingParts {
  readonly db: Db;
  readonly generations: GenerationSource;
  readonly walks: Walks;
  readonly exports: Exports;
  readonly cypher: Pick<CypherRunner, 'select' | 'check' | 'names'>;
  readonly rules: RulesMode;
  readonly leaving: PlanLeaving;
}
