/** How kinds look, own kinds of uploads among them, whose looks users choose. */
import type { Db } from '@clew/store';
import { type Appearance, appearanceOf } from './appearance.ts';

/** A choice is seen by every process within this time. */
const FRESH_MS = 2_000;

export type Looks = (label: string) => Appearance;

export class KindLooks {
  readonly #db: Db;
  #chosen: Promise<ReadonlyMap<string, Appearance>> | undefined;
  #readAt = 0;

  constructor(db: Db) {
    this.#db = db;
  }

  /** @returns how each kind looks now */
  async read(): Promise<Looks> {
    if (this.#chosen === undefined || Date.now() - this.#readAt > FRESH_MS) {
      this.#readAt = Date.now();
      this.#chosen = this.#read();
    }
    const chosen = await this.#chosen.catch((error) => {
      this.#chosen = undefined;
      throw error;
    });
    return (label) => chosen.get(label) ?? appearanceOf(label);
  }

  async #read(): Promise<ReadonlyMap<string, Appearance>> {
    const rows = await this.#db.selectFrom('custom_node_kind').select(['kind_name', 'icon']).execute();
    return new Map(
      rows.map(({ kind_name, icon }): [string, Appearance] => {
        const { name, color } = icon as { readonly name: string; readonly color: string };
        return [kind_name, { icon: `fa-${name}`, color }];
      }),
    );
  }
}
