// How a message repeats a value: short, on one line, and never a secret.

const MAX_CHARS = 60;
/** Keys and variables that hold secrets, or hold one by mistake in place of the name of a variable. */
const SECRET = /secret|token|password|api_?key|tokenEnv|secretEnv|smtp_url/i;

/** `, not "…"` for texts, numbers and booleans, otherwise the empty string. `path` is the value's key or variable. */
export function notThis(value: unknown, path: string): string {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return '';
  if (SECRET.test(path)) return '';
  return `, not ${quote(value)}`;
}

export function quote(value: string | number | boolean): string {
  if (typeof value !== 'string') return String(value);
  // The part in front of an address's host is a name and a password.
  const shown = value.replace(/\/\/[^/@\s]*@/g, '//***@');
  return JSON.stringify(shown.length > MAX_CHARS ? `${shown.slice(0, MAX_CHARS)}…` : shown);
}
