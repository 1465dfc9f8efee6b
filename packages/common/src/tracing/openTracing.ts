/** Begins to record the spans of this thread, if the configuration names a receiver. */
import type { ExportOptions } from './otlpExport.ts';
import { recordSpans } from './tracing.ts';

/** @returns a function that sends the last spans, and ends the recording */
export async function openTracing(
  url: string | undefined,
  options: Omit<ExportOptions, 'url'>,
): Promise<{ close(): Promise<void> }> {
  if (url === undefined) return { close: async () => {} };
  const { openSpanExport } = await import('./otlpExport.ts');
  const opened = openSpanExport({ url, ...options });
  recordSpans(opened.sink);
  return {
    async close() {
      recordSpans(undefined);
      await opened.close();
    },
  };
}
