// A site's collections as concrete types: component schemas and paths for each, next to the generic ones. Pure; the
// collections come as names, labels and JSON Schemas.
import { pascalCase, uniqueName } from '../../lib/text/type-name.ts';
import { type Components, embedSchema, type JsonSchema, refTo, rewriteRefs, toRequestSchema } from './schema.ts';

export interface CollectionDescription {
  name: string;
  label: string;
  /** JSON Schema 2020-12 of a published document's `data`. */
  jsonSchema: Record<string, unknown>;
}

export interface Operation {
  operationId: string;
  summary: string;
  tags: string[];
  parameters: JsonSchema[];
  requestBody?: { required: boolean; content: Record<string, { schema: JsonSchema }> };
  responses: Record<string, JsonSchema>;
  [extension: string]: unknown;
}

export type Paths = Record<string, Record<string, Operation>>;

/** The generic families whose paths are repeated for each collection. */
const FAMILIES = ['/api/cms/{collection}', '/api/content/{collection}'];
const VERBS: Record<string, string> = { get: 'get', post: 'create', put: 'replace', patch: 'update', delete: 'delete' };

/** Adds the collections' schemas and paths to a document that has the generic ones; one step for each collection. */
export function* addCollections(
  document: { paths: Paths; components: Components },
  collections: readonly CollectionDescription[],
): Generator<void> {
  const { paths, components } = document;
  const operationIds = new Set(
    Object.values(paths).flatMap((item) => Object.values(item).map(({ operationId }) => operationId)),
  );
  const any = uniqueName('AnyDocument', (name) => name in components.schemas);
  if (collections.length > 0) components.schemas[any] = {};
  const documents: JsonSchema[] = [];
  for (const collection of collections) {
    const types = addTypes(components, collection, any);
    documents.push(refTo(types.document));
    for (const family of FAMILIES) {
      for (const path of Object.keys(paths).filter((one) => one === family || isMember(one, family))) {
        const concrete: Record<string, Operation> = {};
        for (const [method, operation] of Object.entries(paths[path]!)) {
          const what = method === 'get' && path === family ? 'list' : (VERBS[method] ?? method);
          const kind = family.includes('/content/') ? 'Content' : '';
          const wanted = `${what}${kind}${pascalCase(collection.name)}`;
          const operationId = uniqueName(wanted, (name) => operationIds.has(name));
          operationIds.add(operationId);
          const to = { operationId, collection, types, isList: path === family };
          concrete[method] = specialise(operation, components, to);
        }
        paths[path.replace('{collection}', collection.name)] = concrete;
      }
    }
    yield;
  }
  const [only, ...more] = documents;
  if (only) components.schemas[any] = more.length === 0 ? only : { anyOf: documents };
}

const WARNING: JsonSchema = {
  type: 'object',
  required: ['path', 'message'],
  properties: { path: { type: 'string' }, message: { type: 'string' } },
};

interface TypeNames {
  /** A document of any collection, as `include` brings them. */
  any: string;
  document: string;
  list: string;
  input: string;
  patch: string;
}

function isMember(path: string, family: string): boolean {
  return path.startsWith(`${family}/`) && /^\{[^/]+\}$/.test(path.slice(family.length + 1));
}

function addTypes(components: Components, { name, label, jsonSchema }: CollectionDescription, any: string): TypeNames {
  const { schemas } = components;
  const add = (suffix: string, make: (name: string) => JsonSchema): string => {
    const full = uniqueName(`${pascalCase(name)}${suffix}`, (candidate) => candidate in schemas);
    schemas[full] = {};
    schemas[full] = make(full);
    return full;
  };
  const data = add('Data', (full) => ({ title: label, ...embedSchema(components, jsonSchema, full) }));
  // Drafts follow the same schema without `required`; null counts as missing.
  const draft = add('DraftData', (full) => embedSchema(components, relax(jsonSchema) as JsonSchema, full));
  const sent = add('SentData', (full) =>
    embedSchema(components, toRequestSchema(relax(jsonSchema)) as JsonSchema, full),
  );
  const document = add('Document', () => ({
    type: 'object',
    required: ['id', 'slug', 'collection', 'status', 'data', 'createdAt', 'updatedAt'],
    properties: {
      id: { type: 'string' },
      slug: { type: 'string' },
      collection: { const: name },
      status: { enum: ['draft', 'published', 'archived'] },
      locale: { type: 'string' },
      translationOf: { type: 'string' },
      translationGroup: { type: 'string' },
      publishAt: { type: 'string', format: 'date-time' },
      unpublishAt: { type: 'string', format: 'date-time' },
      createdAt: { type: 'string', format: 'date-time' },
      updatedAt: { type: 'string', format: 'date-time' },
      data: refTo(draft),
    },
    if: { properties: { status: { const: 'published' } } },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { properties: { data: refTo(data) } },
  }));
  const list = add('List', () => ({
    type: 'object',
    required: ['documents', 'total'],
    properties: {
      documents: { type: 'array', items: refTo(document) },
      total: { type: 'integer', minimum: 0 },
      included: { type: 'object', additionalProperties: refTo(any) },
      warnings: { type: 'array', items: WARNING },
    },
  }));
  const input = add('Input', () => ({ type: 'object', required: ['data'], properties: { data: refTo(sent) } }));
  const patch = add('Patch', () => ({ type: 'object', properties: { data: refTo(sent) } }));
  return { any, document, list, input, patch };
}

