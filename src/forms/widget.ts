// The script for a page that embeds a form: widget-script.js without its comments and spaces, for one form. Names are
// not shortened, so that the running code can be compared with its source.
import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { FormConfig } from '../config/form-config.ts';

export interface Widget {
  script: string;
  /** A weak entity tag: the script travels compressed. */
  etag: string;
}

const SOURCE = 'widget-script.js';
/** Replaced with the form's name: letters, digits, `-` and `_`, so it needs no escaping. */
const NAME = '__FORM__';

/** Reads the source once, and makes each form's script at its first request. */
export function createWidgets(): (form: Pick<FormConfig, 'name' | 'spam'>) => Widget {
  const source = readFileSync(new URL(SOURCE, import.meta.url), 'utf8');
  const plain = squeeze(without(source, 'turnstile'));
  const challenging = squeeze(source);
  const made = new Map<string, Widget>();

  return ({ name, spam }) => {
    const base = spam.turnstile ? challenging : plain;
    const key = `${base === plain} ${name}`;
    const found = made.get(key);
    if (found) return found;
    const script = base.replace(NAME, name);
    const widget = { script, etag: `W/"${hash('sha256', script).slice(0, 32)}"` };
    made.set(key, widget);
    return widget;
  };
}

/** Removes everything between the lines `// #if <what>` and `// #end`, with these lines. */
function without(source: string, what: string): string {
  return source.replace(new RegExp(`^ *// #if ${what}\\n[^]*?^ *// #end\\n`, 'gm'), '');
}

const TEXTS = /('(?:[^'\\\n]|\\.)*'|`[^`]*`)/;

/**
 * The same program with fewer spaces. It relies on a formatted source: comments are on lines of their own, statements
 * end in semicolons, and there are no regular expressions and no `+ +` or `- -`.
 */
export function squeeze(source: string): string {
  const code = source
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('//'))
    .join('\n');
  const parts = code.split(TEXTS).map((part, index) => (index % 2 === 1 ? part : squeezeCode(part)));
  return `${parts.join('')}\n`;
}

function squeezeCode(code: string): string {
  return code
    .replace(/\s+/g, ' ')
    .replace(/ ?([.{}()[\]=<>?:,;&|!+*]) ?/g, '$1')
    .replace(/,([}\])])/g, '$1')
    .replace(/;}/g, '}');
}
