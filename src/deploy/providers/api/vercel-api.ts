// Vercel's API in the shapes that are read here, for one project.
import { z } from 'zod';
import type { HostAnswer } from '../host-answer.ts';
import type { ProviderContext } from '../provider.ts';
import { createHostClient, type HostClient, type HostRequest } from '../request.ts';

/** `ERROR`, any `*_ERROR`, `CANCELED`. */
export const FAILED_STATES = /(?:^|_)ERROR$|^CANCELED$/;

const Deployment = z.object({
  id: z.string(),
  url: z.string().nullish(),
  projectId: z.string().nullish(),
  readyState: z.string(),
  /** `true`, or a time in milliseconds. */
  aliasAssigned: z.union([z.boolean(), z.number()]).nullish(),
  aliasError: z.object({ message: z.string().optional() }).nullish(),
  alias: z.array(z.string()).nullish(),
  checks: z
    .record(z.string(), z.object({ state: z.string().optional() }))
    .nullish()
    .catch(undefined),
  errorCode: z.string().nullish(),
  errorMessage: z.string().nullish(),
});
export type VercelDeployment = z.output<typeof Deployment>;

const Project = z.object({
  id: z.string(),
  targets: z.object({ production: z.object({ id: z.string() }).nullish() }).nullish(),
});
export type VercelProject = z.output<typeof Project>;

const Deployments = z.object({
  deployments: z.array(z.object({ uid: z.string(), meta: z.record(z.string(), z.unknown()).nullish() })),
});
const Created = z.object({ id: z.string() });
const MissingFiles = z.object({ error: z.object({ code: z.literal('missing_files'), missing: z.array(z.string()) }) });

export interface Vercel extends Pick<HostClient, 'send' | 'toRefusal'> {
  /** Name or id. */
  project: string;
  /** Names the project and its team. */
  place: string;
  findProject(): Promise<VercelProject | undefined>;
  findDeployment(id: string): Promise<VercelDeployment | undefined>;
  getDeployment(id: string): Promise<VercelDeployment>;
  /** The deployment that a deploy of ours made. */
  findByDeploy(deployId: string): Promise<{ id: string } | undefined>;
  parseDeployment(answer: HostAnswer): { id: string };
  /** The sha1 of the files that are missing; undefined if the answer is another one. */
  missingOf(answer: HostAnswer): string[] | undefined;
}

export function connectVercel(siteId: string, context: ProviderContext): Vercel {
  const { vercelApiUrl, vercelToken, vercelProject, vercelTeamId } = context.settings;
  const project = vercelProject || siteId;
  const client = createHostClient({
    context,
    label: 'Vercel',
    baseUrl: vercelApiUrl,
    baseUrlSetting: 'vercelApiUrl',
    token: vercelToken,
    tokenSetting: 'vercelToken',
  });
  const inTeam = (request: HostRequest): HostRequest => ({
    ...request,
    query: { ...request.query, teamId: vercelTeamId || undefined },
  });
  const toDeployment = (id: string): HostRequest =>
    inTeam({ method: 'GET', path: `/v13/deployments/${encodeURIComponent(id)}`, what: `deployment "${id}"` });

  return {
    project,
    place: `${vercelTeamId}/${project}`,
    send: (request) => client.send(inTeam(request)),
    toRefusal: client.toRefusal,
    async findProject() {
      const request = inTeam({
        method: 'GET',
        path: `/v9/projects/${encodeURIComponent(project)}`,
        what: `project "${project}"`,
        expect: [404],
      });
      const answer = await client.send(request);
      return answer.status === 404 ? undefined : client.parse(request, answer, Project);
    },
    async findDeployment(id) {
      const request = { ...toDeployment(id), expect: [404] };
      const answer = await client.send(request);
      return answer.status === 404 ? undefined : client.parse(request, answer, Deployment);
    },
    getDeployment: (id) => client.read(toDeployment(id), Deployment),
    async findByDeploy(deployId) {
      const { deployments } = await client.read(
        inTeam({
          method: 'GET',
          path: '/v6/deployments',
          query: { projectId: project, limit: '20' },
          what: 'the list of deployments',
        }),
        Deployments,
      );
      const found = deployments.find(({ meta }) => meta?.colophonDeploy === deployId);
      return found && { id: found.uid };
    },
    parseDeployment: (answer) => client.parse({ what: 'the deployment' }, answer, Created),
    missingOf: ({ json }) => MissingFiles.safeParse(json).data?.error.missing,
  };
}
