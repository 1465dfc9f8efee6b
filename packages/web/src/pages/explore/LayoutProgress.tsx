/** The progress of a layout over the drawing, with a cancel button; a short layout shows nothing. */
import { useEffect, useState } from 'react';
import { counted } from '../../text/formats.ts';

const SHOWN_AFTER_MS = 200;

interface LayoutProgressProps {
  /** The completed share, from 0 to 1. */
  readonly share: number;
  readonly objects: number;
  readonly onCancel: () => void;
}

export function LayoutProgress({ share, objects, onCancel }: LayoutProgressProps) {
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), SHOWN_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  if (!isShown) return null;
  const percent = Math.round(share * 100);
  return (
    <div className="layout-progress" role="status">
      <p>
        Drawing {counted(objects, 'object')}: {percent}%
      </p>
      <progress max={100} value={percent} aria-label="Progress of the drawing" />
      <button type="button" onClick={onCancel}>
        Cancel and view as table
      </button>
    </div>
  );
}
