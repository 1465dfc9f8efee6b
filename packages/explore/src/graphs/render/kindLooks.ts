/** Appearance of kinds, including kinds in uploads, for which users or definitions set it. */

import { FreshCache } from '@clew/common';
import type { ExtensionDirectory } from '@clew/intake';
import type { Db, StoredNodeKind } from '@clew/store';
import { type Appearance, appearanceOf } from './appearance.ts';

export type Looks = (label: string) => Appearance;

export class KindLooks {
  readonly #chosen: FreshCache<ReadonlyMap<string, Appearance>>;

  constructor(db: Db, extensions: Pick<ExtensionDirectory, 'read'>) {
    this.#chosen = new FreshCache(
      async () => new Map([...(await readChosen(db)), ...(await readDeclared(extensions))]),
    );
  }

  /** @returns the current appearance of each kind */
  async read(): Promise<Looks> {
    const chosen = await this.#chosen.get('');
    return (label) => chosen.get(label) ?? appearanceOf(label);
  }
}

async function readDeclared(
  extensions: Pick<ExtensionDirectory, 'read'>,
): Promise<readonly (readonly [string, Appearance])[]> {
  const { nodeKinds } = await extensions.read();
  return [...nodeKinds.values()]
    .filter(({ kind }) => kind.is_display_kind)
    .map(({ kind }) => [kind.name, lookOf(kind)]);
}

/** Values missing in the definition use those of an unknown kind. */
export function lookOf({ icon, color }: Pick<StoredNodeKind, 'icon' | 'color'>): Appearance {
  const unknown = appearanceOf('');
  return { icon: icon === '' ? unknown.icon : `fa-${icon}`, color: color === '' ? unknown.color : color };
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
