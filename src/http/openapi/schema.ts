// JSON Schemas inside an OpenAPI 3.1 document: from zod and from foreign schemas, with every $ref pointing at
// something.
import { z } from 'zod';
import { pascalCase, uniqueName } from '../../lib/text/type-name.ts';

export type JsonSchema = Record<string, unknown>;

/** The document's `components.schemas`, and so the names already in use. */
export interface Components {
  schemas: Record<string, JsonSchema>;
}

export function refTo(name: string): JsonSchema {
  return { $ref: `#/components/schemas/${name}` };
}

export type Convert = (schema: z.ZodType, io: 'input' | 'output') => JsonSchema;

/**
 * A converter that fills `components`: schemas with a `meta({ id })` become components of that name, everything else is
 * written in place. `io` is the client's view: it sends `input` and gets `output`.
 */
export function createConverter(components: Components): Convert {
  // The text of each component before its references were rewritten, to recognise the same one again.
  const sources = new Map<string, string>();

  return (schema, io) => {
    const { $schema: _, $defs, ...root } = toJsonSchema(schema, io);
    const definitions = Object.entries(($defs ?? {}) as Record<string, JsonSchema>);
    // A schema that refers to itself needs a name even if its author gave none.
    const isRecursive = JSON.stringify(root).includes('"$ref":"#"');
    if (isRecursive) definitions.push(['Recursive', root]);

    const names = new Map<string, string>();
    for (const [key, definition] of definitions) {
      const text = JSON.stringify(definition);
      const isOther = (name: string): boolean => name in components.schemas && sources.get(name) !== text;
      const name = uniqueName(pascalCase(key), isOther);
      names.set(key, name);
      sources.set(name, text);
      components.schemas[name] ??= {};
    }
    const resolve = (ref: string): string => {
      const name = names.get(ref === '#' ? 'Recursive' : ref.replace('#/$defs/', ''));
      return name === undefined ? ref : `#/components/schemas/${name}`;
    };
    for (const [key, definition] of definitions) {
      components.schemas[names.get(key)!] = rewriteRefs(definition, resolve) as JsonSchema;
    }
    return isRecursive ? refTo(names.get('Recursive')!) : (rewriteRefs(root, resolve) as JsonSchema);
  };
}

function toJsonSchema(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  return z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override({ jsonSchema }) {
      // An answer may gain keys without breaking clients.
      if (io === 'output' && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
      // Makers of clients take a key with a default as one that is always there; in a request it need not be sent.
      if (io === 'input') withoutDefault(jsonSchema);
      // A list to zod that its author describes as the object that clients send.
      if (jsonSchema.type === 'object') delete jsonSchema.items;
    },
  }) as JsonSchema;
}

/** Moves the default of a schema into its description. */
function withoutDefault(schema: JsonSchema): void {
  if (!Object.hasOwn(schema, 'default')) return;
  const text = `${JSON.stringify(schema.default)} if absent`;
  schema.description = schema.description === undefined ? text : `${schema.description} (${text})`;
  delete schema.default;
}

/** A copy without defaults, also in what it consists of: the type of what clients send. */
export function toRequestSchema(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toRequestSchema);
  if (typeof value !== 'object' || value === null) return value;
  const copy: JsonSchema = { ...value };
  // A field may have the name of a keyword.
  if (typeof copy.type === 'string' || Array.isArray(copy.type) || 'anyOf' in copy || 'enum' in copy)
    withoutDefault(copy);
  return Object.fromEntries(
    Object.entries(copy).map(([key, item]) => [key, DATA_KEYWORDS.has(key) ? item : toRequestSchema(item)]),
  );
}

/**
 * A whole JSON Schema document as the component `name`. Its `$defs` become components of their own, because not every
 * maker of clients finds them inside another; all other references become relative to the component.
 */
export function embedSchema({ schemas }: Components, schema: JsonSchema, name: string): JsonSchema {
  const { $schema: _schema, $id: _id, $defs = {}, ...rest } = schema;
  const base = `#/components/schemas/${name}`;
  const hoisted = new Map<string, string>();
  for (const key of Object.keys($defs as object)) {
    const own = uniqueName(name + pascalCase(key), (candidate) => candidate in schemas);
    schemas[own] = {};
    hoisted.set(`#/$defs/${key}`, own);
  }
  const resolve = (ref: string): string => {
    const own = hoisted.get(ref);
    if (own !== undefined) return `#/components/schemas/${own}`;
    return ref.startsWith('#') ? base + ref.slice(1) : ref;
  };
  for (const [key, definition] of Object.entries($defs as Record<string, JsonSchema>)) {
    schemas[hoisted.get(`#/$defs/${key}`)!] = rewriteRefs(definition, resolve) as JsonSchema;
  }
  return rewriteRefs(rest, resolve) as JsonSchema;
}

/** Keywords whose values are data, not schemas: a `$ref` in them is not a reference. */
const DATA_KEYWORDS: ReadonlySet<string> = new Set(['const', 'default', 'enum', 'example', 'examples']);

export function rewriteRefs(value: unknown, resolve: (ref: string) => string): unknown {
  if (Array.isArray(value)) return value.map((item) => rewriteRefs(item, resolve));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => {
      if (key === '$ref' && typeof item === 'string') return [key, resolve(item)];
      return [key, DATA_KEYWORDS.has(key) ? item : rewriteRefs(item, resolve)];
    }),
  );
}
