// The part of @koa/cors that the service uses; the package has no types of its own.
declare module '@koa/cors' {
  import type { Context, Middleware } from 'koa';

  export default function cors(options: {
    origin(ctx: Context): string | Promise<string>;
    allowMethods?: string | string[];
    allowHeaders?: string | string[];
    exposeHeaders?: string | string[];
    maxAge?: number | string;
    credentials?: boolean;
    keepHeadersOnError?: boolean;
  }): Middleware;
}
