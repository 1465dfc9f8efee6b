/** Finds objects of the drawing by name: hits get a ring, and Enter moves to the next one. */
import { useEffect, useRef, useState } from 'react';
import type { Drawing } from '../../graph/drawing.ts';

interface FindInDrawingProps {
  readonly drawing: Drawing;
  /** @param at the hit to bring into view */
  readonly onHits: (hits: ReadonlySet<string>, at: string | undefined) => void;
}

const MAX_WORDS = 100;

export function FindInDrawing({ drawing, onHits }: FindInDrawingProps) {
  const [words, setWords] = useState('');
  const [at, setAt] = useState(0);
  const input = useRef<HTMLInputElement>(null);
  const asked = words.trim().toLowerCase();
  const hits =
    asked === ''
      ? []
      : drawing.nodes.filter(({ name }) => name.toLowerCase().includes(asked)).map(({ id }) => id);
  const place = hits.length === 0 ? 0 : at % hits.length;
  const found = JSON.stringify(hits);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text represents the hits
  useEffect(() => onHits(new Set(hits), hits[place]), [found, place]);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 'f') return;
      event.preventDefault();
      input.current?.select();
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, []);
  return (
    <label className="find-in">
      <span className="unseen">Find in the drawing</span>
      <input
        ref={input}
        type="search"
        placeholder="Find in drawing"
        title="Ctrl F; Enter goes to the next"
        maxLength={MAX_WORDS}
        value={words}
        onChange={({ target }) => {
          setWords(target.value);
          setAt(0);
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter') setAt(place + 1);
          if (event.key === 'Escape') setWords('');
        }}
      />
      {asked !== '' && (
        <span className="quiet" role="status">
          {hits.length === 0 ? 'none' : `${place + 1} of ${hits.length}`}
        </span>
      )}
    </label>
  );
}
