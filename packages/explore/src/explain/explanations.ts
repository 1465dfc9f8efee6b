/**
 * Data to explain an edge besides the graph of a generation: the node properties that rules read. They are loaded at the first request for
 * a generation and kept with it.
 */

import { type AnalysisContext, featuresIn, requiredProperties } from '@clew/analysis';
import type { Generation } from '@clew/generation';
import type { RulesMode } from '@clew/model';
import type { Db } from '@clew/store';
import type pg from 'pg';
import { updatedAuthorities } from '../requests/authorityAnswers.ts';
import { enabledFeatures } from '../requests/features.ts';
import { loadFacts } from './analysisFacts.ts';

export class Explanations {
  readonly #database: { readonly db: Db; readonly pool: pg.Pool };
  readonly #rules: RulesMode;
  /** One generation at a time: an older one is only used while a request is running. */
  #current: { readonly generation: number; readonly context: Promise<AnalysisContext> } | undefined;

  constructor(database: { readonly db: Db; readonly pool: pg.Pool }, rules: RulesMode) {
    this.#database = database;
    this.#rules = rules;
  }

  of(generation: Generation): Promise<AnalysisContext> {
    if (this.#current?.generation !== generation.id) {
      const context = this.#load(generation);
      this.#current = { generation: generation.id, context };
      context.catch(() => {
        if (this.#current?.context === context) this.#current = undefined;
      });
    }
    return this.#current.context;
  }

  async #load({ graph }: Generation): Promise<AnalysisContext> {
    const { db, pool } = this.#database;
    const features = featuresIn(this.#rules, await enabledFeatures(db));
    const updated = await updatedAuthorities(db);
    const client = await pool.connect();
    try {
      return await loadFacts(client, graph, {
        nodeProperties: requiredProperties(),
        options: { rules: this.#rules, features, ...(updated && { updatedAuthorities: updated }) },
      });
    } finally {
      client.release();
    }
  }
}
