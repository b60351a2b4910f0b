// Netlify's API in the shapes that are read here, for one site.
import { z } from 'zod';
import type { ProviderContext, PublishedFile } from '../provider.ts';
import { createHostClient, type HostRequest } from '../request.ts';

const Deploy = z.object({
  id: z.string(),
  state: z.string(),
  /** sha1 of the contents that Netlify does not have. */
  required: z
    .array(z.string())
    .nullish()
    .transform((list) => list ?? undefined),
  title: z.string().nullish(),
  url: z.string().nullish(),
  ssl_url: z.string().nullish(),
  deploy_ssl_url: z.string().nullish(),
  error_message: z.string().nullish(),
});
export type NetlifyDeploy = z.output<typeof Deploy>;

const Site = z.object({ published_deploy: z.object({ id: z.string() }).nullish() });
const SiteFiles = z.array(z.object({ sha: z.string().nullish() }));
/** A list of a hundred thousand files has some 30 MB. */
const MAX_LIST_BYTES = 64 << 20;

export interface Netlify {
  siteId: string;
  /** Id of the deploy that people see. */
  getLiveId(): Promise<string | undefined>;
  /** sha1 of the contents of that deploy. */
  liveHashes(): Promise<Set<string>>;
  create(
    title: string,
    body: { files: Record<string, string>; draft: boolean; async: boolean },
  ): Promise<NetlifyDeploy>;
  findByTitle(title: string): Promise<NetlifyDeploy | undefined>;
  findDeploy(id: string): Promise<NetlifyDeploy | undefined>;
  getDeploy(id: string): Promise<NetlifyDeploy>;
  upload(id: string, file: PublishedFile, limits: { signal: AbortSignal; timeoutMs: number }): Promise<void>;
  /** Makes a deploy the live one. */
  restore(id: string): Promise<NetlifyDeploy>;
  cancel(id: string): Promise<void>;
}

export function connectNetlify(context: ProviderContext): Netlify {
  const { netlifyApiUrl, netlifyToken, netlifySiteId: siteId } = context.settings;
  const client = createHostClient({
    context,
    label: 'Netlify',
    baseUrl: netlifyApiUrl,
    baseUrlSetting: 'netlifyApiUrl',
    token: netlifyToken,
    tokenSetting: 'netlifyToken',
  });
  const site = `/sites/${encodeURIComponent(siteId)}`;
  const advice = { 404: 'check netlifySiteId in the deploy settings' };
  const toDeploy = (id: string): HostRequest => ({
    method: 'GET',
    path: `${site}/deploys/${encodeURIComponent(id)}`,
    what: `deploy "${id}"`,
    advice,
  });

  return {
    siteId,
    async getLiveId() {
      const { published_deploy: live } = await client.read(
        { method: 'GET', path: site, what: `site "${siteId}"`, advice },
        Site,
      );
      return live?.id;
    },
    async liveHashes() {
      const request: HostRequest = {
        method: 'GET',
        path: `${site}/files`,
        what: 'the list of files',
        maxBytes: MAX_LIST_BYTES,
        // Without a list the plan is larger than what is sent.
        expect: [404],
      };
      const answer = await client.send(request);
      const files = answer.status === 404 ? [] : client.parse(request, answer, SiteFiles);
      return new Set(files.flatMap(({ sha }) => sha ?? []));
    },
    create: (title, json) =>
      client.read(
        { method: 'POST', path: `${site}/deploys`, query: { title }, body: { json }, what: 'the deploy', advice },
        Deploy,
      ),
    async findByTitle(title) {
      const request: HostRequest = {
        method: 'GET',
        path: `${site}/deploys`,
        query: { per_page: '20' },
        what: 'the list of deploys',
      };
      const deploys = await client.read(request, z.array(Deploy));
      return deploys.find((deploy) => deploy.title === title);
    },
    async findDeploy(id) {
      const request = { ...toDeploy(id), expect: [404] };
      const answer = await client.send(request);
      return answer.status === 404 ? undefined : client.parse(request, answer, Deploy);
    },
    getDeploy: (id) => client.read(toDeploy(id), Deploy),
    async upload(id, { path, file, sizeBytes }, { signal, timeoutMs }) {
      const encoded = path.split('/').map(encodeURIComponent).join('/');
      await client.send({
        method: 'PUT',
        path: `/deploys/${encodeURIComponent(id)}/files/${encoded}`,
        body: { file, sizeBytes },
        what: `the upload of "${path}"`,
        timeoutMs,
        signal,
      });
    },
    restore: (id) =>
      client.read(
        {
          method: 'POST',
          path: `${site}/deploys/${encodeURIComponent(id)}/restore`,
          what: `the publication of deploy "${id}"`,
          isRepeatable: true,
          advice: { 404: 'Netlify does not have this deploy any more' },
        },
        Deploy,
      ),
    async cancel(id) {
      await client.send({
        method: 'POST',
        path: `/deploys/${encodeURIComponent(id)}/cancel`,
        what: `the end of deploy "${id}"`,
        isRepeatable: true,
        // It has ended already, or does not exist any more.
        expect: [404, 409, 422],
      });
    },
  };
}
