// The answers of the API by path, as its description has them (`npm run admin-types`).
import type { components, paths } from './schema.d.ts';

type Ok<O> = O extends { responses: { 200: { content: { 'application/json': infer T } } } } ? T : never;

/** The body of a 200 answer: `Answer<'/api/admin/people'>`. */
export type Answer<P extends keyof paths, M extends 'get' | 'post' | 'put' | 'patch' | 'delete' = 'get'> = Ok<
  paths[P][M]
>;

/** A schema that has a name: `Schema<'MediaFile'>`. */
export type Schema<N extends keyof components['schemas']> = components['schemas'][N];
