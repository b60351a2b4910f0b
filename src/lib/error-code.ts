// Codes of errors: those of Node and the system (`ENOENT`), and of whatever else gives its errors a `code`.

/** Undefined for an error without a code in words, and for what is not an error. */
export function codeOf(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null | undefined)?.code;
  return typeof code === 'string' ? code : undefined;
}

/** True if the error has one of the codes. */
export function isCode(error: unknown, ...codes: readonly string[]): boolean {
  const code = codeOf(error);
  return code !== undefined && codes.includes(code);
}
