// What a start prints on a terminal when it serves: where everything is, and what to do first.

export interface Welcome {
  version: string;
  /** The address that the service listens on. */
  url: string;
  /** The address of the admin for browsers, if it is configured or follows from the address that is listened on. */
  admin: string | undefined;
  sites: readonly { id: string; collection: string | undefined; baseUrl: string | undefined }[];
  dataDir: string;
  hasUsers: boolean;
  /** Made by this start, because other machines can reach it. */
  setupToken: string | undefined;
}

export function toWelcome({ url, sites, hasUsers, setupToken, ...start }: Welcome): string {
  const reachable = url.replace(/\/\/(?:0\.0\.0\.0|\[::\])(?=:)/, '//127.0.0.1');
  const admin = start.admin ?? `${reachable}/admin`;
  const rows: [name: string, value: string][] = [['Admin', admin]];
  for (const { id, collection, baseUrl } of sites) {
    const only = sites.length === 1;
    if (baseUrl !== undefined) rows.push([only ? 'Site' : `Site "${id}"`, baseUrl]);
    const api = `${reachable}/api/cms/${collection ?? ''}${only ? '' : `?site=${encodeURIComponent(id)}`}`;
    if (collection !== undefined) rows.push([only ? 'API' : `API "${id}"`, api]);
  }
  rows.push(['Data', start.dataDir]);
  const width = Math.max(...rows.map(([name]) => name.length));
  return [
    '',
    `Colophon ${start.version} is listening on ${url}`,
    '',
    ...rows.map(([name, value]) => `  ${name.padEnd(width)}  ${value}`),
    '',
    ...(hasUsers ? [] : [toFirstStep(admin, setupToken)]),
    'Ctrl+C ends it. LOG_FORMAT=json prints lines of JSON.',
    '',
    '',
  ].join('\n');
}

function toFirstStep(admin: string, setupToken: string | undefined): string {
  const first = `First: open ${admin} and make your account, which is the first admin.`;
  return setupToken === undefined ? first : `${first}\nIt asks for the setup token: ${setupToken}`;
}
