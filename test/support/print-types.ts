// The types that openapi-typescript makes of an API description.
import { registerHooks } from 'node:module';
import { makeWorld } from './world.ts';

/** openapi-typescript prints with the API of TypeScript 5, which the compiler of this project no longer has. */
export async function printTypes(description: object): Promise<string> {
  const hooks = registerHooks({
    resolve: (name, context, next) =>
      name === 'typescript' && context.parentURL?.includes('/openapi-typescript/')
        ? { url: 'test:typescript', shortCircuit: true }
        : next(name, context),
    load: (url, context, next) =>
      url === 'test:typescript'
        ? {
            format: 'module',
            shortCircuit: true,
            source: `import common from ${JSON.stringify(import.meta.resolve('@ts-morph/common'))}; export default common.ts;`,
          }
        : next(url, context),
  });
  const { default: openapiTS, astToString } = await import('openapi-typescript');
  const printed = astToString(await openapiTS(description as never));
  hooks.deregister();
  return printed;
}

/** The types that the admin has (src/admin/api/schema.d.ts): of a site without collections. */
export async function printAdminTypes(): Promise<string> {
  await using world = await makeWorld({ config: { collections: [] } });
  const { json } = await world.admin.get('/api/openapi.json');
  return `// Made by \`npm run admin-types\` from the API description; do not edit.\n${await printTypes(json)}`;
}
