/**
 * Icons of node kinds in a list of their own, as files of published extensions have them.
 *
 * Rule: `docs/extensions.md#bundles`.
 */
import type { StoredNodeKind } from '@clew/store';
import { shown } from './faults.ts';
import icons from './iconNames.json' with { type: 'json' };
import type { Members } from './members.ts';

/** Names of earlier releases of Font Awesome among them, as published definitions have them. */
const NAMES: ReadonlySet<string> = new Set(icons.names.split(' '));

export const ICON = {
  pattern: { test: (name: string): boolean => NAMES.has(name) },
  means: 'the name of a free solid Font Awesome icon, without fa-',
  max: 64,
};
export const COLOR = { pattern: /^#([0-9A-Fa-f]{3}|[0-9A-Fa-f]{6})$/, means: '#RGB or #RRGGBB' };

/** @returns the kinds with the looks that `icons` give them, each kind once */
export function withIcons(root: Members, kinds: readonly StoredNodeKind[], max: number): StoredNodeKind[] {
  const looks = new Map<string, Pick<StoredNodeKind, 'icon' | 'color'>>();
  for (const entry of root.objects('icons', max)) {
    const kind = entry.text('kind', { required: true });
    const [icon, color] = [entry.text('name', { required: true, ...ICON }), entry.text('color', COLOR)];
    if (kind === '') continue;
    const declared = kinds.find(({ name }) => name === kind);
    const fault = (message: string): void => entry.fault('kind', `${message}: ${shown(kind)}`);
    if (declared === undefined) fault('is not a node kind of this definition');
    else if (looks.has(kind)) fault('has two icons');
    else if (declared.icon !== '' && icon !== '' && declared.icon !== icon)
      fault(`has the icon ${shown(declared.icon)} in the definition`);
    looks.set(kind, { icon, color });
  }
  return kinds.map((kind) => {
    const look = looks.get(kind.name);
    if (look === undefined) return kind;
    return { ...kind, is_display_kind: true, icon: look.icon, color: look.color || kind.color };
  });
}
