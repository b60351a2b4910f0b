// OpenAPI 3.1 from the table of routes: the schemas that parse the requests are the ones that describe them.
import { STATUS } from '../../lib/errors.ts';
import { pascalCase, uniqueName } from '../../lib/text/type-name.ts';
import { isRepeatable } from '../limits/repeats.ts';
import { knownNames } from '../params.ts';
import type { Route } from '../route.ts';
import { addCollections, type CollectionDescription, type Operation, type Paths } from './collections.ts';
import { type Components, type Convert, createConverter, type JsonSchema, refTo } from './schema.ts';
import { TAGS } from './tags.ts';

export type { CollectionDescription } from './collections.ts';

export interface OpenApiDocument {
  openapi: '3.1.0';
  info: JsonSchema;
  servers: { url: string }[];
  tags: { name: string; description?: string }[];
  paths: Paths;
  components: Components & { responses: JsonSchema; parameters: JsonSchema; securitySchemes: JsonSchema };
}

export interface ApiDescription<Site> {
  routes: readonly Route<Site>[];
  collections: readonly CollectionDescription[];
  version: string;
  publicUrl?: string | undefined;
}

const REFUSALS: Record<number, [name: string, description: string]> = {
  400: ['BadRequest', 'The input is not valid; `details` names each problem'],
  401: ['Unauthorized', 'Credentials are missing or not valid'],
  403: ['Forbidden', 'The credentials do not open this'],
  404: ['NotFound', 'There is no such resource'],
  408: ['RequestTimeout', 'The body did not arrive in time'],
  409: ['Conflict', 'The state of things does not allow it'],
  412: ['PreconditionFailed', 'A condition in the headers does not hold; `ETag` is the current one'],
  413: ['TooLarge', 'The body is too large'],
  415: ['UnsupportedMediaType', 'The content type or coding is not supported'],
  422: ['IdempotencyMismatch', 'The `Idempotency-Key` came with another body before'],
  429: ['TooManyRequests', 'Too many requests from this address without credentials, or too many event streams'],
  500: ['InternalError', 'A bug; `requestId` finds it in the process log'],
  503: ['Unavailable', 'The site is not open, or the service is shutting down'],
  507: ['StorageFull', 'The disk is full; reads go on'],
};

const HEADERS: Record<string, JsonSchema> = {
  'If-Match': { description: 'The ETag the change is based on; 412 if it is no longer current' },
  'If-None-Match': { description: 'On GET the ETag of a stored copy (304 if it is current); `*` on a creation' },
  'Idempotency-Key': {
    description:
      'A repeat with the same key and body gets the first answer again: for 24 hours if it wrote documents, else for ' +
      'five minutes while the service runs',
  },
  'Last-Event-ID': { description: 'With an event stream: the id of the last event received' },
};

