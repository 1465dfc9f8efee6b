/** Request bodies that can be read repeatedly: to sign, to send, and to send again. */
export interface RequestBody {
  /** Size in bytes. */
  readonly size: number;
  chunks(): AsyncIterable<Uint8Array>;
  /** The body in one piece, if it is in memory anyway. */
  readonly bytes?: Uint8Array<ArrayBuffer>;
  /** The body as a file of a browser, which sends it without reading it into memory. */
  readonly blob?: Blob;
}

export function jsonBody(value: unknown): RequestBody {
  return bytesBody(new TextEncoder().encode(JSON.stringify(value)));
}

export function bytesBody(bytes: Uint8Array<ArrayBuffer>): RequestBody {
  return {
    size: bytes.length,
    bytes,
    async *chunks() {
      yield bytes;
    },
  };
}

export function blobBody(blob: Blob): RequestBody {
  return {
    size: blob.size,
    blob,
    async *chunks() {
      yield new Uint8Array(await blob.arrayBuffer());
    },
  };
}

export const archiveBody = (archive: Uint8Array<ArrayBuffer> | Blob): RequestBody =>
  archive instanceof Uint8Array ? bytesBody(archive) : blobBody(archive);

/** A form in one piece, with the header that contains its boundary. */
export async function formBody(
  form: FormData,
): Promise<{ readonly body: RequestBody; readonly headers: Readonly<Record<string, string>> }> {
  const encoded = new Response(form);
  const contentType = encoded.headers.get('content-type') ?? 'multipart/form-data';
  return {
    body: bytesBody(new Uint8Array(await encoded.arrayBuffer())),
    headers: { 'content-type': contentType },
  };
}
