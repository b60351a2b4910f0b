// The table of routes, compiled once: which methods each shape of path has. Declaration order does not matter: static
// segments win over parameters, parameters over those that span segments.
import { knownNames } from './params.ts';
import type { Route } from './route.ts';

/** All routes of one shape of path; parameter names may differ from method to method. */
export interface PathResource<Site> {
  /** For @koa/router: parameters are named by position. */
  pattern: string;
  /** Its segments up to one that spans several: literal text, or null for a parameter. */
  shape: readonly (string | null)[];
  /** True if a parameter spans several segments. */
  isDeep: boolean;
  /** Lower case method names. */
  routes: Map<string, RouteEntry<Site>>;
  /** The value of the Allow header. */
  allow: string;
}

export interface RouteEntry<Site> {
  route: Route<Site>;
  /** Parameter names in the order of the captures. */
  params: { name: string; deep: boolean }[];
  /** Names of its query parameters; undefined if it takes any. */
  names: readonly string[] | undefined;
}

interface PathSegment {
  kind: 0 | 1 | 2;
  text: string;
}

const PARAMETER = /^\{([A-Za-z][A-Za-z0-9]*)\}$/;

/** @throws Error for a duplicate or malformed declaration, which is a bug and stops the start. */
export function compileRoutes<Site>(routes: readonly Route<Site>[]): PathResource<Site>[] {
  const resources = new Map<string, { segments: PathSegment[]; resource: PathResource<Site> }>();
  for (const route of routes) {
    const segments = parsePath(route);
    const shape = segments.map(({ kind, text }) => (kind === 0 ? text : ['', '{}', '{*}'][kind])).join('/');
    const found = resources.get(shape) ?? {
      segments,
      resource: { pattern: '', ...toShape(segments), routes: new Map(), allow: '' },
    };
    resources.set(shape, found);
    if (found.resource.routes.has(route.method)) {
      throw new Error(`route "${route.method.toUpperCase()} ${route.path}" is declared twice`);
    }
    const params = segments.filter(({ kind }) => kind > 0).map(({ kind, text }) => ({ name: text, deep: kind === 2 }));
    if (new Set(params.map(({ name }) => name)).size < params.length) {
      throw new Error(`route "${route.path}" names a parameter twice`);
    }
    found.resource.routes.set(route.method, { route, params, names: knownNames(route) });
  }
  for (const { segments, resource } of resources.values()) {
    resource.pattern = toPattern(segments);
    resource.allow = allowOf([...resource.routes.keys()]);
  }
  return [...resources.values()].sort((a, b) => bySpecificity(a.segments, b.segments)).map(({ resource }) => resource);
}

function parsePath<Site>({ path, deep }: Route<Site>): PathSegment[] {
  if (!path.startsWith('/')) throw new Error(`route "${path}" does not start with /`);
  const segments = path
    .slice(1)
    .split('/')
    .map((text): PathSegment => {
      const name = PARAMETER.exec(text)?.[1];
      if (name !== undefined) return { kind: name === deep ? 2 : 1, text: name };
      if (/[{}]/.test(text)) throw new Error(`route "${path}": a parameter must be a whole segment like {id}`);
      return { kind: 0, text };
    });
  if (deep !== undefined && !segments.some(({ kind }) => kind === 2)) {
    throw new Error(`route "${path}" has no parameter {${deep}}`);
  }
  return segments;
}

function bySpecificity(a: PathSegment[], b: PathSegment[]): number {
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    const difference = a[i]!.kind - b[i]!.kind;
    if (difference !== 0) return difference;
  }
  return b.length - a.length;
}

function toPattern(segments: PathSegment[]): string {
  let index = 0;
  return segments
    .map(({ kind, text }) => {
      if (kind === 0) return `/${text.replace(/[{}()[\]+?!*:\\]/g, '\\$&')}`;
      return kind === 1 ? `/:p${index++}` : `/*p${index++}`;
    })
    .join('');
}

function toShape(segments: PathSegment[]): Pick<PathResource<unknown>, 'shape' | 'isDeep'> {
  const deepAt = segments.findIndex(({ kind }) => kind === 2);
  const shape = segments.slice(0, deepAt < 0 ? undefined : deepAt).map(({ kind, text }) => (kind === 0 ? text : null));
  return { shape, isDeep: deepAt >= 0 };
}

/** Returns true if a path of these segments fits the resource's shape. */
export function fits(
  { shape, isDeep }: Pick<PathResource<unknown>, 'shape' | 'isDeep'>,
  segments: readonly string[],
): boolean {
  if (isDeep ? segments.length < shape.length : segments.length !== shape.length) return false;
  return shape.every((text, i) => text === null || text === segments[i]);
}

function allowOf(methods: string[]): string {
  const names = methods.flatMap((method) => (method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()]));
  return [...names, 'OPTIONS'].join(', ');
}
