// The body of a request in one of the forms that `fetch` takes, as bytes or as a stream that is read as fast as the line
// takes it.
import type { Blob as FileBlob } from 'node:buffer';

export interface SentBody {
  /** Undefined if only the caller knows. */
  type: string | undefined;
  /** Undefined if only the caller knows. */
  sizeBytes: number | undefined;
  stream: AsyncIterable<Uint8Array> | Uint8Array;
}

export async function toSentBody(body: RequestInit['body']): Promise<SentBody | undefined> {
  if (body === undefined || body === null) return undefined;
  if (typeof body === 'string') return toBytes(Buffer.from(body), 'text/plain;charset=UTF-8');
  if (body instanceof URLSearchParams) {
    return toBytes(Buffer.from(`${body}`), 'application/x-www-form-urlencoded;charset=UTF-8');
  }
  if (body instanceof ArrayBuffer) return toBytes(new Uint8Array(body), undefined);
  if (ArrayBuffer.isView(body)) {
    return toBytes(new Uint8Array(body.buffer, body.byteOffset, body.byteLength), undefined);
  }
  if (body instanceof FormData) {
    const form = new Response(body);
    return toBytes(new Uint8Array(await form.arrayBuffer()), form.headers.get('content-type') ?? undefined);
  }
  if (body instanceof Blob) {
    const { size: sizeBytes, type } = body;
    const stream = (body as FileBlob).stream() as unknown as AsyncIterable<Uint8Array>;
    return { stream, sizeBytes, type: type || undefined };
  }
  return { stream: body as unknown as AsyncIterable<Uint8Array>, sizeBytes: undefined, type: undefined };
}

function toBytes(stream: Uint8Array, type: string | undefined): SentBody {
  return { stream, sizeBytes: stream.byteLength, type };
}
