/** Checks many texts within bounds of time: a text that takes too long is at fault, and the others are checked all the same. */
import {
  DEFAULT_BOUNDS,
  inBoundedThread,
  type NoResult,
  type ThreadBounds,
  type ThreadMessage,
} from './boundedThread.ts';

export type MarkdownMessage = ThreadMessage<string | undefined>;

/** Faults of texts that have no result. */
export const FAULTS: Readonly<Record<NoResult, string>> = {
  'too long': 'takes too long to read',
  'not begun': 'was not checked, since the texts before it took too long',
};

/** @returns for each text a part that a page must not show; nothing where all of it is allowed */
export async function markdownFaults(
  texts: readonly string[],
  bounds: ThreadBounds = DEFAULT_BOUNDS,
): Promise<readonly (string | undefined)[]> {
  const script = new URL('./markdownThread.ts', import.meta.url);
  const thread = { script, name: 'clew-markdown', bounds };
  const found = await inBoundedThread<string, string | undefined>(thread, texts);
  return found.map((one) => ('result' in one ? one.result : FAULTS[one.none]));
}
