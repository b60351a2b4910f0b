// The shape of `build` in cms.config: how the site is built.
import { z } from 'zod';
import { ConfigName, HttpUrl, Text } from './scalars.ts';

export const DOCKER_PRESETS = [
  'php',
  'laravel',
  'python',
  'django',
  'ruby',
  'rails',
  'go',
  'hugo',
  'node',
  'dotnet',
] as const;

export const BuildSchema = z.strictObject({
  command: Text.optional().describe(
    'The shell command that builds the site, such as `npm run build`; the static builder if absent.',
  ),
  outDir: Text.optional().describe('The folder with the built site, as a path below the checkout; `dist` if absent.'),
  docker: z
    .union([
      z.enum(DOCKER_PRESETS),
      z.strictObject({
        image: Text.describe('The image, such as `node:24-bookworm`.'),
        workdir: Text.optional().describe('The path of the checkout in the container; `/site` if absent.'),
      }),
    ])
    .optional()
    .describe(
      'Runs `command` in a container of this image or preset; without it the command runs in bwrap on this machine.',
    ),
  profiles: z
    .array(
      z.strictObject({
        name: ConfigName.describe('What the profile is called when a build is asked for.'),
        command: Text.optional().describe('The profile’s own command; that of `build` if absent.'),
        outDir: Text.optional().describe('The profile’s own output folder; that of `build` if absent.'),
        description: z.string().optional().describe('What the profile is for, for people.'),
        drafts: z
          .boolean()
          .optional()
          .describe('Builds documents of every status; such a profile makes previews only. `false` if absent.'),
      }),
    )
    .optional()
    .describe('Several ways to build the site, each with a build history and an output of its own.'),
  defaultProfile: z.string().optional().describe('The profile of builds that name none; the first if absent.'),
  baseUrl: HttpUrl.optional().describe(
    'The address of the published site, for feeds, the site map and previews of links. Links that begin with it are links to the site’s documents.',
  ),
  siteName: z
    .string()
    .optional()
    .describe('The name of the site on its pages and in its feed; the id of the site if absent.'),
  rss: z
    .union([
      z.boolean(),
      z.strictObject({
        title: Text.optional().describe('The title of the feed; `siteName` if absent.'),
        description: z.string().optional().describe('The description of the feed; its title if absent.'),
        collections: z
          .array(z.string())
          .optional()
          .describe('The collections that are in the feed; all that have pages except `pages` if absent.'),
        limit: z.int().min(1).optional().describe('The most documents in the feed; 20 if absent.'),
      }),
    ])
    .optional()
    .describe('`false` leaves the feed out; an object says what goes into it.'),
  robots: z
    .union([z.boolean(), z.string()])
    .optional()
    .describe(
      '`false` leaves robots.txt out; `maximum`, the default, lets every crawler in, `balanced` those that train no ' +
        'models, `restrictive` none; any other string is its text.',
    ),
  theme: Text.optional().describe(
    'Folder of the site’s theme, relative to the configuration; if absent, the folder `theme` beside it.',
  ),
  dockerNetwork: Text.optional().describe('The network of a build container, never `host`; it has none if absent.'),
  search: z.boolean().default(true).describe('`false` leaves out the search of the built site.'),
  redirects: z
    .boolean()
    .default(true)
    .describe('`false` leaves out the redirects from earlier addresses of renamed documents.'),
  env: z
    .record(z.string(), z.string())
    .optional()
    .describe('Variables of the command, such as `{ NODE_ENV: "production" }`; they are in git, so no secrets.'),
  timeout: z.int().min(1).max(900).default(300).describe('Seconds that the command may take.'),
});
