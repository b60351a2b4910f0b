// A JSON Schema closed for `strict: true`: every property required, optional ones nullable, no others allowed, and only
// keywords that strict mode knows. What cannot be closed (an open object, any value) goes out without strict. The whole
// schema is checked on what comes back, so nothing is lost by leaving keywords out.

export type AnswerSchema = Record<string, unknown>;

/** What strict mode understands; limits of lengths and numbers are left to our own check. */
const KEPT = ['type', 'description', 'enum', 'const'];

/** Returns undefined if some part of the schema cannot be closed. */
export function closeSchema(schema: AnswerSchema): AnswerSchema | undefined {
  const closed = close(schema);
  if (closed?.type !== 'object') return undefined;
  const defs = toSchemas(schema.$defs);
  if (!defs) return closed;
  const entries = Object.entries(defs).map(([name, def]) => [name, close(def)] as const);
  if (entries.some(([, def]) => def === undefined)) return undefined;
  return { ...closed, $defs: Object.fromEntries(entries) };
}

function close(schema: AnswerSchema): AnswerSchema | undefined {
  if (typeof schema.$ref === 'string') return { $ref: schema.$ref };
  const branches = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(branches)) return closeBranches(branches);
  if (schema.allOf !== undefined || schema.not !== undefined) return undefined;
  const kept = Object.fromEntries(KEPT.flatMap((key) => (key in schema ? [[key, schema[key]]] : [])));
  if (schema.type === 'object') return closeObject(schema, kept);
  if (schema.type === 'array') {
    const items = isSchema(schema.items) ? close(schema.items) : undefined;
    return items && { ...kept, items };
  }
  if (Array.isArray(schema.type)) return closeTypes(schema, schema.type);
  const isKnown = typeof schema.type === 'string' || 'enum' in schema || 'const' in schema;
  return isKnown ? kept : undefined;
}

/** `type: ['string', 'null']`, one branch for each. */
function closeTypes(schema: AnswerSchema, types: unknown[]): AnswerSchema | undefined {
  return closeBranches(types.map((type) => (type === 'null' ? { type } : { ...schema, type })));
}

function closeBranches(branches: unknown[]): AnswerSchema | undefined {
  const closed = branches.map((branch) => (isSchema(branch) ? close(branch) : undefined));
  return closed.includes(undefined) ? undefined : { anyOf: closed };
}

function closeObject(schema: AnswerSchema, kept: AnswerSchema): AnswerSchema | undefined {
  const { additionalProperties: more } = schema;
  if (more !== undefined && more !== false) return undefined;
  const properties = toSchemas(schema.properties);
  if (!properties) return undefined;
  const required = new Set(Array.isArray(schema.required) ? schema.required : []);
  const closed: AnswerSchema = {};
  for (const [name, property] of Object.entries(properties)) {
    const inner = close(property);
    if (!inner) return undefined;
    closed[name] = required.has(name) || isNullable(inner) ? inner : { anyOf: [inner, { type: 'null' }] };
  }
  return { ...kept, properties: closed, required: Object.keys(closed), additionalProperties: false };
}

function isNullable({ anyOf, type }: AnswerSchema): boolean {
  if (Array.isArray(anyOf)) return anyOf.some((branch) => isSchema(branch) && isNullable(branch));
  return type === 'null';
}

/** Drops the nulls that stand for absent optional properties, where the schema itself does not accept null. */
export function dropNulls(value: unknown, schema: AnswerSchema, root: AnswerSchema = schema): unknown {
  const shape = resolve(schema, root);
  if (Array.isArray(value)) {
    const items = isSchema(shape.items) ? shape.items : undefined;
    return items ? value.map((item) => dropNulls(item, items, root)) : value;
  }
  if (!isSchema(value)) return value;
  const branches = shape.anyOf ?? shape.oneOf;
  if (Array.isArray(branches)) {
    const branch = branches.find((one) => isSchema(one) && fits(value, resolve(one, root)));
    return branch ? dropNulls(value, branch, root) : value;
  }
  const properties = toSchemas(shape.properties) ?? {};
  const required = new Set(Array.isArray(shape.required) ? shape.required : []);
  const kept = Object.entries(value).flatMap(([key, inner]): [string, unknown][] => {
    const property = Object.hasOwn(properties, key) ? properties[key] : undefined;
    if (!property) return [[key, inner]];
    if (inner === null && !required.has(key) && !acceptsNull(property, root)) return [];
    return [[key, dropNulls(inner, property, root)]];
  });
  return Object.fromEntries(kept);
}

function acceptsNull(schema: AnswerSchema, root: AnswerSchema): boolean {
  const { type, anyOf, oneOf } = resolve(schema, root);
  const branches = anyOf ?? oneOf;
  if (Array.isArray(branches)) return branches.some((branch) => isSchema(branch) && acceptsNull(branch, root));
  return type === 'null' || (Array.isArray(type) && type.includes('null'));
}

/** Whether an object may be of this branch, judged by its constants (`_block`) and required properties. */
function fits(value: AnswerSchema, branch: AnswerSchema): boolean {
  if (branch.type !== 'object') return false;
  const required = Array.isArray(branch.required) ? branch.required : [];
  const constants = Object.entries(toSchemas(branch.properties) ?? {}).filter(([, one]) => 'const' in one);
  return required.every((key) => key in value) && constants.every(([key, one]) => value[key] === one.const);
}

function resolve(schema: AnswerSchema, root: AnswerSchema): AnswerSchema {
  const name = typeof schema.$ref === 'string' ? /^#\/\$defs\/(.+)$/.exec(schema.$ref)?.[1] : undefined;
  const found = name === undefined ? undefined : toSchemas(root.$defs)?.[name];
  return found ?? schema;
}

function toSchemas(value: unknown): Record<string, AnswerSchema> | undefined {
  return isSchema(value) ? (value as Record<string, AnswerSchema>) : undefined;
}

function isSchema(value: unknown): value is AnswerSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
