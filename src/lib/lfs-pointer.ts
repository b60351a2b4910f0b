// Git LFS pointer files: what a repository holds in place of large bytes
// (https://github.com/git-lfs/git-lfs/blob/main/docs/spec.md).

export interface LfsPointer {
  /** 64 hex digits. */
  sha256: string;
  sizeBytes: number;
}

/** A pointer has about 130 bytes; the specification allows no more than this. */
export const POINTER_BYTES = 1024;

const KEYS = /(?:[a-z0-9.-]+ [^\n]*\n)*/.source;
const POINTER = new RegExp(
  `^version https://git-lfs\\.github\\.com/spec/v1\\n${KEYS}oid sha256:([0-9a-f]{64})\\n${KEYS}size (0|[1-9][0-9]{0,14})\\n${KEYS}$`,
);

/** Returns undefined if the bytes are not a pointer. */
export function parsePointer(bytes: Buffer): LfsPointer | undefined {
  if (bytes.length > POINTER_BYTES) return undefined;
  const [, sha256, size] = POINTER.exec(bytes.toString('latin1')) ?? [];
  return sha256 && size ? { sha256, sizeBytes: Number(size) } : undefined;
}

export function toPointerFile({ sha256, sizeBytes }: LfsPointer): Buffer {
  return Buffer.from(`version https://git-lfs.github.com/spec/v1\noid sha256:${sha256}\nsize ${sizeBytes}\n`, 'latin1');
}
