/** The width of a part of the page, in whole pixels; 0 until known. */
import { type RefObject, useLayoutEffect, useRef, useState } from 'react';

export function useWidth<Part extends HTMLElement>(): readonly [RefObject<Part | null>, number] {
  const part = useRef<Part>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const element = part.current;
    if (element === null) return undefined;
    const read = () => setWidth(Math.floor(element.clientWidth));
    read();
    const watcher = new ResizeObserver(read);
    watcher.observe(element);
    return () => watcher.disconnect();
  }, []);
  return [part, width];
}
