/** Icons of the lucide set: 16 px, in the text color, hidden from screen readers. */
import type { IconNode } from 'lucide';
import { iconPath } from './glyphs.ts';

export function Icon({ of, size = 16 }: { readonly of: IconNode; readonly size?: number }) {
  return (
    <svg className="icon" viewBox="0 0 24 24" width={size} height={size} aria-hidden="true">
      <path d={iconPath(of)} />
    </svg>
  );
}
