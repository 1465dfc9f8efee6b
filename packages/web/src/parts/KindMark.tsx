/** The mark of a kind: shape and letters, with the kind as its name. */
import { kindLook, SHAPES } from '../graph/kinds.ts';

export function KindMark({ kind }: { readonly kind: string }) {
  const { label, letters, shape, colour } = kindLook(kind);
  return (
    // biome-ignore lint/a11y/noSvgWithoutTitle: its name is an attribute, so that the pointer shows no second one
    <svg
      className={`kind-mark class-${colour}`}
      viewBox="-1.2 -1.2 2.4 2.4"
      width="22"
      height="22"
      role="img"
      aria-label={label}
    >
      <path d={SHAPES[shape]} />
      <text y=".3" textAnchor="middle" fontSize=".85">
        {letters}
      </text>
    </svg>
  );
}