function specialise(
  generic: Operation,
  { schemas }: Components,
  to: { operationId: string; collection: CollectionDescription; types: TypeNames; isList: boolean },
): Operation {
  const { collection, types } = to;
  const operation = structuredClone(generic);
  operation.operationId = to.operationId;
  operation.summary = `${generic.summary} (${collection.label})`;
  operation.parameters = operation.parameters.filter(({ name }) => name !== 'collection');
  const isDelete = /^delete/.test(to.operationId);
  if (operation.requestBody) {
    const name = to.isList ? types.input : types.patch;
    // The generic body has every key but those of `data`.
    const { properties } = resolveRef(schemas, operation.requestBody.content['application/json']?.schema);
    const own = schemas[name]!;
    schemas[name] = { ...own, properties: { ...(properties as object), ...(own.properties as object) } };
    operation.requestBody.content = { 'application/json': { schema: refTo(name) } };
  }
  for (const [status, response] of Object.entries(operation.responses)) {
    if (!/^2/.test(status) || isDelete) continue;
    const isPage = /^list/.test(to.operationId);
    const { content } = response as { content?: Record<string, { schema?: JsonSchema }> };
    const schema = isPage ? refTo(types.list) : toOwn(content?.['application/json']?.schema, types);
    response.content = { 'application/json': { schema } };
  }
  return operation;
}

/** The document as this collection has it, with the keys that an answer adds to the generic one. */
function toOwn(generic: JsonSchema | undefined, types: TypeNames): JsonSchema {
  const [, ...added] = (generic?.allOf ?? []) as JsonSchema[];
  if (added.length === 0) return refTo(types.document);
  const toAny = (ref: string): string => (ref === refTo('Document').$ref ? String(refTo(types.any).$ref) : ref);
  return { allOf: [refTo(types.document), ...added.map((keys) => rewriteRefs(keys, toAny))] };
}

function resolveRef(schemas: Components['schemas'], schema: JsonSchema = {}): JsonSchema {
  const name = /^#\/components\/schemas\/(.+)$/.exec(String(schema.$ref))?.[1];
  return name === undefined ? schema : (schemas[name] ?? {});
}

/** The schema with nothing required except the names that distinguish variants, and null allowed for the rest. */
function relax(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(relax);
  if (typeof schema !== 'object' || schema === null) return schema;
  const { required, properties, ...rest } = schema as JsonSchema;
  const relaxed: JsonSchema = Object.fromEntries(
    Object.entries(rest).map(([key, value]) => [key, isData(key) ? value : relax(value)]),
  );
  if (typeof properties !== 'object' || properties === null) {
    return required === undefined ? relaxed : { required, ...relaxed };
  }
  const names = Array.isArray(required) ? (required as string[]) : [];
  const isTag = (name: string): boolean => 'const' in ((properties as Record<string, object>)[name] ?? {});
  const tags = names.filter(isTag);
  relaxed.properties = Object.fromEntries(
    Object.entries(properties).map(([name, value]) => {
      const inner = relax(value);
      return [name, names.includes(name) && !isTag(name) ? { anyOf: [inner, { type: 'null' }] } : inner];
    }),
  );
  if (tags.length > 0) relaxed.required = tags;
  return relaxed;
}

function isData(keyword: string): boolean {
  return ['const', 'default', 'enum', 'example', 'examples'].includes(keyword);
}
