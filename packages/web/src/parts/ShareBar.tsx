/** A share as a number, with a small bar for comparing rows. */
import { formatShare } from '@clew/model';

/** @param share from 0 to 1 */
export function ShareBar({ share, title }: { readonly share: number; readonly title: string }) {
  return (
    <span className="share" title={title}>
      <span className="share-bar" aria-hidden="true">
        <span style={{ width: `${share * 100}%` }} />
      </span>
      {formatShare(share)}
    </span>
  );
}
