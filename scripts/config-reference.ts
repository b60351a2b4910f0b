// Writes content/guide/configuration.md: every key of cms.config with its type and what it does, from the schemas that
// read it.
// `test/guide.test.ts` holds the file against them.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { SiteConfigSchema } from '../src/config/site-config.ts';

interface Shape {
  description?: string;
  $ref?: string;
  type?: string;
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  anyOf?: Shape[];
  items?: Shape;
  properties?: Record<string, Shape>;
  required?: string[];
  additionalProperties?: Shape | boolean;
}

export const REFERENCE = path.join(import.meta.dirname, '../content/guide/configuration.md');
const HEAD = `---
title: Configuration reference
order: 3
_document:
  status: published
---
Every key of \`content/cms.config.ts\`, made from the schemas that check it (\`node scripts/config-reference.ts\`). An unknown key
is refused with the nearest one. A key may be left out unless it is marked *required*.

The service's own secrets, such as \`GITHUB_TOKEN\`, \`OPENAI_API_KEY\` or \`SMTP_URL\`, are not in \`process.env\` when the file
runs. Keys that need a secret take the name of its variable: \`remote.tokenEnv\`, and \`secretEnv\` of a form’s \`turnstile\`.
`;

export interface ReferenceSection {
  name: string;
  keys: { key: string; type: string; description: string; notes: string[] }[];
}

/** The page, as it should be. */
export function makeReference(): string {
  return HEAD + listSections().map(printSection).join('');
}

function printSection({ name, keys }: ReferenceSection): string {
  const rows = keys.map(({ key, type, description, notes }) => {
    const meaning = [description, notes.length > 0 ? `(${notes.join(', ')})` : ''].filter(Boolean).join(' ');
    return `| \`${key}\` | ${type} | ${meaning} |\n`;
  });
  return `\n## ${name}\n\n| Key | Value | What it does |\n|---|---|---|\n${rows.join('')}`;
}

/** Every object of the configuration once, at the first key that has it. */
export function listSections(): ReferenceSection[] {
  const root = z.toJSONSchema(SiteConfigSchema, { io: 'input', unrepresentable: 'any' }) as Shape & {
    $defs?: Record<string, Shape>;
  };
  const seen = new Set<string>();
  const sections: ReferenceSection[] = [];
  const addSection = (name: string, shape: Shape): void => {
    const properties = Object.entries(shape.properties ?? {});
    const keys = properties.map(([key, value]) => {
      const full = resolve(value);
      const notes = [shape.required?.includes(key) ? '*required*' : '', defaultOf(full), rangeOf(full)];
      return { key, type: typeOf(value), description: value.description ?? '', notes: notes.filter(Boolean) };
    });
    sections.push({ name, keys });
    for (const [key, value] of properties) {
      for (const object of objectsIn(value)) {
        const print = JSON.stringify(object.properties);
        if (seen.has(print)) continue;
        seen.add(print);
        addSection(name === 'The site' ? key : `${name}.${key}`, object);
      }
    }
  };

  function resolve(shape: Shape): Shape {
    const name = shape.$ref?.split('/').at(-1);
    return name === undefined ? shape : ((root.$defs?.[name] ?? root) as Shape);
  }
  function objectsIn(shape: Shape): Shape[] {
    const { properties, items, anyOf } = resolve(shape);
    return [
      ...(properties ? [resolve(shape)] : []),
      ...(items ? objectsIn(items) : []),
      ...(anyOf ?? []).flatMap(objectsIn),
    ];
  }
  function typeOf(shape: Shape): string {
    const { enum: values, const: value, anyOf, items, type, additionalProperties } = resolve(shape);
    if (values) return values.map((one) => `\`${one}\``).join(', ');
    if (value !== undefined) return `\`${value}\``;
    if (anyOf) return [...new Set(anyOf.map(typeOf))].join(' or ');
    if (items) return `list of ${typeOf(items)}`;
    if (type === 'object' && typeof additionalProperties === 'object')
      return `object of ${typeOf(additionalProperties)}`;
    return type ?? 'any value';
  }
  const defaultOf = (shape: Shape): string =>
    shape.default === undefined || JSON.stringify(shape.default) === '{}'
      ? ''
      : `default \`${JSON.stringify(shape.default)}\``;
  const rangeOf = ({ type, minimum, maximum, maxLength }: Shape): string => {
    if (maxLength !== undefined) return `at most ${maxLength} characters`;
    if (type !== 'integer' && type !== 'number') return '';
    const least = minimum === undefined || minimum < -1e9 ? '' : `from ${minimum}`;
    const most = maximum === undefined || maximum > 1e12 ? '' : `to ${maximum}`;
    return `${least} ${most}`.trim();
  };
  addSection('The site', root);
  return sections;
}

if (import.meta.main) writeFileSync(REFERENCE, makeReference());
