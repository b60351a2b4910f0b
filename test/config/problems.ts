// The problems in a configuration's refusal, and the smallest configurations around one part.
import * as assert from 'uvu/assert';
import { ConfigError, parseConfig } from '../../src/config/parse.ts';

/** All problems, as `path: message`. */
export function problemsOf(value: unknown): string[] {
  try {
    parseConfig(value);
  } catch (error) {
    assert.instance(error, ConfigError);
    return (error as ConfigError).problems.map(({ path, message }) => `${path}: ${message}`);
  }
  return [];
}

export function pathsOf(value: unknown): string[] {
  return problemsOf(value).map((problem) => problem.slice(0, problem.indexOf(': ')));
}

export const posts = (...fields: unknown[]) => ({ collections: [{ name: 'posts', fields }] });
export const field = (more: object) => posts({ name: 'x', type: 'text', ...more });
export const form = (...fields: unknown[]) => ({ collections: [], forms: [{ name: 'contact', fields }] });
