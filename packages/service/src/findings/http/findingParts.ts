/** What the handlers of findings and zones stand on. */
import type { GenerationSource } from '@clew/generation';
import type { Db } from '@clew/store';
import type { CypherRunner } from '../../cypher/cypherRunner.ts';
import type { Exports } from '../../operation/exports.ts';
import type { Walks } from './walks.ts';

export interface FindingParts {
  readonly db: Db;
  readonly generations: GenerationSource;
  readonly walks: Walks;
  readonly exports: Exports;
  readonly cypher: Pick<CypherRunner, 'select'>;
}
