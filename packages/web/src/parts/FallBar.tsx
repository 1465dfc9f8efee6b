/**
 * The remaining exposure, and the part that a change removes; that part is hatched, so that it does not depend on
 * color.
 */

export function FallBar({ before, after }: { readonly before: number; readonly after: number }) {
  const gone = Math.max(0, before - after);
  return (
    <div className="fall-bar" aria-hidden="true">
      <span className="now" style={{ width: `${after * 100}%` }} />
      <span className="gone" style={{ width: `${gone * 100}%` }} />
    </div>
  );
}
