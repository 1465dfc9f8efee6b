/** The mark of a kind: a shape with an icon, or with letters for kinds from uploads, labeled with the kind. */
import { iconPath } from '../graph/glyphs.ts';
import { kindLook, SHAPES } from '../graph/kinds.ts';

/** Centers the 24-unit box of an icon in a shape from -1 to 1. */
const GLYPH_PLACE = 'scale(.046) translate(-12 -12)';

export function KindMark({ kind, size = 22 }: { readonly kind: string; readonly size?: number }) {
  const { label, letters, shape, color, icon } = kindLook(kind);
  return (
    <svg
      className={`kind-mark class-${color}`}
      viewBox="-1.2 -1.2 2.4 2.4"
      width={size}
      height={size}
      role="img"
      aria-label={label}
    >
      <path className="shape" d={SHAPES[shape]} />
      {icon === undefined ? (
        <text y=".3" textAnchor="middle" fontSize=".85">
          {letters}
        </text>
      ) : (
        <path className="glyph" transform={GLYPH_PLACE} d={iconPath(icon)} />
      )}
    </svg>
  );
}