export function describeApi<Site>(description: ApiDescription<Site>): OpenApiDocument {
  const steps = describeGradually(description);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** The same in steps of a few milliseconds; the whole description takes about a hundred. */
export function* describeGradually<Site>({
  routes,
  collections,
  version,
  publicUrl,
}: ApiDescription<Site>): Generator<void, OpenApiDocument> {
  // As access/sessions/cookie.ts names it.
  const isHttps = publicUrl?.startsWith('https:') === true;
  const components: OpenApiDocument['components'] = {
    schemas: { ErrorResponse: errorResponse() },
    responses: Object.fromEntries(
      Object.values(REFUSALS).map(([name, description]) => [
        name,
        { description, content: json(refTo('ErrorResponse')) },
      ]),
    ),
    parameters: Object.fromEntries(
      Object.entries(HEADERS).map(([name, more]) => [
        pascalCase(name),
        { name, in: 'header', required: false, schema: { type: 'string' }, ...more },
      ]),
    ),
    securitySchemes: {
      bearer: { type: 'http', scheme: 'bearer', description: 'Access token, `cms_` and 64 hex digits' },
      session: { type: 'apiKey', in: 'cookie', name: isHttps ? '__Host-cms-session' : 'cms-session' },
      service: { type: 'apiKey', in: 'header', name: 'X-CMS-Service-Token' },
    },
  };
  const convert = createConverter(components);
  const paths: Paths = {};
  const byShape = new Map<string, string>();
  const operationIds = new Set<string>();
  for (const route of routes) {
    if (route.documented === false) continue;
    // Templates that differ only in a parameter's name are one path to OpenAPI; the first name stands for both.
    const shape = route.path.replace(/\{[^}]+\}/g, '{}');
    const path = byShape.get(shape) ?? route.path;
    byShape.set(shape, path);
    const wanted = route.method + pascalCase(route.path.replace(/^\/api\b/, '').replace(/\{/g, 'by-')) || 'Root';
    const operationId = uniqueName(wanted === route.method ? `${wanted}Root` : wanted, (id) => operationIds.has(id));
    operationIds.add(operationId);
    (paths[path] ??= {})[route.method] = toOperation(route, path, operationId, convert);
    yield;
  }
  const document: OpenApiDocument = {
    openapi: '3.1.0',
    info: {
      title: 'Colophon',
      version,
      description:
        'A headless content service on a git repository. A query parameter that an operation does not list is refused with 400; names that begin with `_` or `utm_` are ignored, and `site` passes everywhere.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    // Without a public address, paths are relative to the place of the description.
    servers: [{ url: publicUrl ?? '/' }],
    tags: [...new Set(routes.flatMap(({ tag, documented }) => (documented === false ? [] : [tag])))].map((name) => ({
      name,
      ...(TAGS[name] ? { description: TAGS[name] } : {}),
    })),
    paths,
    components,
  };
  yield* addCollections(document, collections);
  removeUnused(document);
  return document;
}

/** A refusal that every route describes in its own words is not needed as a component. */
function removeUnused({ paths, components }: OpenApiDocument): void {
  const operations = Object.values(paths).flatMap((path) => Object.values(path));
  const used = new Set(operations.flatMap(({ responses }) => Object.values(responses).map(({ $ref }) => $ref)));
  for (const name of Object.keys(components.responses))
    if (!used.has(`#/components/responses/${name}`)) delete components.responses[name];
}

function toOperation<Site>(route: Route<Site>, path: string, operationId: string, convert: Convert): Operation {
  const pathParameters = [...path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
  const query = route.query ? queryParameters(convert(route.query, 'input')) : [];
  const names = new Set(query.map(({ name }) => name));
  const site = { name: 'site', in: 'query', required: false, schema: { type: 'string' }, description: 'Site id' };
  const headers = headersOf(route).map((name) => ({ $ref: `#/components/parameters/${pascalCase(name)}` }));
  const body = requestBody(route, convert);
  return {
    operationId,
    summary: route.summary,
    tags: [route.tag],
    ...security(route),
    parameters: [...pathParameters, ...query, ...(route.site === false || names.has('site') ? [] : [site]), ...headers],
    ...(body ? { requestBody: body } : {}),
    responses: responses(route, convert, pathParameters.length > 0, body !== undefined),
  };
}

/** Those that its handler honours, and the one that is honoured in front of it. */
function headersOf<Site>(route: Route<Site>): NonNullable<Route['headers']> {
  return [...(route.headers ?? []), ...(isRepeatable(route) ? (['Idempotency-Key'] as const) : [])];
}

function queryParameters(schema: JsonSchema): JsonSchema[] {
  const required = new Set((schema.required as string[] | undefined) ?? []);
  return Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>).map(([name, property]) => {
    const { description, deepObject, ...rest } = property;
    const described = description === undefined ? {} : { description };
    const style = deepObject ? { style: 'deepObject', explode: true } : {};
    return { name, in: 'query', required: required.has(name), ...described, ...style, schema: rest };
  });
}

function requestBody<Site>(route: Route<Site>, convert: Convert): Operation['requestBody'] {
  const content = Object.fromEntries(Object.entries(route.consumes ?? {}).map(([type, schema]) => [type, { schema }]));
  if (route.body) content['application/json'] = { schema: convert(route.body, 'input') };
  if (Object.keys(content).length === 0) return undefined;
  return { required: route.bodyOptional !== true, content };
}

function security<Site>({ allow }: Route<Site>): JsonSchema {
  if (allow === 'public') return { security: [] };
  if (allow === 'service') return { security: [{ service: [] }] };
  if (allow === 'session') return { security: [{ session: [] }] };
  if (allow === 'token') return { security: [{ bearer: [] }] };
  const signedIn = [{ bearer: [] }, { session: [] }];
  if (typeof allow === 'function') return { security: signedIn };
  if (typeof allow === 'string') return { security: signedIn, 'x-permission': allow };
  return { security: [...signedIn, {}], 'x-permission': allow.permission };
}

function responses<Site>(
  route: Route<Site>,
  convert: Convert,
  hasParams: boolean,
  hasBody: boolean,
): Record<string, JsonSchema> {
  const described: Record<string, JsonSchema> = {};
  for (const [status, answered] of Object.entries(route.answers)) {
    const isError = Number(status) >= 400;
    const schema = answered.schema ? convert(answered.schema, 'output') : isError ? refTo('ErrorResponse') : undefined;
    const type = answered.contentType ?? 'application/json';
    const media: Record<string, JsonSchema> =
      schema || answered.contentType ? { [type]: schema ? { schema } : {} } : {};
    for (const other of answered.alternatives ?? []) media[other] = { schema: { type: 'string' } };
    const content = Object.keys(media).length ? { content: media } : {};
    described[status] = { description: answered.description, ...content };
  }
  const refusals = [
    ...(hasBody || hasParams || knownNames(route) ? [400] : []),
    ...(route.allow === 'public' ? [] : [401]),
    ...(mayBeForbidden(route) ? [403] : []),
    ...(hasParams || route.site !== false ? [404] : []),
    ...(hasBody ? [408, 413, 415] : []),
    ...(route.headers?.includes('If-Match') ? [412] : []),
    ...(route.headers?.includes('Idempotency-Key') ? [409] : []),
    ...(headersOf(route).includes('Idempotency-Key') ? [422] : []),
    ...(route.limited === false ? [] : [429]),
    500,
    ...(route.site === false ? [] : [503]),
    ...(route.method === 'get' ? [] : [507]),
  ];
  for (const status of refusals) described[status] ??= { $ref: `#/components/responses/${REFUSALS[status]![0]}` };
  return described;
}

/**
 * Returns true if the route may answer 403: for a missing permission, or for a change with a cookie that another site's
 * page sent.
 */
function mayBeForbidden<Site>({ allow, method }: Route<Site>): boolean {
  if (allow === 'service') return false;
  return method !== 'get' || (allow !== 'public' && allow !== 'session');
}

function errorResponse(): JsonSchema {
  return {
    type: 'object',
    required: ['error'],
    properties: {
      error: { type: 'string', description: 'A sentence for people' },
      code: { type: 'string', enum: Object.keys(STATUS), description: 'The same for programs' },
      details: {
        type: 'array',
        items: {
          type: 'object',
          required: ['path', 'message'],
          properties: { path: { type: 'string' }, message: { type: 'string' } },
        },
      },
      requestId: { type: 'string', description: 'With `internal` only' },
    },
  };
}

function json(schema: JsonSchema): JsonSchema {
  return { 'application/json': { schema } };
}
