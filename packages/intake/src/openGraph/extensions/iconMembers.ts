/**
 * Icons and colors of node kinds, at the kinds and in a separate list, as in published extensions. Appearance
 * never invalidates a definition: unsupported icons and colors are replaced by the default.
 *
 * Rules: `docs/extensions.md#accepted-variants`, `docs/extensions.md#bundles`.
 */
import type { StoredNodeKind } from '@clew/store';
import { shown } from './faults.ts';
import icons from './iconNames.json' with { type: 'json' };
import type { Members } from './members.ts';
import { notKnown } from './notKnown.ts';

/** Includes names of earlier Font Awesome releases, which published definitions use. */
const NAMES: ReadonlySet<string> = new Set(icons.names.split(' '));

/** Published definitions also use CSS classes, such as `fa-solid fa-user`. */
const PREFIX = /^(?:fa(?:s|-solid)?\s+)?fa-/;
const COLOR = /^(?:#|0x)?([0-9a-f]{3}|[0-9a-f]{6})(?:[0-9a-f]{2})?$/i;
const MAX_LOOK = 128;

/** @returns the icon name; an empty text for the default icon */
function iconOf(members: Members, name: string, required = false): string {
  const text = members.text(name, { required, max: MAX_LOOK });
  if (text === '' || NAMES.has(text)) return text;
  const plain = text.trim().toLowerCase().replace(PREFIX, '');
  if (NAMES.has(plain)) {
    members.warn(name, `is interpreted as ${shown(plain)}: ${shown(text)}`);
    return plain;
  }
  members.warn(
    name,
    `is not the name of a free solid Font Awesome icon; the default is used: ${shown(text)}`,
  );
  return '';
}

/** @returns `#RGB` or `#RRGGBB`; an empty text for the default color */
function colorOf(members: Members): string {
  const text = members.text('color', { max: MAX_LOOK });
  if (text === '' || /^#([0-9A-Fa-f]{3}|[0-9A-Fa-f]{6})$/.test(text)) return text;
  const [, digits] = COLOR.exec(text.trim()) ?? [];
  if (digits === undefined)
    members.warn('color', `is not #RGB or #RRGGBB; the default is used: ${shown(text)}`);
  else members.warn('color', `is interpreted as ${shown(`#${digits}`)}: ${shown(text)}`);
  return digits === undefined ? '' : `#${digits}`;
}

/** @returns the appearance that the kind itself declares */
export const lookOf = (kind: Members): Pick<StoredNodeKind, 'icon' | 'color'> => ({
  icon: iconOf(kind, 'icon'),
  color: colorOf(kind),
});

/** @returns the kinds with the appearance from `icons`, each kind once */
export function withIcons(root: Members, kinds: readonly StoredNodeKind[], max: number): StoredNodeKind[] {
  const looks = new Map<string, Pick<StoredNodeKind, 'icon' | 'color'>>();
  for (const entry of root.objects('icons', max)) {
    const kind = entry.text('kind', { required: true });
    const [icon, color] = [iconOf(entry, 'name', true), colorOf(entry)];
    if (kind === '') continue;
    const declared = kinds.find(({ name }) => name === kind);
    const fault = (message: string): void => entry.fault('kind', `${message}: ${shown(kind)}`);
    if (declared === undefined) {
      const names = kinds.map(({ name }) => name);
      entry.fault('kind', notKnown('is not a node kind of this definition', kind, names));
    } else if (looks.has(kind)) fault('has two icons');
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
