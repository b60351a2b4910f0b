// The REST API of GitHub Pages: the site of a repository and its builds. A token that may only push is enough for a
// deploy, so that each answer may also be that the token does not see it.
import { z } from 'zod';
import { type HostAnswer, messageOf } from '../host-answer.ts';
import { HostError } from '../host-error.ts';
import { inParentheses } from '../own-address.ts';
import type { ProviderContext } from '../provider.ts';
import { createHostClient, type HostRequest } from '../request.ts';

/** `unseen`: the token may not read it. Undefined: it does not exist, or the token may not know of it. */
export type Seen<T> = T | 'unseen' | undefined;

export interface PagesApi {
  findSite(): Promise<Seen<PagesSite>>;
  /** Publishes the branch, which must exist. False if the token may not. */
  createSite(branch: string): Promise<boolean>;
  findLatestBuild(): Promise<Seen<PagesBuild>>;
  /** False if the token may not. */
  requestBuild(): Promise<boolean>;
}

export const PagesSite = z.object({
  status: z.string().nullish(),
  html_url: z.string().nullish(),
  cname: z.string().nullish(),
  /** `legacy` publishes a branch, `workflow` what an action makes. */
  build_type: z.string().nullish(),
  source: z.object({ branch: z.string(), path: z.string() }).nullish(),
});
export type PagesSite = z.output<typeof PagesSite>;

export const PagesBuild = z.object({
  /** `queued`, `building`, `built`, `errored`. */
  status: z.string().nullish(),
  commit: z.string().nullish(),
  error: z.object({ message: z.string().nullish() }).nullish(),
});
export type PagesBuild = z.output<typeof PagesBuild>;

const HEADERS = { accept: 'application/vnd.github+json', 'x-github-api-version': '2022-11-28' };

export function createPagesApi(context: ProviderContext): PagesApi {
  const { githubApiUrl, deployAppName, deployApiToken } = context.settings;
  const client = createHostClient({
    context,
    label: 'GitHub',
    baseUrl: githubApiUrl,
    token: deployApiToken,
    tokenSetting: 'deployApiToken',
    baseUrlSetting: 'githubApiUrl',
    headers: HEADERS,
  });
  const path = `/repos/${deployAppName}/pages`;

  /** Undefined if the token may not do it: 403, unless that means too many requests. */
  async function sendAllowed(request: HostRequest): Promise<HostAnswer | undefined> {
    try {
      return await client.send(request);
    } catch (error) {
      if (error instanceof HostError && error.status === 403 && error.reason === 'refused_token') return undefined;
      throw error;
    }
  }

  async function find<T>(at: string, what: string, shape: z.ZodType<T>): Promise<Seen<T>> {
    const answer = await sendAllowed({ method: 'GET', path: at, what, expect: [404] });
    if (answer?.status === 404) return undefined;
    return answer === undefined ? 'unseen' : (shape.safeParse(answer.json).data ?? 'unseen');
  }

  return {
    findSite: () => find(path, 'the Pages site', PagesSite),
    findLatestBuild: () => find(`${path}/builds/latest`, 'the state of the build', PagesBuild),
    async createSite(branch) {
      const answer = await sendAllowed({
        method: 'POST',
        path,
        what: 'a Pages site for the repository',
        body: { json: { build_type: 'legacy', source: { branch, path: '/' } } },
        isRepeatable: true,
        expect: [404, 409, 422],
      });
      if (answer?.status === 422) {
        const said = inParentheses(context, 'githubApiUrl', messageOf(answer));
        throw new HostError(
          'refused_input',
          `GitHub does not publish "${deployAppName}"${said}: the branch has the site; turn Pages on for it in the repository's settings`,
          { status: 422 },
        );
      }
      return answer !== undefined && answer.status !== 404;
    },
    async requestBuild() {
      const answer = await sendAllowed({
        method: 'POST',
        path: `${path}/builds`,
        what: 'a build of the Pages site',
        isRepeatable: true,
        expect: [404],
      });
      return answer !== undefined && answer.status !== 404;
    },
  };
}
