// colophon verify: is the content repository sound, and do the documents follow from its log?
import type { Command } from 'commander';
import { failure } from '../failure.ts';
import type { CliPorts, VerifyReport } from '../ports.ts';
import { createProgress } from '../progress.ts';
import { addPlaceOptions, chooseSite, type PlaceOptions, toEnvOfData } from '../settings.ts';
import { addApiOptions, tokenFor } from '../transfer-site.ts';

interface VerifyCommandOptions extends PlaceOptions {
  url?: string;
  token?: string;
}

const HELP = `
Checks the structure of the content repository, folds its log into documents and compares them with the tree and the
index, and media with their hashes. Checks the chains of the site's audit and of the service's: each line against the hash
that the next one has of it; the first break is named with file and line.

With --url the running service checks its own site, index included; the token needs sites:write. Without --url, and while
a service runs, the command checks every object and the media of the newest commit, but neither the index nor what the
branch does not have yet.

Exit code 1 if anything is wrong.`;

export function addVerify(program: Command, ports: CliPorts): void {
  const command = program
    .command('verify')
    .description('check the content repository against its log and the index')
    .addHelpText('after', HELP);
  addApiOptions(addPlaceOptions(command)).action(async (options: VerifyCommandOptions) => {
    const { site, besidePid, ...report } = await verify(ports, options);
    if (besidePid !== undefined)
      ports.err(
        `checked while in use by process ${besidePid}, without its index and its write-ahead log; ` +
          '--url <address> --token <token> has that process check both\n',
      );
    for (const [name, count] of Object.entries(report.counts)) ports.out(`${name}: ${count}\n`);
    for (const warning of report.warnings) ports.err(`warning: ${warning}\n`);
    for (const problem of report.problems) ports.err(`${problem}\n`);
    const { length } = report.problems;
    if (length > 0) throw failure(`site "${site}": ${length} ${length === 1 ? 'problem' : 'problems'}`);
    ports.out(`site "${site}": sound\n`);
  });
}

async function verify(ports: CliPorts, options: VerifyCommandOptions): Promise<VerifyReport & { site: string }> {
  const { url, site } = options;
  const progress = createProgress(ports);
  if (url !== undefined) {
    const token = tokenFor(ports, options);
    return ports.verifyByHttp({ url, token, site }, progress.show).finally(progress.end);
  }
  const env = toEnvOfData(ports, options);
  const entry = await chooseSite(ports, env, site);
  progress.opening();
  const report = await ports.verifySite(env, entry, progress.show).finally(progress.end);
  return { ...report, site: entry.id };
}
