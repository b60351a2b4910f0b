// Path parameters as handlers get them. @koa/router decodes `..%2f` into a parameter and swallows bad encoding, so the
// raw captures are decoded here: the rules hold for what the handler gets, not for the pattern.
import { invalid, notFound } from '../lib/errors.ts';

/** @throws ServiceError 404 for a value that no resource can have, 400 for a value that is not validly encoded. */
export function parseParams(
  declared: readonly { name: string; deep: boolean }[],
  captures: readonly string[],
): Record<string, string> {
  const params: Record<string, string> = {};
  declared.forEach(({ name, deep }, index) => {
    const value = decode(captures[index] ?? '');
    const segments = deep ? value.split('/') : [value];
    if (!segments.every(isNameable)) throw notFound('resource');
    params[name] = value;
  });
  return params;
}

function decode(raw: string): string {
  try {
    return decodeURIComponent(raw);
  } catch (cause) {
    if (cause instanceof URIError) throw invalid('the path is not valid percent-encoded UTF-8');
    throw cause;
  }
}

function isNameable(segment: string): boolean {
  return segment !== '' && segment !== '.' && segment !== '..' && !/[/\x00]/.test(segment);
}
