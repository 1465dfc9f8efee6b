/** Context of a trace between services: the header `traceparent` (W3C Trace Context, level 1). */

export interface TraceContext {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** 16 hexadecimal digits. */
  readonly spanId: string;
  /** Whether the caller records this trace. */
  readonly isSampled: boolean;
}

const HEADER = /^([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(-.*)?$/;
const NOTHING = /^0+$/;

/** @returns the context of a caller; nothing if the header is missing or malformed, as the standard demands */
export function parseTraceparent(header: string | undefined): TraceContext | undefined {
  // Later versions may append members.
  const [, version, traceId = '', spanId = '', flags = '', more] = HEADER.exec(header?.trim() ?? '') ?? [];
  if (version === undefined || version === 'ff' || (version === '00' && more !== undefined)) return undefined;
  if (NOTHING.test(traceId) || NOTHING.test(spanId)) return undefined;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

export const traceparentOf = ({ traceId, spanId, isSampled }: TraceContext): string =>
  `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`;
