/** How kinds look, own kinds of uploads among them, whose looks users choose. */
import type { Db } from '@clew/store';
import { FreshCache } from '../../operation/freshCache.ts';
import { type Appearance, appearanceOf } from './appearance.ts';

export type Looks = (label: string) => Appearance;

export class KindLooks {
  readonly #chosen: FreshCache<ReadonlyMap<string, Appearance>>;

  constructor(db: Db) {
    this.#chosen = new FreshCache(() => readChosen(db));
  }

  /** @returns how each kind looks now */
  async read(): Promise<Looks> {
    const chosen = await this.#chosen.get('');
    return (label) => chosen.get(label) ?? appearanceOf(label);
  }
}

async function readChosen(db: Db): Promise<ReadonlyMap<string, Appearance>> {
  const rows = await db.selectFrom('custom_node_kind').select(['kind_name', 'icon']).execute();
  return new Map(
    rows.map(({ kind_name, icon }): [string, Appearance] => {
      const { name, color } = icon as { readonly name: string; readonly color: string };
      return [kind_name, { icon: `fa-${name}`, color }];
    }),
  );
}
