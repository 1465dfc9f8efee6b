/**
 * Validates many texts within time limits: a text that takes too long is an error, and the others are still
 * validated.
 */
import {
  DEFAULT_BOUNDS,
  inBoundedThread,
  type NoResult,
  type ThreadBounds,
  type ThreadMessage,
} from './boundedThread.ts';

export type MarkdownMessage = ThreadMessage<string | undefined>;

/** Messages for texts without a result. */
export const FAULTS: Readonly<Record<NoResult, string>> = {
  'too long': 'takes too long to read',
  'not begun': 'was not checked, because the previous texts took too long',
};

/** @returns for each text, a part that a page must not show; `undefined` if the text is allowed */
export async function markdownFaults(
  texts: readonly string[],
  bounds: ThreadBounds = DEFAULT_BOUNDS,
): Promise<readonly (string | undefined)[]> {
  const script = new URL('./markdownThread.ts', import.meta.url);
  const thread = { script, name: 'clew-markdown', bounds };
  const found = await inBoundedThread<string, string | undefined>(thread, texts);
  return found.map((one) => ('result' in one ? one.result : FAULTS[one.none]));
}
