// colophon import: a folder of Markdown and JSON files, or a WordPress export, becomes documents.
import { statSync } from 'node:fs';
import type { Command } from 'commander';
import type { FileProblem } from '../../transfer/candidate.ts';
import { parseFieldRules } from '../../transfer/field-rules.ts';
import { type ImportReport, importFolder } from '../../transfer/import-folder.ts';
import { FIELD_META } from '../../transfer/read-folder.ts';
import { failure } from '../failure.ts';
import type { CliPorts } from '../ports.ts';
import { createProgress } from '../progress.ts';
import { addPlaceOptions } from '../settings.ts';
import { addApiOptions, openTransferSite, type TransferOptions } from '../transfer-site.ts';

interface ImportCommandOptions extends TransferOptions {
  collection?: string;
  localeFromPath?: boolean;
  dryRun?: boolean;
  atomic?: boolean;
  map?: string[];
  set?: string[];
}

const HELP = `
Every .md, .mdx, .markdown and .json file below the folder is one document; names that start with a dot, and
node_modules, are skipped. The first folder names the collection, unless --collection does. YAML, TOML or JSON front
matter becomes the document's data, the text its first richtext field. The slug comes from the front matter, else from the
path. "draft: true" makes a draft, everything else is published; "status", "locale", "translationOf", "publishAt" and
"unpublishAt" describe the document, unless the collection has a field of that name. A JSON file in the shape of a stored
document keeps its id, dates and status. A second run changes only what has changed in the files since the last one: what
people have changed in a document since then stays, and is named if the file changed there too. Keys that no field has are
stored, and named with the nearest field.

--map title=post_title renames a key of the files, and attributes.title names one inside an object; --set status=draft
sets a key in all of them. Both may be repeated; --map comes first.

An .xml file is a WordPress export (WXR): posts go to the collection posts, pages to pages, others to the collection of
their type. Their keys are title, slug, date, author, excerpt, categories, tags and the custom fields; the text stays HTML.

With --locale-from-path, files at the same path in several locales are one text: the default locale keeps the slug, the
others become its translations, with the locale after their slug (hello-da).

With --url the documents go through the API of a running service: they get new ids and dates, and their author is the
token's owner, not the import. The token needs content:read and content:write.

--dry-run decides all as the import would, and writes nothing. --atomic makes one commit of everything (8 MiB at most, and
1,000 documents with --url), or none if one file cannot be imported.

Exit code 1 if a file was not imported; the others were, except with --atomic. 75 if another process has the data folder.`;

export function addImport(program: Command, ports: CliPorts): void {
  const command = program
    .command('import')
    .description('import a folder of Markdown and JSON files')
    .argument('<dir>', 'folder to import, or an .xml file that WordPress exported')
    .option('--collection <name>', 'collection of all files')
    .option('--locale-from-path', 'a leading folder that is a configured locale is the locale')
    .option('--map <key=key>', 'key of the collection, and its key in the files', collect)
    .option('--set <key=value>', 'key and value for all documents', collect)
    .option('--dry-run', 'report what would be done, write nothing')
    .option('--atomic', 'one commit, or nothing if a file cannot be imported')
    .option('--user <email>', 'user who is the author of the changes')
    .addHelpText('after', HELP);
  addApiOptions(addPlaceOptions(command)).action(async (folder: string, options: ImportCommandOptions) => {
    const startedAt = performance.now();
    // Before the site is opened, which may plant a starter.
    const found = statSync(folder, { throwIfNoEntry: false });
    const isExport = found?.isFile() && folder.toLowerCase().endsWith('.xml');
    if (!found?.isDirectory() && !isExport) throw failure(`there is no folder "${folder}"`);
    const rules = parseFieldRules(options.map, options.set);
    const progress = createProgress(ports);
    const { site, close } = await openTransferSite(ports, options, { progress, isDryRun: options.dryRun ?? false });
    try {
      const onProgress = (done: number, total: number) => progress.show(`${done} of ${total} files`);
      const report = await importFolder(folder, site, { ...options, rules, onProgress });
      progress.end();
      printReport(ports, report, options.dryRun ?? false, performance.now() - startedAt);
    } finally {
      progress.end();
      await close();
    }
  });
}

function collect(value: string, earlier: string[] = []): string[] {
  return [...earlier, value];
}

function printReport(ports: CliPorts, report: ImportReport, isDryRun: boolean, durationMs: number): void {
  for (const file of report.skipped) ports.err(`${file}: skipped, the link leads out of the folder or nowhere\n`);
  for (const line of toLines(report.problems)) ports.err(`${line}\n`);
  for (const line of toRemarks(report.warnings)) ports.err(`${line}\n`);
  const { created, updated, unchanged, failed } = report;
  const seconds = (durationMs / 1000).toFixed(1);
  const prefix = isDryRun ? 'dry run: ' : '';
  ports.out(
    `${prefix}${created} created, ${updated} updated, ${unchanged} unchanged, ${failed} failed in ${seconds} s\n`,
  );
  if (failed > 0) throw failure(`${failed} ${failed === 1 ? 'file was' : 'files were'} not imported`);
}

/** One line each; field metadata, which all files of another site have or lack alike, is reported once. */
function toLines(problems: readonly FileProblem[]): string[] {
  const [first, ...others] = problems.filter(({ field }) => field === FIELD_META);
  return problems.flatMap((problem) => {
    if (problem.field !== FIELD_META) return [toLine(problem)];
    if (problem !== first) return [];
    const more = others.length === 0 ? '' : ` and ${others.length} other ${others.length === 1 ? 'file' : 'files'}`;
    return [toLine({ ...problem, file: `${problem.file}${more}` })];
  });
}

/** One line each; what is the same of many files is reported once. */
function toRemarks(warnings: readonly FileProblem[]): string[] {
  const files = new Map<string, string[]>();
  for (const { file, field, message } of warnings) {
    const remark = field === undefined ? message : `${field}: ${message}`;
    files.set(remark, [...(files.get(remark) ?? []), file]);
  }
  return [...files].map(([remark, [first, ...others]]) => {
    const more = others.length === 0 ? '' : ` and ${others.length} other ${others.length === 1 ? 'file' : 'files'}`;
    return `${first}${more}: warning: ${remark}`;
  });
}

function toLine({ file, field, message }: FileProblem): string {
  return field === undefined ? `${file}: ${message}` : `${file}: ${field}: ${message}`;
}
